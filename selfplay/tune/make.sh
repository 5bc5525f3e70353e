#!/usr/bin/env bash
# Makes the weights of the evaluation, engine/weights.toml, from nothing: from engine/start.toml and the toolkit's own games.
#
#     selfplay/tune/make.sh DIR [ROUNDS]
#
# Each round plays games of several variants with the weights so far, and fits the weights to these games and those of the
# rounds before. In the first rounds, which are short, the variants' values of pieces are not known: they begin by their moves and
# are fitted, too. Those of the last such round are a proposal for the variants' files. The other rounds keep the values of these
# files, for they are what is played with, and leave out the games of the first. It ends when a round moves the scores by less
# than MOVED centipawns, or after ROUNDS rounds.
#
# What is there already is not made again: run it again to continue. The same program gives the same files, whatever was
# interrupted and however many threads there are.
#
# The weights that are shipped are those of commit b9b59fe, where this was run twice, in seven rounds, and gave the same file to
# the byte. Set by hand afterwards: `last_piece_driven_out` and `last_piece_kings_apart`. A later engine plays other games, and
# so gives other weights.
set -euo pipefail
cd "$(dirname "$0")/../.."

work=${1:?where to? selfplay/tune/make.sh DIR [ROUNDS]}
rounds=${2:-8}
backrank=${BACKRANK:-target/release/backrank}
variants=${VARIANTS:-pmrc chess960 chess8400 modern capablanca-random mmcc}
# The rounds without known values of pieces.
from_moves=${FROM_MOVES:-3}
# The games of each variant in each of those rounds, the nodes of a move, and how far ahead what is to be predicted looks:
# the fewer the games, the less far. Then the same for each of the others.
first_games=${FIRST_GAMES:-300}
first_nodes=${FIRST_NODES:-1000}
first_lambda=${FIRST_LAMBDA:-0.9}
games=${GAMES:-1000}
nodes=${NODES:-3000}
lambda=${LAMBDA:-0.98}
moved=${MOVED:-8}
# The random moves at the start: few, so that the weights also come to know how games begin.
opening_plies=${OPENING_PLIES:-4}

mkdir -p "$work/by-moves"
for variant in $variants; do
    sed 's/, value = [0-9]*//; /^value = /d; /^# The values are measured/d' "rules/variants/$variant.toml" > "$work/by-moves/$variant.toml"
done

weights=engine/start.toml
for round in $(seq "$rounds"); do
    keep=()
    if [ "$round" -le "$from_moves" ]; then
        first=1
        round_games=$first_games
        round_nodes=$first_nodes
        round_lambda=$first_lambda
    else
        round_games=$games
        round_nodes=$nodes
        round_lambda=$lambda
        first=$((from_moves + 1))
        keep=(--keep-values)
        if [ "$round" = "$first" ]; then
            sed '/^\[values/,$d' "$weights" > "$work/shared.toml"
            weights=$work/shared.toml
        fi
    fi
    for variant in $variants; do
        played=$variant
        [ "$round" -le "$from_moves" ] && played=$work/by-moves/$variant.toml
        "$backrank" -q play "$played" --setups "random:$round_games" --seed "$round" --nodes "$round_nodes" --scores \
            --opening-plies "$opening_plies" \
            --white-option "WeightsFile=$weights" --black-option "WeightsFile=$weights" \
            -o "$work/$round/$variant" > /dev/null
    done
    studies=()
    for other in $(seq "$first" "$round"); do
        for variant in $variants; do studies+=("$work/$other/$variant"); done
    done
    if [ ! -e "$work/$round/weights.toml" ]; then
        "$backrank" -q tune "${studies[@]}" --start "$weights" "${keep[@]}" --lambda "$round_lambda" \
            -o "$work/$round/weights.toml" > "$work/$round/summary.txt"
    fi
    weights=$work/$round/weights.toml
    echo "round $round"
    cat "$work/$round/summary.txt"
    if [ "$round" -gt "$from_moves" ] &&
        awk -v least="$moved" '/^moved/ { exit !($2 < least) }' "$work/$round/summary.txt"; then
        break
    fi
done
cp "$weights" "$work/weights.toml"
