#!/usr/bin/env bash
# Makes the networks of this folder from nothing but the engine's own games, in a folder that is given:
#
#     selfplay/nets/make.sh DIR [GAME...]
#
# A first net learns from games that the weights play. With it the engine plays more games of pmrc, and with material
# missing, and the net of pmrc learns from all of them. That of chess960 learns from games of the weights alone. It takes
# three hours on two cores. What is there already is not made again: run it again to continue. The same program gives the
# same files.
#
# The nets that are shipped were made in these steps while the program changed: the games of pmrc with a net were played
# with a first net of 256 neurons, twice as many as a net has now.
set -euo pipefail
cd "$(dirname "$0")/../.."

work=${1:?where to? selfplay/nets/make.sh DIR [GAME...]}
shift
backrank=${BACKRANK:-target/release/backrank}

games() {
    game=$1
    folder=$work/$game/$2
    shift 2
    mkdir -p "$(dirname "$folder")"
    "$backrank" -q play "$game" -o "$folder" --scores --opening-plies 6 --margin 120 --balance 300 "$@" > /dev/null
}

train() {
    net=$work/$1
    shift
    [ -e "$net" ] || "$backrank" train "$@" -o "$net" --lambda 0.5 --epochs 6
}

for game in ${*:-pmrc chess960}; do
    case $game in
        pmrc)
            folder=$work/pmrc
            games pmrc first/500-nodes --games 4 --nodes 500 --seed 101 --net none
            games pmrc first/200-nodes --games 24 --nodes 200 --seed 103 --shard 0..52909 --net none
            train pmrc-first.net "$folder"/first/*
            second=(--nodes 200 --net "$work/pmrc-first.net")
            games pmrc second/one --games 24 --seed 104 --shard 0..120103 "${second[@]}"
            games pmrc second/two --setups 4950..15120 --games 12 --seed 105 "${second[@]}"
            for odds in P:- 2P:- 4P:- 6P:- N:- B:- R:- M:- Q:- N:B B:2P N:3P R:N R:B+P M:R M:Q Q:R Q:2R M:N+B 2N:R; do
                games pmrc "second/$odds" --odds "$odds" --games 1200 --seed 106 "${second[@]}"
            done
            train pmrc.net "$folder"/first/* "$folder"/second/* ;;
        chess960)
            games chess960 games --games 125 --nodes 200 --seed 107 --net none
            train chess960.net "$work"/chess960/games ;;
        *)
            echo "no net is made for \`$game\`: there is pmrc and chess960" >&2
            exit 2 ;;
    esac
done
