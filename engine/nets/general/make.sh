#!/usr/bin/env bash
# Makes engine/nets/general.net from nothing, in a folder that is given: half an hour on two cores, and 2 GB.
#
#     pip install -r engine/nets/general/requirements.txt
#     engine/nets/general/make.sh DIR
#
# The weights play 200 games of each of 500 random games and of all games of the catalogue, and 300 of each game that is kept to test
# what comes out on. What is there already is not made again; the same program gives the same bytes.
set -euo pipefail
cd "$(dirname "$0")/../../.."
work=${1:?where to? engine/nets/general/make.sh DIR}
positions() { cargo run --release --locked -p backrank-selfplay --example general-net -- positions "$work" "$@"; }
positions 300 200 0 random:9001-9012 held-out:1-12
positions 200 200 0 random:1-500 catalogue
engine/nets/general/train.py "$work" -o "$work/general.net" --on weights --weights-part 0.5 --results-part 0.7 --games 8 --positions 6144 \
    --steps 300 --rate 0.001
