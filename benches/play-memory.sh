#!/bin/sh
# The most memory that a study of tiny games takes at any time, with a tenth of the games and with all of them: it should
# not depend on their number but for what tells games apart, some twenty bytes each.
#
#   benches/play-memory.sh                  105 games from each setup of chess960, 100,800 in all, at 10 nodes a move
#   GAMES=20 benches/...                    others
#   BACKRANK="program" benches/...          another program with the same arguments
set -eu
cd "$(dirname "$0")/.."

if [ -z "${BACKRANK:-}" ]; then
    cargo build --release --quiet
    BACKRANK=target/release/backrank
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

measure() {
    games=$1
    # shellcheck disable=SC2086
    $BACKRANK play chess960 -o "$work/$games" --games "$games" --nodes 10 --threads 2 \
        > "$work/summary" 2> "$work/progress" &
    run=$!
    peak=0
    # The system knows the peak for as long as the program runs; it hardly changes at the end.
    while most=$(sed -n 's/^VmHWM:[^0-9]*\([0-9]*\) kB/\1/p' "/proc/$run/status" 2> /dev/null) && [ -n "$most" ]; do
        peak=$most
        sleep 0.1
    done
    wait "$run" || { cat "$work/progress" >&2; exit 1; }
    sed -n 's/^games  *//p' "$work/summary" | awk -v peak="$peak" '{ printf "%s: %.1f MiB at most\n", $0, peak / 1024 }'
}

all=${GAMES:-105}
measure $((all / 10))
measure "$all"
