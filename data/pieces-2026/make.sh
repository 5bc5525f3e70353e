#!/usr/bin/env bash
# Measures the pieces of pieces.csv in the places of those of chess960, one after the other.
#
#     data/pieces-2026/make.sh DIR [GAMES]
#
# DIR gets the games, GAMES of each piece (600) and a fifth as many of its pilot, and chess960.csv with the results of all that are measured
# so far. Run it again to continue. The same program gives the same games.
set -euo pipefail
cd "$(dirname "$0")/../.."

work=${1:?where to? data/pieces-2026/make.sh DIR [GAMES]}
games=${2:-600}
backrank=${BACKRANK:-target/release/backrank}
data=data/pieces-2026

mkdir -p "$work"
seed=0
measured=()
while IFS=, read -r betza _; do
    seed=$((seed + 1))
    name=$(tr -c 'A-Za-z0-9\n' - <<< "$betza")
    # The first line has the headings.
    [ "$betza" != betza ] || continue
    if [ ! -e "$work/$name.json" ]; then
        "$backrank" -q value "X=$betza" --games "$games" --seed "$seed" -o "$work/$name" --json > "$work/$name.unfinished"
        mv "$work/$name.unfinished" "$work/$name.json"
    fi
    measured+=("$work/$name/pilot/pairs.csv" "$work/$name/pairs.csv")
    # All lines but the headings, and those once.
    awk 'FNR > 1 || NR == 1' "${measured[@]}" > "$work/chess960.csv"
done < "$data/pieces.csv"
