#!/usr/bin/env bash
# Measures the pieces of pieces.csv in the places of those of a game, one after the other.
#
#     data/pieces-2026/make.sh DIR [GAMES] [GAME...]
#
# DIR gets the games, GAMES of each piece (600) and a fifth as many of its pilot, and GAME.csv with the results of all that are measured so
# far in that game (chess960, capablanca-random and pmrc, unless games are named). Run it again to continue. The same program gives the same
# games.
set -euo pipefail
cd "$(dirname "$0")/../.."

work=${1:?where to? data/pieces-2026/make.sh DIR [GAMES] [GAME...]}
games=${2:-600}
boards=("${@:3}")
[ ${#boards[@]} -gt 0 ] || boards=(chess960 capablanca-random pmrc)
backrank=${BACKRANK:-target/release/backrank}
data=data/pieces-2026

for board in "${boards[@]}"; do
    mkdir -p "$work/$board"
    seed=0
    measured=()
    while IFS=, read -r betza _ on; do
        seed=$((seed + 1))
        # The first line has the headings.
        [[ $betza != betza && " $on " == *" $board "* ]] || continue
        piece=$work/$board/$(tr -c 'A-Za-z0-9\n' - <<< "$betza")
        if [ ! -e "$piece.json" ]; then
            "$backrank" -q value "X=$betza" --on "$board" --games "$games" --seed "$seed" -o "$piece" --json > "$piece.unfinished"
            mv "$piece.unfinished" "$piece.json"
        fi
        measured+=("$piece/pilot/pairs.csv" "$piece/pairs.csv")
        # All lines but the headings, and those once.
        awk 'FNR > 1 || NR == 1' "${measured[@]}" > "$work/$board.csv"
    done < "$data/pieces.csv"
done
