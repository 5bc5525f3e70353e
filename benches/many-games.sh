#!/bin/sh
# Does anything panic in many games? 10,000 of them in all, as many of each playable game, from setups drawn by lot, at
# 100 nodes a move. Every game is then read back and held against the rules. Ends with the number of games and the time;
# where a program panics or a game is not what the rules say, its message stands above, and the exit code is 1.
#
# The program is built with checks for overflow and with debug assertions, in a folder of its own.
#
#   benches/many-games.sh                   10,000 games, two at a time
#   GAMES=2000 SEED=7 THREADS=4 benches/... others
#   BACKRANK="program" benches/...          another program with the same arguments
set -eu
cd "$(dirname "$0")/.."

games=${GAMES:-10000} seed=${SEED:-1} threads=${THREADS:-2}
if [ -z "${BACKRANK:-}" ]; then
    cargo build --release --quiet --target-dir target/checked \
        --config profile.release.debug-assertions=true --config profile.release.overflow-checks=true
    BACKRANK=target/checked/release/backrank
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# A line for each game that is playable: its key.
$BACKRANK variants --json | awk -F '"' '/"key":/ { key = $4 } /"playable": true/ { print key }' > "$work/keys"
each=$((games / $(wc -l < "$work/keys")))
failures=0
start=$(date +%s)
while read -r key; do
    if $BACKRANK play "$key" -o "$work/$key" --setups "random:$each" --seed "$seed" --nodes 100 --threads "$threads" \
        > "$work/summary" && $BACKRANK play "$work/$key" > "$work/summary"; then
        printf '%-18s %s; %s\n' "$key" \
            "$(sed -n 's/^games  *//p' "$work/summary")" "$(sed -n 's/^endings  *//p' "$work/summary")"
    else
        printf '%-18s failed\n' "$key"
        failures=$((failures + 1))
    fi
done < "$work/keys"

# A row for each game, without the head of the file.
played=$(tail -q -n +2 "$work"/*/games.csv | wc -l)
echo "$played games in $(($(date +%s) - start)) s, $failures of $(wc -l < "$work/keys") failed"
[ "$failures" = 0 ]
