#!/usr/bin/env python3
"""What the right to the Bishop Adjustment is worth.

    data/pmrc-2026/adjustment.py

From each setup in which sides may adjust, the engine played one game where only White may and one where only Black may. This prints the
score of the side that may, with its 95 % interval by the differences of these pairs, and the same in Elo.
"""

import csv
import gzip
import math
import statistics
from pathlib import Path

HERE = Path(__file__).resolve().parent
POINTS = {"1-0": 1, "1/2-1/2": 0.5, "0-1": 0}


def scores(side):
    """White's, where only this side may adjust."""
    with gzip.open(HERE / "adjustment" / side / "games.csv.gz", "rt", encoding="utf-8") as file:
        return [POINTS[row["result"]] for row in csv.DictReader(file)]


def main():
    of_right = [(white + 1 - black) / 2 for white, black in zip(scores("white"), scores("black"), strict=True)]
    mean = statistics.mean(of_right)
    error = statistics.NormalDist().inv_cdf(0.975) * statistics.stdev(of_right) / math.sqrt(len(of_right))
    ends = (mean, mean - error, mean + error)
    score, elo = [100 * end for end in ends], [-400 * math.log10(1 / end - 1) for end in ends]
    print(f"setups  {len(of_right):,}")
    print("score   {:.1f} % ({:.1f} to {:.1f})".format(*score))
    print("Elo     {:.0f} ({:.0f} to {:.0f})".format(*elo))


if __name__ == "__main__":
    main()
