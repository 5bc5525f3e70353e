#!/usr/bin/env bash
# What a strong piece gains where its side has no queen: pieces of Chess960 under another letter, by matches that are fixed beforehand,
# where those of `backrank value` are chosen by the results of earlier ones.
#
#     benches/beside-queen.sh DIR [GAMES]
#
# Prints how far ahead the side with the piece is, in Elo: in the place of its queen, while the opponent has one and a knight less; in the
# place of a knight for two pawns or a rook, both sides having queens; and the same where neither has. Run it again to continue.
set -euo pipefail
cd "$(dirname "$0")/.."

work=${1:?where to? benches/beside-queen.sh DIR [GAMES]}
games=${2:-400}
backrank=${BACKRANK:-target/release/backrank}
mkdir -p "$work"

match() {
    local here=$work/$1-$2
    [ -e "$here.txt" ] || "$backrank" -q play chess960 --piece "X=$1" --replace "$3" --games "$games" --nodes 1000 --seed 77 --no-moves \
        -o "$here" > "$here.unfinished"
    [ -e "$here.txt" ] || mv "$here.unfinished" "$here.txt"
    "$backrank" -q values "$here" --json | python3 -c "
import json, sys
match = json.load(sys.stdin)['imbalances']['imbalances'][0]
elo = match['elo']
ends = [elo['value'], elo['low'], elo['high']]
if 'X' not in match['odds'].split(':')[0]:
    ends = [-elo['value'], -elo['high'], -elo['low']]
print('  {:+4.0f} ({:+4.0f} to {:+4.0f})'.format(*ends), end='')"
}

echo "piece       in its place         both have queens             neither has"
for piece_price in R/2P RF/2P BN/R Q/R; do
    piece=${piece_price%/*} price=${piece_price#*/}
    printf "%-5s" "$piece"
    match "$piece" place "Q=X:N"
    match "$piece" both "N=X+$price:-"
    match "$piece" neither "N=X+Q+$price:Q"
    echo
done
