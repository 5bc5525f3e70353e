#!/usr/bin/env bash
# How much it costs that the engine takes a piece for more or less than it is worth: pieces of Chess960 play against themselves under
# another letter, with another value. There is no castling, because a rook under another letter is no partner.
#
#     benches/misvalued.sh DIR [PAIRS]
#
# Prints what the side with the other letter gains, in Elo, for each piece and share of its value; and what a wazir measures by
# `backrank value` that the engine takes for so many centipawns. Run it again to continue.
set -euo pipefail
cd "$(dirname "$0")/.."

work=${1:?where to? benches/misvalued.sh DIR [PAIRS]}
pairs=${2:-800}
backrank=${BACKRANK:-target/release/backrank}
mkdir -p "$work"

# A game in which a piece X moves as another one, and is worth a share of it.
game() {
    awk -v piece="$1" -v share="$2" '
        /^\[castling\]/ { exit }
        $1 == piece && match($0, /value = [0-9]+/) {
            value = int(substr($0, RSTART + 8, RLENGTH - 8) * share / 100 + 0.5)
            print "X = { name = \"other\", betza = \"" piece "\", value = " value " }"
        }
        { print }' rules/variants/chess960.toml
}

echo "piece  share  Elo (95 %)"
for piece in N B R Q; do
    replaced="2$piece=2X"
    [ "$piece" != Q ] || replaced="Q=X"
    for share in 80 120; do
        here=$work/$piece-$share
        game "$piece" "$share" > "$work/$piece-$share.toml"
        "$backrank" -q play "$work/$piece-$share.toml" --replace "$replaced" --setups "random:$pairs" --nodes 1000 --seed 7 \
            --no-moves -o "$here" > "$here.txt"
        "$backrank" -q values "$here" --json | python3 -c "
import json, sys
match = json.load(sys.stdin)['imbalances']['imbalances'][0]
sign = 1 if match['odds'].split(':')[0].endswith('X') else -1
ends = sorted(sign * match['elo'][end] for end in ('low', 'high'))
print('$piece      %3d %%  %+.0f (%+.0f to %+.0f)' % ($share, sign * match['elo']['value'], *ends))"
    done
done

echo "wazir, centipawns  value with N=3.25 (95 %)"
for centipawns in 80 154 250 350; do
    awk -v value="$centipawns" '
        $1 == "N" { print "X = { name = \"wazir\", betza = \"W\", value = " value " }" }
        { print }' rules/variants/chess960.toml > "$work/wazir-$centipawns.toml"
    "$backrank" -q value X --on "$work/wazir-$centipawns.toml" --games 1000 --seed 3 -o "$work/wazir-$centipawns" --json | python3 -c "
import json, sys
value = json.load(sys.stdin)['values'][0]['value']
print('               %3d  %.2f (%.2f to %.2f)' % ($centipawns, value['value'], value['low'], value['high']))"
done
