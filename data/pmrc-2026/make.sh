#!/usr/bin/env bash
# Makes the games and tables of this folder again, in a folder that is given; the same program gives the same bytes on every
# machine and with any number of threads:
#
#   data/pmrc-2026/make.sh /tmp/again                 all of it: most of a day on two cores
#   data/pmrc-2026/make.sh /tmp/again network tables  some parts
#   BACKRANK=target/release/backrank GAMES=10 ...     another program; a tenth of the games
#
# Run it again after an interruption to go on. Games at odds are kept without their moves: play a study of the same options
# without --no-moves to have them.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
out=${1:?where to? data/pmrc-2026/make.sh DIR [PART...]}
shift
backrank=${BACKRANK:-backrank}
case $backrank in */*) backrank=$(realpath "$backrank") ;; esac
# The game with the values of pieces that were known before these games.
game=$here/pmrc.toml
percent=${GAMES:-100}
seed=2026
mkdir -p "$out"
cd "$out"

# The network that the engine plays by: none, except in the parts that say otherwise.
net=none
# Further options of matches.
options=

# The seed of a match: its own, so that no two matches draw the same setups and the same files of missing pawns, and their errors are
# independent.
seed_of() { echo $((seed * 10000000000 + $(printf %s "$1" | cksum | cut -d " " -f 1))); }

# A study that is complete is packed, and not played again.
play() {
    local variant=$1 study=$2
    shift 2
    [ -e "$study/games.csv.gz" ] && return
    "$backrank" play "$variant" -o "$study" --net "$net" "$@"
    gzip -9n "$study/games.csv"
    rm -f "$study/.lock"
}

# Matches at odds, each of so many pairs of games; a folder for each imbalance.
network() {
    local variant=$1 folder=$2 pairs=$(($3 * percent / 100)) nodes=$4 odds
    shift 4
    for odds in "$@"; do
        play "$variant" "$folder/${odds/:/-}" --odds "$odds" --setups "random:$pairs" --nodes "$nodes" --no-moves \
            --seed "$(seed_of "$folder/$odds")" $options
    done
}

# Imbalances that come out near even and connect all pieces, in many short matches: what an imbalance is off what values add up to
# (10 Elo) is nearly as much as the error of 500 games (15 Elo). imbalances.txt has all of two to four pieces, no more than three a side,
# and of up to four pawns that a smaller network (selfplay/tune/values.sh) predicted within 75 Elo of even, in random order.
# A few long matches come first, those of pawns against nothing among them, to see whether they add up.
long="P:- 2P:- 3P:- 4P:- N:3P B:4P B:N+P R:B+2P 2N:B+3P"
# The odds of single pieces, far from even: what a start without them costs.
single="N:- B:- R:- M:- Q:-"
# Some imbalances, where many networks are compared.
core="P:- 3P:- N:3P B:4P B:N+P R:B+2P 2N:B+3P 2B:R+3P R+B:2N+4P 2R:B+N+4P 2R:2B+3P 2R:M+P M+N:2R+3P 2R+N:Q+4P M:R+4P M:R+B+P
    Q:2N+4P Q:2B+4P Q:M+2P R+2B:Q+4P"
# The variant's file with another value of a kind: its own times a factor.
perturb() {
    awk -v kind="$1" -v factor="$2" 'match($0, /value = [0-9]+/) && ($1 == kind || (kind == "P" && /^value/)) {
        value = substr($0, RSTART + 8, RLENGTH - 8)
        $0 = substr($0, 1, RSTART + 7) int(value * factor + 0.5) substr($0, RSTART + RLENGTH)
    } { print }' "$game"
}

part_all() { play "$game" all --nodes 1000 --seed "$seed"; }

part_network() {
    network "$game" network 1000 1000 $long
    network "$game" network 250 1000 $(cat "$here/imbalances.txt")
}

# The whole network by the engine that `study` plays with, which evaluates positions by a neural network.
part_network_net() {
    local net=own
    network "$game" network-net 1000 1000 $long $single
    network "$game" network-net 250 1000 $(cat "$here/imbalances.txt")
}

# The same network by strength.
part_strength() {
    network "$game" strength/300 600 300 $core
    network "$game" strength/3000 240 3000 $core
    network "$game" strength/10000 90 10000 $core
    network "$game" strength/30000 40 30000 P:- 3P:- N:3P B:4P R:B+2P 2R:M+P M:R+B+P Q:2B+4P Q:M+2P
}

# The same by the engine with a neural network, at more nodes a move.
part_strength_net() {
    local net=own
    network "$game" strength-net/10000 250 10000 $core
    network "$game" strength-net/30000 250 30000 $core
}

# The same network from other openings: fewer or more random plies, and worse or only better ones.
part_openings() {
    local seed=2029 plies margin options
    for plies in 0 4 8 12; do
        options="--opening-plies $plies"
        network "$game" "openings/$plies" 120 1000 $core
    done
    for margin in 30 120; do
        options="--margin $margin"
        network "$game" "openings/margin-$margin" 120 1000 $core
    done
}

# The same network where the third occurrence of a position is no draw, and games are played on.
part_played_on() {
    local seed=2030
    mkdir -p played-on
    { cat "$game"; printf '\n[endings]\nrepetition = "none"\n'; } > played-on/pmrc.toml
    network played-on/pmrc.toml played-on 120 1000 $core
}

# The engine takes one kind to be worth a fifth more than the variant's file says: what comes out?
part_perturbed() {
    local kind value
    for kind in P N B R M Q; do
        mkdir -p "perturbed/$kind"
        perturb "$kind" 1.2 > "perturbed/$kind/pmrc.toml"
        network "perturbed/$kind/pmrc.toml" "perturbed/$kind" 160 1000 $core
    done
}

# The game of the catalogue, in which pieces are worth what came out of `network`, from other setups: does the same come out again?
part_again() {
    local seed=2027
    network pmrc again 300 1000 $core
}

# The same by an engine that evaluates positions by a neural network, and so takes pieces to be worth nothing in particular.
part_net() {
    local seed=2028 net=own
    network pmrc net 300 1000 $core
}

# A second engine, whose values and whose search are its own.
part_second() {
    local odds
    for odds in $core; do
        play "$game" "second/pmrc/${odds/:/-}" --engine fairy-stockfish --odds "$odds" --setups "random:$((72 * percent / 100))" \
            --nodes 1000 --no-moves --seed "$(seed_of "second/pmrc/$odds")"
    done
    for odds in $chess_half; do
        play chess "second/chess/${odds/:/-}" --engine fairy-stockfish --odds "$odds" --games "$((240 * percent / 100))" --nodes 1000 --no-moves \
            --seed "$(seed_of "second/chess/$odds")"
    done
}

# A piece of either side is taken away in the middle of the recorded games.
part_midgame() {
    local odds
    for odds in P:- 2P:- N:2P N:3P B:3P R:N+P R:B+2P M:R+B M:R+3P Q:M Q:R+B+P; do
        play "$game" "midgame/${odds/:/-}" --from all --at-plies 20,60,100 --odds "$odds" --games "$((1800 * percent / 100))" \
            --nodes 1000 --no-moves --seed "$(seed_of "midgame/$odds")"
    done
}

# Games whose values others have published.
chess_half="P:- 3P:- N:3P B:4P R:B+2P R:N+3P 2N:B+3P 2B:R+3P 2R:Q+P Q:2N+4P Q:2B+4P Q:R+B+P N+B:R+2P"
capablanca="P:- 3P:- N:3P B:4P R:B+2P 2N:B+3P 2B:R+3P A:R+4P A:R+B C:R+4P C:A Q:C+P Q:A+2P 2R:Q+P 2R:A+P Q:2B+4P"
# controls ENDING: the folders' names end so.
controls() {
    local ending=$1 odds
    for odds in $chess_half; do
        # From one setup: what differs is the opening, which is drawn.
        play chess "controls/chess$ending/${odds/:/-}" --odds "$odds" --games "$((1200 * percent / 100))" --nodes 1000 --no-moves \
            --seed "$(seed_of "controls/chess$ending/$odds")"
    done
    network capablanca-random "controls/capablanca-random$ending" 600 1000 $capablanca
}
part_controls() { controls ""; }

# The same imbalances by engines with neural networks, from other setups and openings.
part_controls_net() {
    local seed=2028 net=own
    controls -net
}

# The same kinds of pieces on a board of eight files and ranks.
small="P:- 3P:- N:3P B:4P R:B+2P R:N+3P 2B:R+3P 2R:M+P M:R+4P M:R+B+P Q:2B+4P Q:M+2P Q:R+N+3P N+Q:M+4P R+M:Q+4P"
part_small() { network "$here/pmrc-8x8.toml" small 600 1000 $small; }

# Both sides play without ministers, or without queens: what is the other one worth where it is alone?
alone_queen="M+P:M M+3P:M M+N:M+3P M+B:M+4P M+R:M+B+2P M+R:M+N+3P M+2N:M+B+3P M+2B:M+R+3P M+2R:M+Q+P M+Q:M+2N+4P M+Q:M+2B+4P
    M+Q:M+R+B+P"
alone_minister="Q+P:Q Q+3P:Q Q+N:Q+3P Q+B:Q+4P Q+R:Q+B+2P Q+R:Q+N+3P Q+2N:Q+B+3P Q+2B:Q+R+3P Q+2R:Q+M+P Q+M:Q+R+4P Q+M:Q+R+B+P
    Q+M:Q+2B+3P"
part_alone() {
    network "$game" alone/queen 300 1000 $alone_queen
    network "$game" alone/minister 300 1000 $alone_minister
}

# What the right to adjust is worth: each setup in which sides may adjust is played once where only White may, once where only Black may,
# once where both may, and once where nobody may.
part_adjustment() {
    local net=own who gone
    mkdir -p adjustment
    for who in white black both nobody; do
        case $who in white) gone="[a-z]" ;; black) gone="[A-Z]" ;; both) gone="-" ;; nobody) gone="[A-Za-z]" ;; esac
        "$backrank" list pmrc | cut -d , -f 4 | LC_ALL=C awk -v gone="$gone" \
            'NF == 7 && $7 != "-" { gsub(gone, "", $7); if ($7 == "") $7 = "-"; print }' > "adjustment/$who.fen"
        play pmrc "adjustment/$who" --openings "adjustment/$who.fen" --nodes 1000
    done
}

part_tables() {
    "$backrank" values all network-net --csv values.csv
    "$backrank" report all network-net -o report.html --picture values.svg
    "$backrank" setups all --csv setups.csv --features features.csv --adjustments adjustments.csv
    local folder
    for folder in network network-net strength/* strength-net/* openings/* played-on perturbed/* second/* controls/* alone/* again net midgame small; do
        [ ! -d "$folder" ] || "$backrank" values "$folder" --csv "$folder/values.csv"
    done
    "$backrank" verify --all --csv counts.csv
}

for part in ${*:-all network network_net strength strength_net openings played_on perturbed again net second midgame controls controls_net small alone adjustment tables}; do
    "part_$part"
done
