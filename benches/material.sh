#!/usr/bin/env bash
# What it is worth that the engine takes pieces for what games have measured of those that move alike (engine/material.toml): matches
# against itself, by its weights alone, taking each piece for 62 centipawns a square of its mean mobility on a board that is a third full,
# and a pawn for 100.
#
#     benches/material.sh DIR SETUPS NODES GAME.toml...
#
# Plays each game in pairs from so many setups, at so many nodes a move, and says what came out as pooled.sh does; where the sides have
# different armies, each player has both. Only games whose file gives no values differ. Random games come from
# `cargo run --release -p backrank-selfplay --example general-net -- positions DIR 0 100 0 random:9001-9024`. Run it again to continue.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
work=${1:?where to? benches/material.sh DIR SETUPS NODES GAME.toml...}
setups=${2:?how many setups?}
nodes=${3:?how many nodes a move?}
shift 3
BACKRANK=$(realpath "${BACKRANK:-$here/../target/release/backrank}")
export BACKRANK
mkdir -p "$work"
studies=()
for game in "$@"; do
    key=$(basename "$game" .toml)
    weights=$work/$key.weights
    if [ ! -e "$weights" ]; then
        "$BACKRANK" check "$game" --games 0 --json -o "$work/$key.html" | python3 -c '
import json, sys
found, weights = json.load(sys.stdin), open(sys.argv[1]).read()
pieces = [piece for piece in found["pieces"] if piece["mating"] != "king"]
values = ["{} = {}".format(piece["letter"], round(62 * piece["captures"])) for piece in pieces]
print(weights, "[values.{}]".format(found["key"]), "P = 100", *values, sep="\n")' "$here/../engine/weights.toml" > "$weights.new"
        mv "$weights.new" "$weights"
    fi
    studies+=("$work/$key-$nodes")
    "$BACKRANK" -q play "$game" -o "$work/$key-$nodes" --setups "random:$setups" --seed 5 --pairs --nodes "$nodes" --opening-plies 4 \
        --net none --black-option "WeightsFile=$weights" > /dev/null
done
"$here/pooled.sh" "${studies[@]}"
