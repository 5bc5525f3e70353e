#!/usr/bin/env bash
# What a study on a cluster costs: the games of `pmrc` that one core plays in an hour, and the bytes of a game, at several
# numbers of nodes a move. Each is a study in one task, a fifth of its games from all setups and the others at imbalances, as
# `backrank work` plays and checks it. It is measured in processor time, so that other work on the machine matters little, and
# without the time that a task needs to start.
#
#     cargo build --release && benches/cluster-cost.sh             about five minutes of processor time
#     cargo build --release && benches/cluster-cost.sh 300:2000    2,000 games at 300 nodes alone
set -euo pipefail
cd "$(dirname "$0")/.."
backrank=${BACKRANK:-target/release/backrank}
[ $# -gt 0 ] || set -- 300:2000 1000:600 3000:240 10000:96 30000:48
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
TIMEFORMAT='%U %S'

# seconds NODES GAMES: the processor time of a task.
seconds() {
    $backrank --quiet study pmrc --games "$2" --rounds 1 --nodes "$1" --tasks 1 -o "$work/$1-$2" >/dev/null
    { time $backrank --quiet work "$work/$1-$2" --task 1 --threads 1; } 2>&1 | awk '{ print $1 + $2 }'
}

start=$(seconds 1 48)
echo "a task needs $start s to start"
echo "| nodes a move | games an hour and core | bytes a game | core hours for 10⁶ games | for 10⁸ | for 10¹⁰ |"
echo "|---|---|---|---|---|---|"
for pair; do
    nodes=${pair%:*} games=${pair#*:}
    took=$(seconds "$nodes" "$games")
    bytes=$(find "$work/$nodes-$games/tasks" -name games.csv -exec cat {} + | wc -c)
    awk -v nodes="$nodes" -v games="$games" -v seconds="$took" -v start="$start" -v bytes="$bytes" '
        function rounded(number, digits) {
            scale = 10 ^ (int(log(number) / log(10)) + 1 - digits)
            return sprintf("%.0f", sprintf("%.0f", number / scale) * scale)
        }
        BEGIN {
            an_hour = games / (seconds - start) * 3600
            printf "| %d | %s | %s |", nodes, rounded(an_hour, 2), rounded(bytes / games, 2)
            for (all = 1e6; all <= 1e10; all *= 100) printf " %s |", rounded(all / an_hour, 2)
            printf "   %d games in %.1f s\n", games, seconds
        }'
done
