#!/usr/bin/env bash
# What several matches came to: each of them as `backrank play` says it, and all together, in Elo with a 95 % interval by pairs, which
# holds for these games. Where a match is of another game each, they are also a sample of such games: the last line has the interval
# for the mean of all such games, by Student's distribution of the matches' scores; it is never narrower than the first.
#
#     benches/pooled.sh STUDY...
#
# The studies are matches between two players, such as `backrank play GAME --pairs --black-option NetFile=none -o STUDY` plays.
set -euo pipefail
backrank=${BACKRANK:-$(dirname "$0")/../target/release/backrank}
for study in "$@"; do
    echo "study $(basename "$study")"
    "$backrank" -q play "$study" 2> /dev/null
done | tr -d , | awk '
    function elo_of(score) { return -400 * log(1 / score - 1) / log(10) }
    function say(name, value, low, high) { printf "%-22s %5d %5d %5d  %+5.0f (%+.0f to %+.0f)\n", name, won, drawn, lost, value, low, high }
    BEGIN { print "match                    won drawn  lost    Elo" }
    $1 == "study" { name = $2 }
    $1 == "results" { all_won += won = $2; all_drawn += drawn = $4; all_lost += lost = $6 }
    $1 == "Elo" { say(name, $2, $4, $6) }
    $1 == "score" { scores++; of_scores += $2; squares_of_scores += $2 ^ 2 }
    # Of 0, a half, 1, one and a half and 2 points.
    $1 == "pairs" { for (half = 0; half <= 4; half++) pairs[half] += half ? $(3 * half + 3) : $2 }
    END {
        for (half in pairs) { number += pairs[half]; sum += pairs[half] * half / 4 }
        score = sum / number
        for (half in pairs) squares += pairs[half] * (half / 4 - score) ^ 2
        within = 1.96 * sqrt(squares / (number - 1) / number)
        won = all_won; drawn = all_drawn; lost = all_lost
        say("all", elo_of(score), elo_of(score - within), elo_of(score + within))
        if (scores < 2) exit
        degrees = scores - 1
        mean = of_scores / scores / 100
        spread = (squares_of_scores / 10000 - scores * mean ^ 2) / degrees
        # The expansion of its quantile in powers of the inverse degrees of freedom (Fisher and Cornish, 1960).
        between = (1.96 + 2.372 / degrees + 2.82 / degrees ^ 2) * sqrt(spread / scores)
        if (between > within) within = between
        say("such games", elo_of(mean), elo_of(mean - within), elo_of(mean + within))
    }'
