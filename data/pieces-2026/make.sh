#!/usr/bin/env bash
# Measures the pieces of pieces.csv in the places of those of a game, one after the other.
#
#     data/pieces-2026/make.sh DIR [ROUNDS] [GAME...]
#
# DIR gets the games: in a first round 600 of each piece, and 900 in a second one (ROUNDS is 1 or 2, which is usual), with a pilot of a fifth
# as many; and GAME.csv with the results of all that are measured so far in that game (chess960, capablanca-random and pmrc, unless games
# are named). Run it again to continue. The same program gives the same games.
set -euo pipefail
cd "$(dirname "$0")/../.."

work=${1:?where to? data/pieces-2026/make.sh DIR [ROUNDS] [GAME...]}
rounds=${2:-2}
boards=("${@:3}")
[ ${#boards[@]} -gt 0 ] || boards=(chess960 capablanca-random pmrc)
backrank=${BACKRANK:-target/release/backrank}
data=data/pieces-2026
games=(600 900)

for board in "${boards[@]}"; do
    mkdir -p "$work/$board"
    for round in $(seq "$rounds"); do
        seed=$((1000 * (round - 1)))
        while IFS=, read -r betza _ on; do
            seed=$((seed + 1))
            # The first line has the headings.
            [[ $betza != betza && " $on " == *" $board "* ]] || continue
            piece=$work/$board/$(tr -c 'A-Za-z0-9\n' - <<< "$betza")-$round
            if [ ! -e "$piece.json" ]; then
                "$backrank" -q value "X=$betza" --on "$board" --games "${games[round - 1]}" --seed "$seed" -o "$piece" --json \
                    > "$piece.unfinished"
                mv "$piece.unfinished" "$piece.json"
            fi
            # All lines but the headings, and those once; the rounds of a piece follow each other.
            measured=()
            while IFS=, read -r other _; do
                other=$work/$board/$(tr -c 'A-Za-z0-9\n' - <<< "$other")
                for part in "$other"-[12]/pilot/pairs.csv "$other"-[12]/pairs.csv; do
                    [ ! -e "$part" ] || measured+=("$part")
                done
            done < "$data/pieces.csv"
            awk 'FNR > 1 || NR == 1' "${measured[@]}" > "$work/$board.csv"
        done < "$data/pieces.csv"
    done
done
