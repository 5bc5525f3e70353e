#!/usr/bin/env bash
# What it is worth that the engine takes pieces for what games have measured of those that move alike (engine/material.toml): matches
# against itself, by its weights alone, taking each piece for 62 centipawns a square of its mean mobility on a board that is a third full,
# and a pawn for 100.
#
#     benches/material.sh DIR SETUPS NODES GAME.toml...
#
# Plays each game in pairs from so many setups, at so many nodes a move, and prints the results of each and of all, with the engine's
# advantage in Elo and its 95 % interval by pairs; where the armies differ, too, each player has both. Only games whose file gives no
# values differ. Random games come from
# `cargo run --release -p backrank-selfplay --example general-net -- positions DIR 0 100 0 random:9001-9024`. Run it again to continue.
set -euo pipefail
work=${1:?where to? benches/material.sh DIR SETUPS NODES GAME.toml...}
setups=${2:?how many setups?}
nodes=${3:?how many nodes a move?}
shift 3
backrank=$(realpath "${BACKRANK:-$(dirname "$0")/../target/release/backrank}")
mkdir -p "$work"
for game in "$@"; do
    key=$(basename "$game" .toml)
    weights=$work/$key.weights
    [ -e "$weights" ] || "$backrank" check "$game" --games 0 --json -o "$work/$key.html" | python3 -c '
import json, sys
found, weights = json.load(sys.stdin), open(sys.argv[1]).read()
pieces = [piece for piece in found["pieces"] if piece["mating"] != "king"]
values = ["{} = {}".format(piece["letter"], round(62 * piece["captures"])) for piece in pieces]
print(weights, "[values.{}]".format(found["key"]), "P = 100", *values, sep="\n")' "$(dirname "$0")/../engine/weights.toml" > "$weights.new"
    [ -e "$weights" ] || mv "$weights.new" "$weights"
    "$backrank" -q play "$game" -o "$work/$key-$nodes" --setups "random:$setups" --seed 5 --pairs=players --nodes "$nodes" --opening-plies 4 \
        --net none --black-option "WeightsFile=$weights" > /dev/null
done
python3 - "$work" "$nodes" "$@" <<'PYTHON'
import csv, math, sys
from pathlib import Path

work, nodes, *games = sys.argv[1:]


def elo(score):
    score = min(max(score, 0.001), 0.999)
    return -400 * math.log10(1 / score - 1)


def say(name, pairs):
    points = [point for pair in pairs for point in pair]
    score = sum(points) / len(points)
    spread = sum((sum(pair) / 2 - score) ** 2 for pair in pairs) / max(len(pairs) - 1, 1)
    error = 1.96 * math.sqrt(spread / len(pairs))
    counts = [points.count(point) for point in (1, 0.5, 0)]
    print(f"{name:16} {counts[0]:5} {counts[1]:5} {counts[2]:5}  {elo(score):+5.0f} ({elo(score - error):+.0f} to {elo(score + error):+.0f})")


everything = []
print("game               won drawn  lost   Elo (95 %)")
for game in games:
    key = Path(game).stem
    with open(f"{work}/{key}-{nodes}/games.csv") as file:
        rows = list(csv.DictReader(file))
    points = []
    for row in rows:
        white = {"1-0": 1, "0-1": 0}.get(row["result"], 0.5)
        points.append(white if row["white"] == "builtin-1" else 1 - white)
    pairs = list(zip(points[::2], points[1::2]))
    everything += pairs
    say(key, pairs)
say("all", everything)
PYTHON
