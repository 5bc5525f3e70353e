#!/usr/bin/env bash
# Measures what pieces are worth, for the values in the variants' files: by networks of imbalances, one for each board.
#
#     selfplay/tune/values.sh DIR [VARIANT...]
#
# Each round plays a network with the values so far, other setups and openings each time, and takes the values that come out
# for the next round; a rook keeps its value. It ends when no value moves by more than half of its interval, or after ROUNDS
# rounds. DIR/VARIANT.csv then has the rounds, and DIR/variants has the files of all variants on these boards with their last
# values, to be copied to rules/variants.
#
# What is there already is not made again: run it again to continue. The same program gives the same files.
set -euo pipefail
cd "$(dirname "$0")/../.."

work=${1:?where to? selfplay/tune/values.sh DIR [VARIANT...]}
shift
backrank=${BACKRANK:-target/release/backrank}
rounds=${ROUNDS:-3}
# The pairs of games of each imbalance in a round, and the nodes of a move.
pairs=${PAIRS:-300}
nodes=${NODES:-1000}

pawns="P:- 3P:-"
minor="N:3P B:4P R:B+2P R:N+3P 2N:B+3P 2B:R+3P"
queen="2R:Q+P Q:2N+4P Q:2B+4P Q:R+B+P"
declare -A network=(
    [chess960]="$pawns $minor $queen"
    [pm-random]="$pawns $minor $queen 2R:M+P M:R+4P M:R+B+P Q:M+2P"
    [pmrc]="$pawns $minor $queen 2R:M+P M:R+4P M:R+B+P Q:M+2P"
    [capablanca-random]="$pawns $minor $queen 2R:A+P A:R+4P C:R+4P C:A Q:C+P Q:A+2P"
    [icrc]="$pawns $minor $queen"
    [mmcc]="$pawns $minor M:3P M:N M:B E:3P M:E+P N:E+P 2E:R M+P:B"
)

# A variant's file with the values of a table: a rook as it is, the others in proportion.
with_values() {
    awk -F, -v OFS= -v said="# The values are measured by games: selfplay/tune/values.sh." '
        NR == FNR {
            for (i = 1; FNR == 1 && i <= NF; i++) column[$i] = i
            if ($column["method"] == "imbalances" && $column["at_ply"] == "") value[$column["piece"]] = $column["value"]
            next
        }
        /^R = .*value = / { match($0, /value = [0-9]+/); rook = substr($0, RSTART + 8, RLENGTH - 8) }
        { line[++lines] = $0 }
        END {
            for (i = 1; i <= lines; i++) {
                $0 = line[i]
                kind = substr($0, 1, 1)
                if (match($0, /value = [0-9]+/) && kind in value && substr($0, 2, 3) == " = ")
                    $0 = substr($0, 1, RSTART + 7) int(value[kind] * rook / 5 + 0.5) substr($0, RSTART + RLENGTH)
                if ($0 == "[pieces]" && line[i - 1] != said) print said
                if ($0 !~ /^value = / || section != "[pawn]") print
                if ($0 ~ /^\[/) section = $0
                if ($0 == "[pawn]") print "value = " int(value["P"] * rook / 5 + 0.5)
            }
        }' "$1" "$2"
}

mkdir -p "$work/variants"
for variant in ${*:-${!network[@]}}; do
    file=rules/variants/$variant.toml
    : > "$work/$variant.csv"
    for round in $(seq "$rounds"); do
        here=$work/$variant/$round
        mkdir -p "$here"
        cp "$file" "$here/$variant.toml"
        for odds in ${network[$variant]}; do
            "$backrank" -q play "$here/$variant.toml" --odds "$odds" --setups "random:$pairs" --seed "$round" --nodes "$nodes" --net none \
                --no-moves -o "$here/${odds/:/-}" > /dev/null
        done
        [ -e "$here/values.csv" ] || "$backrank" -q values "$here" --csv "$here/values.csv" > "$here/values.txt"
        with_values "$here/values.csv" "$here/$variant.toml" > "$work/$variant.toml"
        awk -v round="$round" '/^imbalances/ { print round "," $0 }' "$here/values.csv" >> "$work/$variant.csv"
        file=$work/$variant.toml
        # By how much of its interval's half each value has moved since the round before, at most.
        moved=$(awk -F, -v round="$round" '$1 == round - 1 { before[$4] = $6 }
            $1 == round && $7 != $8 { by = ($6 - before[$4]) / (($8 - $7) / 2); by = by < 0 ? -by : by; if (by > most) most = by }
            END { print (round > 1 ? most : "unknown") }' "$work/$variant.csv")
        echo "$variant, round $round: moved by $moved of half an interval at most"
        [ "$moved" = unknown ] || ! awk -v moved="$moved" 'BEGIN { exit !(moved < 1) }' || break
    done
    for other in rules/variants/*.toml; do
        if grep -q 'value = ' "$other" && diff -q <(grep -E '^(files|ranks) ' "$other") <(grep -E '^(files|ranks) ' "$file") > /dev/null; then
            with_values "$here/values.csv" "$other" > "$work/variants/${other##*/}"
        fi
    done
done
