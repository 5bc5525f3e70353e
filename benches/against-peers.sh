#!/bin/sh
# Games per second, in one run and in turn: the embedded player and Fairy-Stockfish at 1,000 nodes a move on Chess960,
# and Fairy-Stockfish on both sides at depth 4 from chess8400. Each program's median of all turns counts.
#
# Fairy-Stockfish is run by fastchess where that is on the path, and else by backrank.
#
#   benches/against-peers.sh                five turns of 60 games each, two games at a time
#   TURNS=3 GAMES=100 THREADS=1 benches/... others
#   BACKRANK="program" benches/...          another program with the same arguments
set -eu
cd "$(dirname "$0")/.."

turns=${TURNS:-5} games=${GAMES:-60} threads=${THREADS:-2}
engine=$(command -v fairy-stockfish || echo /usr/games/fairy-stockfish)
if [ ! -x "$engine" ]; then
    echo "fairy-stockfish is not installed (apt-get install fairy-stockfish); nothing compared" >&2
    exit 0
fi
if [ -z "${BACKRANK:-}" ]; then
    cargo build --release --quiet
    BACKRANK=target/release/backrank
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Seconds of a command, of the clock and of the processor, added to the lines of a file.
note() {
    name=$1
    shift
    /usr/bin/env bash -c 'TIMEFORMAT="%R %U %S"; time "$@"' timed "$@" > "$work/out" 2> "$work/err" || {
        cat "$work/out" "$work/err" >&2
        exit 1
    }
    tail -n 1 "$work/err" | awk '{ print $1, $2 + $3 }' >> "$work/$name"
}

# What each turn plays: other setups from turn to turn, the same ones for all programs.
ours() {
    name=$1 variant=$2
    shift 2
    # shellcheck disable=SC2086
    note "$name" $BACKRANK play "$variant" -o "$work/$name-$turn" --setups "random:$games" --seed "$turn" \
        --threads "$threads" "$@"
}

fastchess_games() {
    $BACKRANK random chess960 -n "$games" --seed "$turn" --format fen | cut -d " " -f 1-6 > "$work/openings.epd"
    note "$1" fastchess -engine cmd="$engine" name=one -engine cmd="$engine" name=two \
        -each nodes=1000 option.Hash=16 -variant fischerandom -rounds "$games" -games 1 -concurrency "$threads" \
        -openings file="$work/openings.epd" format=epd order=sequential
}

if command -v fastchess > /dev/null; then
    peer="fairy-stockfish by fastchess"
else
    peer="fairy-stockfish by backrank"
    echo "fastchess is not on the path: backrank runs fairy-stockfish in its place" >&2
fi
for turn in $(seq "$turns"); do
    ours embedded chess960 --nodes 1000
    case $peer in
        *fastchess) fastchess_games peer ;;
        *) ours peer chess960 --nodes 1000 --engine "$engine" --hash 16 ;;
    esac
    ours depth4 chess8400 --depth 4 --engine "$engine"
done

# The median of games per second of the clock, and of the processor on one core.
rate() {
    awk -v games="$games" -v column="$2" '{ print games / $column }' "$work/$1" | sort -n \
        | sed -n "$(((turns + 1) / 2))p"
}
row() {
    printf '%-52s %12.1f %24.1f\n' "$1" "$(rate "$2" 1)" "$(rate "$2" 2)"
}
printf '%-52s %12s %24s\n' "" "games/s" "games/s of processor"
row "chess960, 1,000 nodes, embedded player" embedded
row "chess960, 1,000 nodes, $peer" peer
row "chess8400, depth 4, fairy-stockfish by backrank" depth4
ratio() {
    awk -v ours="$(rate embedded "$1")" -v theirs="$(rate peer "$1")" 'BEGIN { printf "%.1f", ours / theirs }'
}
echo "the embedded player plays $(ratio 1) times as many games a second as its peer, $(ratio 2) times of processor time"
