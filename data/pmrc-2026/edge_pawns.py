#!/usr/bin/env python3
"""How much less a pawn of the first or of the last file is worth than another, by the matches of one pawn against nothing.

    data/pmrc-2026/edge_pawns.py target/release/backrank

Prints it for each part of the data that has such a match, in Elo with a 95 % interval, and the mean of all, weighed by their precision.
"""

import json
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent


def edge_pawns(backrank, part):
    """By how much less they are worth, and the standard error; None if the part has no such match."""
    said = subprocess.run([backrank, "values", "-q", "--json", part], check=True, capture_output=True).stdout
    found = json.loads(said)["imbalances"]["edge_pawns"]
    return found and (found["value"], (found["high"] - found["low"]) / 3.92)


def text(value, error):
    return f"{value:.0f} ({value - 1.96 * error:.0f} to {value + 1.96 * error:.0f})"


def main():
    parts = sorted({study.parent.parent for study in HERE.glob("**/P--/study.toml")})
    found = {part: one for part in parts if (one := edge_pawns(sys.argv[1], part))}
    for part, one in found.items():
        print(f"{str(part.relative_to(HERE)):32}{text(*one)}")
    weights = [error**-2 for _, error in found.values()]
    mean = sum(weight * value for weight, (value, _) in zip(weights, found.values())) / sum(weights)
    print(f"{'all ' + str(len(found)) + ' parts':32}{text(mean, sum(weights) ** -0.5)}")


main()
