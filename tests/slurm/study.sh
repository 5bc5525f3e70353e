#!/usr/bin/env bash
# A study on a Slurm of its own, disturbed as a cluster disturbs it, and held against the same study on one machine:
#
#     tests/slurm/study.sh target/release/backrank
#
# While tasks run, one is cancelled and requeued, the worker of another is killed, and a node is taken down. Prints why and
# succeeds where Slurm cannot start.
set -euo pipefail
backrank=$(realpath "$1")
here=$(realpath "$(dirname "$0")")
game=$here/../games/mini.toml
work=$(mktemp -d -t backrank-slurm.XXXXXX)
chmod 755 "$work"
source "$here/start.sh"
trap 'slurm_stop; rm -rf "$work"' EXIT
if ! slurm_start "$work/slurm"; then
    echo "skipped: no study is played by Slurm"
    exit 0
fi

options=(--games 900 --rounds 2 --nodes "${NODES:-1500}")
"$backrank" --quiet study "$game" "${options[@]}" --tasks 18 -o "$work/big"
"$backrank" cluster "$work/big" --slurm --time 10 --sbatch "--comment=disturbed" | sbatch --wait >/dev/null
squeue -o '%i %j %T %E'

# running NUMBER: whether so many tasks run.
running() { [ "$(squeue -h -t running -n backrank-work | wc -l)" -ge "$1" ]; }
# tasks: the running tasks of the array: job, index and node.
tasks() { squeue -h -r -t running -n backrank-work -o '%A %K %N' | sort -k 2n; }
slurm_wait 60 running 5 || { squeue; cat "$work"/big/tasks/*.log; exit 1; }
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

finished() { ! squeue -h | grep -q .; }
slurm_wait "${LIMIT:-900}" finished || { squeue; cat "$work"/big/tasks/*.log; exit 1; }
cat "$work"/big/tasks/*.log
"$backrank" status "$work/big"

echo "-- the same study on one machine"
"$backrank" --quiet study "$game" "${options[@]}" -o "$work/one" >/dev/null
compared=0
while read -r games; do
    cmp "$games" "$work/big/${games#"$work/one/"}"
    compared=$((compared + 1))
done < <(find "$work/one" -name games.csv)
[ $compared -gt 10 ]
[ "$(find "$work/big" -name games.csv -not -path '*/tasks/*' | wc -l)" = $compared ]
# The disturbances were some.
grep -q 'DUE TO JOB REQUEUE' "$work"/big/tasks/*.log
grep -q 'Killed .* work ' "$work"/big/tasks/*.log
[ -n "$lost" ]
echo "$compared files of games are the same, byte for byte"
