#!/usr/bin/env bash
# Makes the networks of this folder from nothing but the engine's own games, in a folder that is given:
#
#     selfplay/nets/make.sh DIR [GAME...]
#     SHARE=0.01 selfplay/nets/make.sh DIR      a hundredth of the games
#
# A first net of pmrc learns from games that the weights play. With it the engine plays more games, some with material missing,
# and the net of pmrc learns from all of them. That of chess960 learns from games of the weights alone. It takes three hours on
# two cores. What is there already is not made again: run it again to continue. The same program gives the same files.
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

games() {
    local game=$1 study=$work/$1/$2
    shift 2
    mkdir -p "$(dirname "$study")"
    "$backrank" -q play "$game" -o "$study" --scores --opening-plies 6 --margin 120 --balance 300 "$@" > /dev/null
}

train() {
    local net=$work/$1
    shift
    [ -e "$net" ] || "$backrank" train "$@" -o "$net" --lambda 0.5 --epochs 6
}

make_pmrc() {
    games pmrc first/deep --setups "random:$(share_of 60000)" --nodes 500 --seed 101 --net none
    games pmrc first/quick --setups "random:$(share_of 54000)" --nodes 200 --seed 102 --net none
    train pmrc-first.net "$work"/pmrc/first/*
    local by_net=(--nodes 200 --seed 103 --net "$work/pmrc-first.net") odds
    games pmrc second/even --setups "random:$(share_of 240000)" "${by_net[@]}"
    for odds in P:- 2P:- 4P:- 6P:- N:- B:- R:- M:- Q:- N:B B:2P N:3P R:N R:B+P M:R M:Q Q:R Q:2R M:N+B 2N:R; do
        games pmrc "second/${odds/:/-}" --odds "$odds" --games "$(share_of 1200)" "${by_net[@]}"
    done
    train pmrc.net "$work"/pmrc/first/* "$work"/pmrc/second/*
}

make_chess960() {
    games chess960 games --setups "random:$(share_of 120000)" --nodes 200 --seed 104 --net none
    train chess960.net "$work"/chess960/games
}

for game in ${*:-pmrc chess960}; do
    case $game in
        pmrc | chess960) "make_$game" ;;
        *)
            echo "no net is made for \`$game\`: there is pmrc and chess960" >&2
            exit 2 ;;
    esac
done
