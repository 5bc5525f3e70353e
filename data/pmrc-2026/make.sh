#!/bin/sh
# Makes the games and tables of this folder again, in a folder that is given; one program, the same bytes on every machine:
#
#   data/pmrc-2026/make.sh /tmp/again
#   BACKRANK=target/release/backrank data/pmrc-2026/make.sh /tmp/again
#
# It takes about half an hour on two cores. Run it again after an interruption to go on.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=${1:?where to? data/pmrc-2026/make.sh DIR}
backrank=${BACKRANK:-backrank}
case $backrank in */*) backrank=$(realpath "$backrank") ;; esac
mkdir -p "$out"
cd "$out"

# A study that is complete is packed, and not played again.
play() {
    game=$1
    study=$2
    shift 2
    [ -e "$study/games.csv.gz" ] && return
    $backrank play "$game" -o "$study" --seed 2026 "$@"
    gzip -9n "$study/games.csv"
}

# A match with a piece less on one side and nothing less on the other, or with one piece against another.
odds() {
    play "$1" "$2" --odds "$3" --games "$4" --nodes 500
}

# P-MRC as it was when the games were played first: without the numbering that was recovered later.
sed '/^# The page that explained/,/^$/d' "$here/../../rules/variants/pmrc.toml" > pmrc.toml

play pmrc.toml all --nodes 1000

# All values are divided by what a pawn is worth: that has to be known best.
odds pmrc.toml odds/P P:- 10000
for piece in N B R M Q; do
    odds pmrc.toml odds/$piece $piece:- 2000
done
odds pmrc.toml odds/M-Q M:Q 2000

# The same match by an engine that thinks a minister worth a fifth less, and a fifth more.
for side in low:792 high:1188; do
    mkdir -p "m-${side%:*}"
    sed "/^M = /s/value = 990/value = ${side#*:}/" pmrc.toml > "m-${side%:*}/pmrc.toml"
    odds "m-${side%:*}/pmrc.toml" "m-${side%:*}/M-Q" M:Q 2000
done

# Chess, whose values are known, by the same means.
odds chess chess/P P:- 10000
for piece in N B R Q; do
    odds chess chess/$piece $piece:- 2000
done
play chess chess/all --games 2000 --nodes 1000

$backrank values all odds/* --csv values.csv
$backrank values chess/* --csv chess-values.csv
$backrank setups all --csv setups.csv --features features.csv --adjustments adjustments.csv
$backrank verify --all --csv counts.csv
