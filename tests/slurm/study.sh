#!/usr/bin/env bash
# A study on a Slurm of its own, disturbed as a cluster disturbs it, and held against the same study on one machine:
#
#     tests/slurm/study.sh target/release/backrank
#
# While tasks run, one is cancelled and requeued, the worker of another is killed, and a node is taken down; the one task of
# another study comes to its time limit. Prints why and succeeds where Slurm cannot start.
set -euo pipefail
backrank=$(realpath "$1")
here=$(realpath "$(dirname "$0")")
game=$here/../games/mini.toml
work=$(mktemp -d)
chmod 755 "$work"
source "$here/start.sh"
trap 'slurm_stop; rm -rf "$work"' EXIT
if ! slurm_start "$work/slurm"; then
    echo "skipped: no study is played by Slurm"
    exit 0
fi

options=(--games 900 --rounds 2 --nodes "${NODES:-1500}")
# Slurm looks at time limits every half a minute. This task takes longer, and is told of its limit as soon as Slurm looks.
long=(--games 900 --rounds 1 --nodes $((4 * ${NODES:-1500})))
"$backrank" --quiet study "$game" "${long[@]}" --tasks 1 -o "$work/long"
"$backrank" cluster "$work/long" --slurm --time 10 --sbatch "--comment=long --signal=B:USR1@590" | bash
"$backrank" --quiet study "$game" "${options[@]}" --tasks 18 -o "$work/big"
"$backrank" cluster "$work/big" --slurm --time 10 --sbatch "--comment=disturbed" | sbatch --wait >/dev/null
squeue -o '%i %j %T %E'

# tasks: the running tasks of the disturbed study: job, index and node.
tasks() { squeue -h -r -t running -n backrank-work -o '%A %K %N %k' | sed -n 's/ disturbed$//p' | sort -k 2n; }
# running NUMBER: whether so many of them run.
running() { [ "$(tasks | wc -l)" -ge "$1" ]; }
slurm_wait 60 running 4 || { squeue; cat "$work"/big/tasks/*.log; exit 1; }
# Until each has recorded games.
recorded() { [ "$(find "$work/big/tasks" -name games.csv -size +2k -path '*playing*' | wc -l)" -ge 3 ]; }
slurm_wait 60 recorded || { squeue; ls -R "$work/big/tasks"; exit 1; }

echo "-- a task is cancelled and requeued"
read -r job index node <<<"$(tasks | sed -n 1p)"
echo "task $index on $node"
scontrol requeue "$job"

echo "-- a worker is killed"
read -r job index node <<<"$(tasks | grep -v n3 | sed -n 2p)"
echo "task $index on $node"
kill -KILL "$(sed -n 's/^process = //p' "$work/big/tasks/$index.lock")"

echo "-- a node is taken down"
lost=$(tasks | awk '$3 == "n3" { print $2 }')
echo "tasks" $lost
scontrol update nodename=n3 state=down reason=test
declare -n slurmd=slurm_pid_n3
kill -KILL "$slurmd"
# Its tasks wait for another node.
given_up() { ! tasks | grep -q n3; }
slurm_wait 60 given_up || { squeue; exit 1; }
squeue -o '%i %j %T %E %N'

echo "-- a task comes to its time limit"
requeued() { grep -q 'task 1 was stopped after ' "$work"/long/tasks/*.log; }
slurm_wait 120 requeued || { squeue; cat "$work"/long/tasks/*.log; exit 1; }
# Now it gets more time, so that it need not be stopped every half a minute.
scontrol update jobid="$(squeue -h -r -n backrank-work -o '%i %k' | sed -n 's/ long$//p')" timelimit=60

finished() { ! squeue -h | grep -q .; }
slurm_wait "${LIMIT:-900}" finished || { squeue; cat "$work"/big/tasks/*.log; exit 1; }
cat "$work"/big/tasks/*.log
"$backrank" status "$work/big"

cat "$work"/long/tasks/*.log
"$backrank" status "$work/long"

# same STUDY OPTION…: whether all games of a study are those that one machine plays.
same() {
    local compared=0 games
    "$backrank" --quiet study "$game" "${@:2}" -o "$work/one-$1" >/dev/null
    while read -r games; do
        cmp "$games" "$work/$1/${games#"$work/one-$1/"}"
        compared=$((compared + 1))
    done < <(find "$work/one-$1" -name games.csv)
    [ $compared -gt 10 ]
    [ "$(find "$work/$1" -name games.csv -not -path '*/tasks/*' | wc -l)" = $compared ]
    echo "$1: $compared files of games are the same, byte for byte"
}
echo "-- the same studies on one machine"
same big "${options[@]}"
same long "${long[@]}"
# The disturbances were some.
grep -q 'DUE TO JOB REQUEUE' "$work"/big/tasks/*.log
grep -q 'Killed .* work ' "$work"/big/tasks/*.log
[ -n "$lost" ]
