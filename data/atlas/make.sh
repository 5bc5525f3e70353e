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

# Its game, and its nodes unless NODES says otherwise. One that is complete is packed, and not made again.
atlas() {
    [ -e "$1/atlas.csv.gz" ] && return
    $backrank atlas "$1" -o "$1" --nodes "${NODES:-$2}"
    gzip -9n "$1/atlas.csv"
}

atlas chess960 200000
atlas chess8400 30000
atlas capablanca-random 20000
atlas pmrc 20000
