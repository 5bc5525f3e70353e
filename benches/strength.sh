#!/bin/sh
# The engine against Debian's fairy-stockfish (NNUE off, one thread, 16 MB hash) on 100 chess8400 setups drawn with seed 1:
# nodes per second from these setups, a match at 10,000 nodes a move, and a match at 100 ms a move, each setup twice with
# colours reversed. Then matches of 200 games on the clock, 2 s and 0.02 s a move: chess960, and Modern Chess without its
# adjustment, which the other engine does not know.
#
#   benches/strength.sh                   all of it
#   benches/strength.sh speed nodes       some of: speed nodes time clock modern
#   THREADS=2 benches/strength.sh         games at a time in the matches; at most one a core, or time is not equal
#   OPPONENT="program" DIR=folder         another UCI engine, such as that of native-fairy-stockfish.sh; where the studies
#                                         are kept
set -eu
cd "$(dirname "$0")/.."

opponent=${OPPONENT:-fairy-stockfish}
threads=${THREADS:-1}
if ! command -v "${opponent%% *}" >/dev/null && [ ! -x "/usr/games/${opponent%% *}" ]; then
    echo "$opponent is not installed (apt-get install fairy-stockfish); nothing measured" >&2
    exit 0
fi
if [ -z "${BACKRANK:-}" ]; then
    cargo build --release --quiet
    BACKRANK=target/release/backrank
fi
if [ -z "${DIR:-}" ]; then
    DIR=$(mktemp -d)
    trap 'rm -rf "$DIR"' EXIT
fi

# The folder of the study, the game, and more options.
play() {
    name=$1
    game=$2
    shift 2
    $BACKRANK play "$game" -o "$DIR/$name" --seed 1 --pairs --hash 16 --white builtin --black "$opponent" "$@"
}

match() {
    name=$1
    shift
    play "$name" chess8400 --setups random:100 --opening-plies 0 "$@"
}

for part in ${*:-speed nodes time clock modern}; do
    case $part in
        speed)
            printf '\n== nodes per second: one move of each from each of the 100 setups, 1,000,000 nodes\n\n'
            match speed --nodes 1000000 --max-plies 1 --threads 1 ;;
        nodes)
            printf '\n== 10,000 nodes a move\n\n'
            match nodes --nodes 10000 --threads "$threads" ;;
        time)
            printf '\n== 100 ms a move\n\n'
            match time --time 100 --threads "$threads" ;;
        clock)
            printf '\n== 2 s and 0.02 s a move: chess960\n\n'
            play chess960 chess960 --setups random:100 --tc 2+0.02 --threads "$threads" ;;
        modern)
            printf '\n== 2 s and 0.02 s a move: Modern Chess without adjustment\n\n'
            awk '/^\[adjustment\]/ { exit } { print }' rules/variants/modern.toml > "$DIR/modern.toml"
            play modern "$DIR/modern.toml" --games 200 --tc 2+0.02 --threads "$threads" ;;
        *)
            echo "no part \`$part\`: there is speed, nodes, time, clock and modern" >&2
            exit 2 ;;
    esac
done
