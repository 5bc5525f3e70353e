#!/usr/bin/env bash
# Makes the networks of this folder from nothing but the engine's own games, in a folder that is given:
#
#     engine/nets/make.sh DIR [GAME...]
#     SHARE=0.01 engine/nets/make.sh DIR      a hundredth of the games
#
# For each game a first net learns from games that the weights play. With it the engine plays more games, half of them after
# only 2 random plies, and some with material missing, and the net learns from all of them. It takes hours. What is there already
# is not made again: run it again to continue. The same program gives the same files.
#
# The shipped nets of pm-random and capablanca-random were made by these steps. Those of chess960 and pmrc were made while the
# program and the steps still changed, and so differ: that of chess960 learnt from no games at odds, and that of pmrc from none
# after 2 random plies, and its first net had 256 neurons, twice as many as a net has now.
set -euo pipefail
cd "$(dirname "$0")/../.."

# Each of these games stands for all that have its pieces on its board. What a side starts without in games at odds, and what
# the other does:
declare -A odds
odds[pmrc]="P:- 2P:- 4P:- 6P:- N:- B:- R:- M:- Q:- N:B B:2P N:3P R:N R:B+P M:R M:Q Q:R Q:2R M:N+B 2N:R"
odds[pm-random]=${odds[pmrc]}
odds[chess960]="P:- 2P:- 4P:- 6P:- N:- B:- R:- 2N:- 2R:- Q:- N:B B:2P N:3P R:N R:B+P Q:R Q:2R Q:2B Q:N+B 2N:R"
odds[icrc]=${odds[chess960]}
odds[capablanca-random]="P:- 2P:- 4P:- 6P:- N:- B:- R:- A:- C:- Q:- N:B B:2P N:3P R:N R:B+P A:C C:Q Q:2R A:N+B 2N:R"
odds[mmcc]="P:- 2P:- 4P:- 6P:- N:- B:- R:- M:- E:- 2N:- N:B B:2P N:3P R:N R:B+P M:N E:M N:E R:2E 2N:R"

work=${1:?where to? engine/nets/make.sh DIR [GAME...]}
shift
backrank=${BACKRANK:-target/release/backrank}
share=${SHARE:-1}

# That share of a number of games: an even number, for games at odds are played in pairs.
share_of() { awk -v games="$1" -v share="$share" 'BEGIN { pairs = int(games * share / 2); print pairs ? 2 * pairs : 2 }'; }

# games PART OPTION...: plays a part of the games of $game.
games() {
    local study=$work/$game/$1
    shift
    mkdir -p "$(dirname "$study")"
    "$backrank" -q play "$game" -o "$study" --scores --nodes 200 --margin 120 --balance 300 "$@" > /dev/null
}

# train NET PART...: makes a net of such parts of the games of $game.
train() {
    local net=$work/$1.net
    shift
    [ -e "$net" ] || "$backrank" train "${@/#/$work/$game/}" -o "$net" --lambda 0.5 --epochs 6
}

make_net() {
    local game=$1 parts=(even after-2-plies) imbalance
    games by-weights --setups "random:$(share_of 120000)" --opening-plies 6 --seed 1 --net none
    train "$game-first" by-weights
    local by_net=(--net "$work/$game-first.net")
    games even --setups "random:$(share_of 120000)" --opening-plies 6 --seed 2 "${by_net[@]}"
    games after-2-plies --setups "random:$(share_of 120000)" --opening-plies 2 --seed 3 "${by_net[@]}"
    for imbalance in ${odds[$game]}; do
        games "${imbalance/:/-}" --odds "$imbalance" --games "$(share_of 1200)" --opening-plies 6 --seed 4 "${by_net[@]}"
        parts+=("${imbalance/:/-}")
    done
    train "$game" by-weights "${parts[@]}"
}

for game in ${*:-pmrc chess960 pm-random capablanca-random mmcc icrc}; do
    if [ -z "${odds[$game]:-}" ]; then
        echo "no net is made for \`$game\`, but for: ${!odds[*]}" >&2
        exit 2
    fi
    make_net "$game"
done
