#!/usr/bin/env python3
"""Whether imbalances deviate from the sum of their pieces again when they are played again.

    git archive 93ad6490 data/pmrc-2026 | tar x -C /tmp/earlier
    data/pmrc-2026/repeated.py target/release/backrank /tmp/earlier/data/pmrc-2026

The second argument is this folder as it was, with the same matches by an earlier engine from other openings. For each part that is played by
a network, this prints χ² of the differences in Elo between the two, and the correlation of the residuals: 0 if deviations are
chance, and near to 1 if they are large beside the errors. Then the correlation over all parts, of residuals in units of the errors of their
matches, with a 95 % interval by the bootstrap.
"""

import json
import math
import random
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
PARTS = ("net", "controls/chess-net", "controls/capablanca-random-net")
DRAWS = 4000


def error(estimate):
    return (estimate["high"] - estimate["low"]) / 3.92


def matches(backrank, folder):
    """Each match's Elo, its standard error and its residual."""
    command = [backrank, "values", "-q", folder, "--json"]
    found = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    rows = found["imbalances"]["imbalances"]
    return {row["odds"]: (row["elo"]["value"], error(row["elo"]), row["residual"]["value"]) for row in rows if row["residual"]}


def correlation(pairs):
    """That of pairs of numbers whose means are 0."""
    squares = [sum(pair[side] ** 2 for pair in pairs) for side in (0, 1)]
    return sum(one * other for one, other in pairs) / math.sqrt(squares[0] * squares[1])


def main():
    backrank, earlier = sys.argv[1], Path(sys.argv[2])
    scaled = []
    for part in PARTS:
        old, new = (matches(backrank, folder / part) for folder in (earlier, HERE))
        both = [(old[odds], new[odds]) for odds in old if odds in new]
        square = sum((one[0] - other[0]) ** 2 / (one[1] ** 2 + other[1] ** 2) for one, other in both)
        residuals = correlation([(one[2], other[2]) for one, other in both])
        scaled += [(one[2] / one[1], other[2] / other[1]) for one, other in both]
        print(f"{part:32}χ² = {square:.1f} on {len(both)}, correlation {residuals:.2f}")
    draws = random.Random(1)
    sample = sorted(correlation(draws.choices(scaled, k=len(scaled))) for _ in range(DRAWS))
    low, high = sample[DRAWS // 40], sample[-DRAWS // 40]
    print(f"{f'all {len(scaled)} matches':32}correlation {correlation(scaled):.2f} ({low:.2f} to {high:.2f})")


if __name__ == "__main__":
    main()
