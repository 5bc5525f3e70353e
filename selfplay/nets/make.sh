#!/usr/bin/env bash
# Makes the networks of this folder from nothing but the engine's own games, in a folder that is given:
#
#     selfplay/nets/make.sh DIR [GAME...]
#     SHARE=0.01 selfplay/nets/make.sh DIR      a hundredth of the games
#
# For each game a first net learns from games that the weights play. With it the engine plays more games, for pmrc some with
# material missing, for chess960 half of them after only 2 random plies, and the net learns from all of them. It takes three
# and a half hours on two cores. What is there already is not made again: run it again to continue. The same program gives the
# same files.
#
# The nets that are shipped are not the same to the byte. They were made in these steps while the program changed, from as many
# games of other setups, and the first net of pmrc had 256 neurons, twice as many as a net has now.
set -euo pipefail
cd "$(dirname "$0")/../.."

work=${1:?where to? selfplay/nets/make.sh DIR [GAME...]}
shift
backrank=${BACKRANK:-target/release/backrank}
share=${SHARE:-1}

# That share of a number of games: an even number, for games at odds are played in pairs.
share_of() { awk -v games="$1" -v share="$share" 'BEGIN { pairs = int(games * share / 2); print pairs ? 2 * pairs : 2 }'; }

# games GAME PART RANDOM_PLIES OPTION...
games() {
    local game=$1 study=$work/$1/$2 opening_plies=$3
    shift 3
    mkdir -p "$(dirname "$study")"
    "$backrank" -q play "$game" -o "$study" --scores --opening-plies "$opening_plies" --margin 120 --balance 300 "$@" \
        > /dev/null
}

train() {
    local net=$work/$1
    shift
    [ -e "$net" ] || "$backrank" train "$@" -o "$net" --lambda 0.5 --epochs 6
}

make_pmrc() {
    games pmrc first/deep 6 --setups "random:$(share_of 60000)" --nodes 500 --seed 101 --net none
    games pmrc first/quick 6 --setups "random:$(share_of 54000)" --nodes 200 --seed 102 --net none
    train pmrc-first.net "$work"/pmrc/first/*
    local by_net=(--nodes 200 --seed 103 --net "$work/pmrc-first.net") odds
    games pmrc second/even 6 --setups "random:$(share_of 240000)" "${by_net[@]}"
    for odds in P:- 2P:- 4P:- 6P:- N:- B:- R:- M:- Q:- N:B B:2P N:3P R:N R:B+P M:R M:Q Q:R Q:2R M:N+B 2N:R; do
        games pmrc "second/${odds/:/-}" 6 --odds "$odds" --games "$(share_of 1200)" "${by_net[@]}"
    done
    train pmrc.net "$work"/pmrc/first/* "$work"/pmrc/second/*
}

make_chess960() {
    games chess960 first/quick 6 --setups "random:$(share_of 120000)" --nodes 200 --seed 104 --net none
    train chess960-first.net "$work"/chess960/first/*
    local by_net=(--setups "random:$(share_of 130000)" --nodes 200 --net "$work/chess960-first.net")
    games chess960 second/short 2 "${by_net[@]}" --seed 105
    games chess960 second/long 6 "${by_net[@]}" --seed 106
    train chess960.net "$work"/chess960/first/* "$work"/chess960/second/*
}

for game in ${*:-pmrc chess960}; do
    case $game in
        pmrc | chess960) "make_$game" ;;
        *)
            echo "no net is made for \`$game\`: there is pmrc and chess960" >&2
            exit 2 ;;
    esac
done
