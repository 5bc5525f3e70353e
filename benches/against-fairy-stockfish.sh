#!/bin/sh
# Perft against Debian's fairy-stockfish, one thread each, in one run: nodes per second of processor time and the ratio.
#
#   benches/against-fairy-stockfish.sh            all four games
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

nodes() {
    sed -n 's/^Nodes searched: //p' "$work/out"
}

printf '%-32s %13s %18s %18s %7s\n' game nodes "backrank nodes/s" "fairy nodes/s" ratio
compare() {
    variant=$1 rank=$2 depth=$3 option=$4 theirs=$5 fen=$6
    # shellcheck disable=SC2086
    our_time=$(seconds $BACKRANK "$variant" "$rank" --depth "$depth" --threads 1 $option)
    our_nodes=$(nodes)
    cat > "$work/commands" <<UCI
setoption name VariantPath value $work/variants.ini
setoption name UCI_Chess960 value true
setoption name UCI_Variant value $theirs
position fen $fen
go perft $depth
quit
UCI
    their_time=$(seconds sh -c "'$engine' < '$work/commands'")
    their_nodes=$(nodes)
    if [ "$our_nodes" != "$their_nodes" ]; then
        echo "$variant $rank: backrank counts $our_nodes, fairy-stockfish $their_nodes" >&2
        exit 1
    fi
    awk -v game="$variant $option depth $depth" -v nodes="$our_nodes" -v ours="$our_time" -v theirs="$their_time" \
        'BEGIN { printf "%-32s %13d %15.1f M %15.1f M %7.1f\n", game, nodes, nodes / ours / 1e6, nodes / theirs / 1e6, theirs / ours }'
}

compare modern RNBMKQBNR 6 --no-adjustment backrank9x9 \
    "rnbqkmbnr/ppppppppp/9/9/9/9/9/PPPPPPPPP/RNBMKQBNR w AIai - 0 1"
compare chess8400 NQRKMBNRB 6 "" backrank9x9 \
    "nqrkmbnrb/ppppppppp/9/9/9/9/9/PPPPPPPPP/NQRKMBNRB w CHch - 0 1"
compare chess960 RNBQKBNR 6 "" chess "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1"
compare capablanca84000 RNABQKBCNR 5 "" backrank10x8 \
    "rnabqkbcnr/pppppppppp/10/10/10/10/PPPPPPPPPP/RNABQKBCNR w AJaj - 0 1"
