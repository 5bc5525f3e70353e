#!/usr/bin/env bash
# Measures the pieces of pieces.csv in the places of those of a game, one after the other.
#
#     data/pieces-2026/make.sh DIR [ROUNDS] [GAME...]
#
# DIR gets the games: in a first round 600 of each piece, and 900 in a second one (ROUNDS is 1 or 2, which is usual), a fifth of them in a
# pilot; and GAME.csv with the results of all that are measured so far in that game. The games are chess960, capablanca-random and pmrc;
# `later`, which is chess960 where neither side has some pieces, in one round only; and `anchor`, the matches by which the values of chess's
# pieces are known there. All are played unless some are named. Run it again to continue. The same program gives the same games; those of
# this folder are by earlier ones, which played 600 games after a pilot of 120 from the same setups, whose results are in `pilots`.
set -euo pipefail
cd "$(dirname "$0")/../.."

work=${1:?where to? data/pieces-2026/make.sh DIR [ROUNDS] [GAME...]}
rounds=${2:-2}
boards=("${@:3}")
[ ${#boards[@]} -gt 0 ] || boards=(chess960 capablanca-random pmrc anchor later)
backrank=${BACKRANK:-target/release/backrank}
data=data/pieces-2026
games=(600 900)
# What neither side has later.
without=R+B+N+2P
anchor="P:- 3P:- N:3P B:3P N:B R:N+2P R:B+2P B+N:R+P B+N:R+3P Q:R+4P Q:R+B+P Q:R+N+2P Q:B+N+3P Q:R+B+N Q:R+B+3P Q:R+N+4P Q:B+N+5P
    R:B+3P N:4P"

# The directory of a piece, but for its round.
directory() {
    echo "$1/$(tr -c 'A-Za-z0-9\n' - <<< "$2")"
}

# The results of all pieces that are measured so far, those of both rounds of a piece one after the other, under one heading.
gather() {
    local measured=()
    while IFS=, read -r betza _; do
        for part in "$(directory "$1" "$betza")"-[12]/pairs.csv; do
            [ ! -e "$part" ] || measured+=("$part")
        done
    done < "$data/pieces.csv"
    awk 'FNR > 1 || NR == 1' "${measured[@]}"
}

# What a side lacks of an imbalance, and what neither has.
lacking() {
    [ "$1" = - ] && echo "$without" || echo "$1+$without"
}

# The matches by which the values of chess's pieces are known where neither side has some.
play_anchor() {
    local seed=7000 odds
    for odds in $anchor; do
        seed=$((seed + 1))
        "$backrank" play chess960 -q -o "$work/anchor/${odds/:/-}" --odds "$(lacking "${odds%:*}"):$(lacking "${odds#*:}")" \
            --setups random:300 --pairs --nodes 1000 --seed "$seed" --no-moves > /dev/null
    done
    "$backrank" values "$work/anchor" --pairs "$work/anchor.csv" > /dev/null
}

for board in "${boards[@]}"; do
    case $board in
        anchor) play_anchor && continue ;;
        later) game=chess960 last=1 first_seed=2000 options=(--without "$without") ;;
        *) game=$board last=$rounds first_seed=0 options=() ;;
    esac
    mkdir -p "$work/$board"
    for round in $(seq "$last"); do
        seed=$((first_seed + 1000 * (round - 1)))
        while IFS=, read -r betza _ on; do
            seed=$((seed + 1))
            # The first line has the headings.
            [[ $betza != betza && " $on " == *" $game "* ]] || continue
            piece=$(directory "$work/$board" "$betza")-$round
            if [ ! -e "$piece.json" ]; then
                "$backrank" -q value "X=$betza" --on "$game" "${options[@]}" --games "${games[round - 1]}" --seed "$seed" -o "$piece" \
                    --json > "$piece.unfinished"
                mv "$piece.unfinished" "$piece.json"
            fi
            gather "$work/$board" > "$work/$board.csv"
        done < "$data/pieces.csv"
    done
done
