#!/usr/bin/env python3
"""What the right to the Bishop Adjustment is worth, and what the rule changes.

    data/pmrc-2026/adjustment.py

From each setup in which sides may adjust, the engine played one game where only White may, one where only Black may, one where both may
and one where nobody may. This prints, with 95 % intervals by the differences between the games of a setup: the score of the side that alone
may, and the same in Elo; by how much White's score and the share of draws are higher with the rule than without it, in percentage points; and both
of these with the rule and without it.
"""

import csv
import gzip
import math
import statistics
from pathlib import Path

HERE = Path(__file__).resolve().parent
POINTS = {"1-0": 1, "1/2-1/2": 0.5, "0-1": 0}
QUANTILE = statistics.NormalDist().inv_cdf(0.975)


def scores(who):
    """White's, from each setup, where these may adjust."""
    with gzip.open(HERE / "adjustment" / who / "games.csv.gz", "rt", encoding="utf-8") as file:
        return [POINTS[row["result"]] for row in csv.DictReader(file)]


def draws(of):
    return [score == 0.5 for score in of]


def less(some, others):
    return [one - other for one, other in zip(some, others, strict=True)]


def mean(numbers):
    """With the ends of its interval."""
    value, error = statistics.mean(numbers), QUANTILE * statistics.stdev(numbers) / math.sqrt(len(numbers))
    return value, value - error, value + error


def main():
    by_white, by_black, with_rule, without = (scores(who) for who in ("white", "black", "both", "nobody"))
    alone = mean([(1 + difference) / 2 for difference in less(by_white, by_black)])
    percent = lambda ends: [100 * end for end in ends]
    print(f"setups      {len(by_white):,}")
    print("score       {:.1f} % ({:.1f} to {:.1f})".format(*percent(alone)))
    print("Elo         {:.0f} ({:.0f} to {:.0f})".format(*(-400 * math.log10(1 / end - 1) for end in alone)))
    print("White       {:+.1f} ({:+.1f} to {:+.1f})".format(*percent(mean(less(with_rule, without)))))
    print("draws       {:+.1f} ({:+.1f} to {:+.1f})".format(*percent(mean(less(draws(with_rule), draws(without))))))
    for name, of in (("with it", with_rule), ("without it", without)):
        print("{:10}  White {:.1f} %, draws {:.1f} %".format(name, *(100 * statistics.mean(some) for some in (of, draws(of)))))


if __name__ == "__main__":
    main()
