#!/bin/sh
# Plays the games that the curves of expected scores are fitted to, in a folder that is given, and writes the curves there, for
# selfplay/src/atlas/expected-score.toml:
#
#   data/atlas/make-curve.sh /tmp/curve
#
# Run it again after an interruption to go on.
set -eu
out=${1:?where to? data/atlas/make-curve.sh DIR}
backrank=${BACKRANK:-backrank}
case $backrank in */*) backrank=$(realpath "$backrank") ;; esac
games="pmrc chess960 chess8400 modern capablanca-random mmcc"
studies=
for game in $games; do
    $backrank play "$game" -o "$out/$game" --setups "random:${GAMES:-1000}" --seed 5 --nodes 1000 --scores --net none
    studies="$studies $out/$game"
done
# Another engine's centipawns mean something else.
if command -v stockfish > /dev/null || [ -x /usr/games/stockfish ]; then
    $backrank play chess960 -o "$out/by-stockfish" --setups random:600 --shard 0..300 --seed 5 --nodes 1000 --scores \
        --engine stockfish --option "Use NNUE=true"
    studies="$studies $out/by-stockfish"
fi
# shellcheck disable=SC2086 # A list of folders.
cargo run --quiet --release --locked -p backrank-analysis --example expected-score -- $studies > "$out/expected-score.toml"
