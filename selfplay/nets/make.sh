#!/usr/bin/env bash
# Makes the network of this folder again, from nothing but the engine's own games, in a folder that is given:
#
#     selfplay/nets/make.sh DIR
#
# The games take about an hour on two cores. What is there already is not made again: run it again to continue. The same
# program gives the same file.
set -euo pipefail
cd "$(dirname "$0")/../.."

work=${1:?where to? selfplay/nets/make.sh DIR}
backrank=${BACKRANK:-target/release/backrank}

games() {
    name=$1
    shift
    "$backrank" -q play pmrc -o "$work/$name" --scores --opening-plies 6 --margin 120 --balance 300 "$@" > /dev/null
}

games 500-nodes --games 4 --nodes 500 --seed 101
games 200-nodes --games 24 --nodes 200 --seed 103 --shard 0..52909
[ -e "$work/pmrc.net" ] || "$backrank" train "$work/500-nodes" "$work/200-nodes" -o "$work/pmrc.net" --lambda 0.5 --epochs 6
