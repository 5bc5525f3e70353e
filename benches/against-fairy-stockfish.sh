#!/bin/sh
# Perft against Debian's fairy-stockfish, one thread each, in one run: nodes per second of processor time and the ratio.
#
# The two programs take turns, and each one's median counts. What a program needs for depth 1, starting and building
# its tables, is taken off: the shortest of as many runs.
#
#   benches/against-fairy-stockfish.sh            all four games, three turns each
#   TURNS=5 benches/...                           more turns
#   BACKRANK="program perft" benches/...          another program with the same arguments
set -eu
cd "$(dirname "$0")/.."

engine=$(command -v fairy-stockfish || echo /usr/games/fairy-stockfish)
if [ ! -x "$engine" ]; then
    echo "fairy-stockfish is not installed (apt-get install fairy-stockfish); nothing compared" >&2
    exit 0
fi
if [ -z "${BACKRANK:-}" ]; then
    cargo build --release --quiet
    BACKRANK="target/release/backrank perft"
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# Chess8400 is Maura's board and pieces with the castling of Chess960; so is any shuffled first rank on ten files.
cat > "$work/variants.ini" <<'INI'
[backrank9x9:modern]
chess960 = true
castling = true
castlingKingsideFile = g
castlingQueensideFile = c

[backrank10x8:capablanca]
chess960 = true
castling = true
castlingKingsideFile = i
castlingQueensideFile = c
INI

# Processor seconds of a command that writes to $work/out.
seconds() {
    { /usr/bin/env bash -c 'TIMEFORMAT="%U %S"; time "$@"' timed "$@" > "$work/out" 2> "$work/err"; } || {
        cat "$work/err" >&2
        exit 1
    }
    tail -n 1 "$work/err" | awk '{ print $1 + $2 }'
}

# Perft by each program, to a depth: prints processor seconds, leaves the output in $work/out.
ours() {
    # shellcheck disable=SC2086
    seconds $BACKRANK "$variant" "$rank" --depth "$1" --threads 1 $option
}

theirs() {
    cat > "$work/commands" <<UCI
setoption name VariantPath value $work/variants.ini
setoption name UCI_Chess960 value true
setoption name UCI_Variant value $their_variant
position fen $fen
go perft $1
quit
UCI
    seconds sh -c "'$engine' < '$work/commands'"
}

# The nodes a program counted, added to the others of this game: each line should be the same.
note_nodes() {
    sed -n "s/^Nodes searched: //p" "$work/out" >> "$work/nodes"
}

least() { sort -n "$1" | head -n 1; }
median() { sort -n "$1" | sed -n "$(((turns + 1) / 2))p"; }

turns=${TURNS:-3}
printf '%-32s %13s %18s %18s %7s\n' game nodes "backrank nodes/s" "fairy nodes/s" ratio
compare() {
    variant=$1 rank=$2 depth=$3 option=$4 their_variant=$5 fen=$6
    rm -f "$work"/nodes "$work"/*.times
    for turn in $(seq "$turns"); do
        ours 1 >> "$work/our-start.times"
        theirs 1 >> "$work/their-start.times"
        ours "$depth" >> "$work/our.times"
        note_nodes
        theirs "$depth" >> "$work/their.times"
        note_nodes
    done
    if [ "$(sort -u "$work/nodes" | wc -l)" != 1 ]; then
        echo "$variant $rank: backrank and fairy-stockfish count in turn" $(cat "$work/nodes") >&2
        exit 1
    fi
    awk -v game="$variant $option depth $depth" -v nodes="$(head -n 1 "$work/nodes")" \
        -v our_start="$(least "$work/our-start.times")" -v their_start="$(least "$work/their-start.times")" \
        -v ours="$(median "$work/our.times")" -v theirs="$(median "$work/their.times")" \
        'BEGIN {
            ours -= our_start; theirs -= their_start
            printf "%-32s %13d %15.1f M %15.1f M %7.1f\n", game, nodes, nodes / ours / 1e6, nodes / theirs / 1e6, theirs / ours
        }'
}

compare modern RNBMKQBNR 6 --no-adjustment backrank9x9 \
    "rnbqkmbnr/ppppppppp/9/9/9/9/9/PPPPPPPPP/RNBMKQBNR w AIai - 0 1"
compare chess8400 NQRKMBNRB 6 "" backrank9x9 \
    "nqrkmbnrb/ppppppppp/9/9/9/9/9/PPPPPPPPP/NQRKMBNRB w CHch - 0 1"
compare chess960 RNBQKBNR 6 "" chess "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1"
compare capablanca84000 RNABQKBCNR 5 "" backrank10x8 \
    "rnabqkbcnr/pppppppppp/10/10/10/10/PPPPPPPPPP/RNABQKBCNR w AJaj - 0 1"
