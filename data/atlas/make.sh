#!/bin/sh
# Makes the atlases of this folder again, in a folder that is given; one program, the same bytes on every machine:
#
#   data/atlas/make.sh /tmp/again
#   BACKRANK=target/release/backrank NODES=5000 data/atlas/make.sh /tmp/again
#
# Run it again after an interruption to go on.
set -eu
out=${1:?where to? data/atlas/make.sh DIR}
backrank=${BACKRANK:-backrank}
case $backrank in */*) backrank=$(realpath "$backrank") ;; esac
mkdir -p "$out"
cd "$out"

# Its folder, its game, its nodes unless NODES says otherwise, and more options. One that is complete is packed, and not made again.
atlas() {
    folder=$1 game=$2 nodes=${NODES:-$3}
    shift 3
    [ -e "$folder/atlas.csv.gz" ] && return
    $backrank atlas "$game" -o "$folder" --nodes "$nodes" "$@"
    gzip -9n "$folder/atlas.csv"
}

atlas chess960 chess960 200000
atlas chess960/repeat chess960 150000 --setups random:80 --best-moves 3
atlas chess8400 chess8400 30000
atlas capablanca-random capablanca-random 20000
atlas capablanca-random/repeat capablanca-random 15000 --setups random:400 --best-moves 3
atlas pmrc pmrc 20000

# By Debian's Stockfish 15.1, whose rows are the same on every machine, too.
if command -v stockfish > /dev/null || [ -x /usr/games/stockfish ]; then
    atlas chess960-stockfish chess960 1000000 --engine stockfish --best-moves 2
    atlas chess960-stockfish/repeat chess960 1000000 --engine stockfish --best-moves 3 --hash 8 --setups random:80
fi
