#!/usr/bin/env bash
# Does adjudication change the results of games at odds, and how much time does it save?
#
#     benches/adjudication.sh [PAIRS [ODDS...]]
#
# The same games are played to their end and with each kind of adjudication: the moves are the same up to where a game is
# adjudicated. Prints for each kind the games whose result is another, the score of the side that has what is before the colon, the
# mean plies, and the processor time against that of games that are played to their end.
set -euo pipefail
cd "$(dirname "$0")/.."
pairs=${1:-300}
[ $# -eq 0 ] || shift
[ $# -gt 0 ] || set -- M:R+4P N:3P
cargo build --quiet --release --locked
backrank=$PWD/target/release/backrank
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for odds in "$@"; do
    echo "$odds, $pairs pairs"
    before=
    for options in "" "--adjudicate-tables" "--resign 1200,4" "--resign 700,3"; do
        study=$work/$odds$options
        # shellcheck disable=SC2086
        seconds=$({ TIMEFORMAT=%U; time "$backrank" -q play pmrc --odds "$odds" --setups "random:$pairs" --seed 3 --nodes 1000 \
            --no-moves $options -o "$study" > /dev/null; } 2>&1)
        before=${before:-$seconds}
        awk -F, -v options="${options:-to the end}" -v seconds="$seconds" -v before="$before" '
            FNR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; file++; next }
            { result = $column["result"] }
            file == 1 { ended[$1] = result; next }
            {
                others += result != ended[$1]
                plies += $column["plies"]
                # The side that has what is before the colon is Black in the first game of a pair.
                score += result == "1/2-1/2" ? 0.5 : (result == "1-0") == ($1 % 2)
                games++
            }
            END {
                printf "  %-20s %4d of %d with another result, score %.1f %%, %.1f plies, %.2f of the time\n",
                    options, others, games, 100 * score / games, plies / games, seconds / before
            }' "$work/$odds/games.csv" "$study/games.csv"
    done
done
