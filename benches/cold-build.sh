#!/usr/bin/env bash
# How long commits take to build, and their tests, from nothing: each in a clean clone, one after the other.
#
#     benches/cold-build.sh DIR REV [REV…]
#
# Prints wall-clock and processor seconds. Let nothing else run meanwhile. DIR gets the clones, which can be removed afterwards.
set -euo pipefail
cd "$(dirname "$0")/.."

work=${1:?where to? benches/cold-build.sh DIR REV [REV…]}
shift
mkdir -p "$work"
work=$(cd "$work" && pwd)
for commit in "${@:?which commits?}"; do
    clone=$work/$commit
    rm -rf "$clone"
    git clone -q . "$clone"
    git -C "$clone" checkout -q "$commit"
    # Downloads are not counted.
    (cd "$clone" && cargo fetch -q --locked)
    for command in "build" "test --workspace --no-run"; do
        printf '%s  cargo %s: ' "$commit" "$command"
        # shellcheck disable=SC2086
        (cd "$clone" && TIMEFORMAT='%0R s, %0U s of processor time' && time cargo $command -q --release --locked 2>/dev/null)
    done
done
