#!/usr/bin/env python3
"""How far what is measured follows what the engine takes a kind of piece to be worth.

    data/pmrc-2026/own_values.py target/release/backrank

In each part of `perturbed` the engine takes one kind to be worth a fifth more. This prints by how much the measured value of that kind
is multiplied, beside `network`, and the mean of these ratios, weighed by their precision on a logarithmic scale: of all kinds, and
of all without each. Errors of different kinds are taken for independent.
"""

import json
import math
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent


def ratio(backrank, kind):
    """The logarithm of the ratio, and its standard error."""
    command = [backrank, "values", "-q", HERE / "perturbed" / kind, "--against", HERE / "network", "--json"]
    rows = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    found = next(row["ratio"] for row in rows if row["method"] == "imbalances" and row["piece"] == kind)
    return math.log(found["value"]), (math.log(found["high"]) - math.log(found["low"])) / 3.92


def text(logarithm, error):
    low, high = (math.exp(logarithm + side * 1.96 * error) for side in (-1, 1))
    return f"{math.exp(logarithm):.3f} ({low:.3f} to {high:.3f})"


def mean(found):
    """The mean of estimates with their standard errors by precision, and its own standard error."""
    weights = [error**-2 for _, error in found]
    return sum(weight * ratio for weight, (ratio, _) in zip(weights, found)) / sum(weights), sum(weights) ** -0.5


def main():
    found = {kind: ratio(sys.argv[1], kind) for kind in "PNBMQ"}
    for kind, one in found.items():
        print(f"{kind:12}{text(*one)}")
    print(f"{'all':12}{text(*mean(list(found.values())))}")
    for left in found:
        print(f"{'without ' + left:12}{text(*mean([one for kind, one in found.items() if kind != left]))}")


if __name__ == "__main__":
    main()
