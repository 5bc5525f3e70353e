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

# The directory of a piece, but for its round.
directory() {
    echo "$1/$(tr -c 'A-Za-z0-9\n' - <<< "$2")"
}

# The results of all pieces that are measured so far, those of both rounds of a piece one after the other, under one heading.
gather() {
    local measured=()
    while IFS=, read -r betza _; do
        for part in "$(directory "$1" "$betza")"-[12]/{pilot/,}pairs.csv; do
            [ ! -e "$part" ] || measured+=("$part")
        done
    done < "$data/pieces.csv"
    awk 'FNR > 1 || NR == 1' "${measured[@]}"
}

for board in "${boards[@]}"; do
    mkdir -p "$work/$board"
    for round in $(seq "$rounds"); do
        seed=$((1000 * (round - 1)))
        while IFS=, read -r betza _ on; do
            seed=$((seed + 1))
            # The first line has the headings.
            [[ $betza != betza && " $on " == *" $board "* ]] || continue
            piece=$(directory "$work/$board" "$betza")-$round
            if [ ! -e "$piece.json" ]; then
                "$backrank" -q value "X=$betza" --on "$board" --games "${games[round - 1]}" --seed "$seed" -o "$piece" --json \
                    > "$piece.unfinished"
                mv "$piece.unfinished" "$piece.json"
            fi
            gather "$work/$board" > "$work/$board.csv"
        done < "$data/pieces.csv"
    done
done
