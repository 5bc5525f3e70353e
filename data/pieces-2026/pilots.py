#!/usr/bin/env python3
"""How far what a pilot measures follows what the engine takes a piece to be worth in it.

    data/pieces-2026/pilots.py target/release/backrank

In the pilots of `pilots` the engine took each piece for what its mobility says, and in the other games for what the pilot had found. The
ratio of the two measured values against that of the engine's two values is an elasticity: 0 if what is measured does not depend on what
was put in, and 1 if it is nothing else. The engine's second value follows from the pilot and has its errors. So the elasticity is
estimated by an instrument that has none of them: the ratio of the engine's first value to what the moves of all other pieces predict of this
one. Prints it for the pieces of each game, and the mean of these by their precision, with 95 % intervals, and how far the first values were
off the second ones (standard deviation of the logarithm). Pieces that are worth less than a pawn and a half are left out, because the
logarithms of their values are not known.
"""

import csv
import math
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
GAMES = ("chess960", "later", "capablanca-random", "pmrc")
LEAST = 1.5


def pieces(backrank, file):
    """What `backrank pieces` writes of a file, by the moves of pieces."""
    with tempfile.TemporaryDirectory() as folder:
        written = Path(folder) / "pieces.csv"
        subprocess.run([backrank, "pieces", "-q", file, "--csv", written], check=True, capture_output=True)
        with written.open(encoding="utf-8") as rows:
            return {row["betza"]: row for row in csv.DictReader(rows)}


def variance(row):
    """That of the logarithm of a value; `None` if its interval is open or reaches below nothing."""
    low, high = (float(row[end] or "nan") for end in ("low", "high"))
    return (math.log(high / low) / 3.92) ** 2 if 0 < low < high < math.inf else None


def elasticity(backrank, game):
    """The elasticity in a game, its standard error, the number of pieces, and how far the engine's first values were off."""
    pilots, others = (pieces(backrank, HERE / folder / f"{game}.csv") for folder in ("pilots", "."))
    rows = []
    for betza, other in others.items():
        pilot = pilots[betza]
        variances = variance(pilot), variance(other)
        if None in variances or float(other["value"]) < LEAST or not other["predicted"]:
            continue
        ratio = lambda column: math.log(float(pilot[column]) / float(other[column]))
        instrument = math.log(float(pilot["centipawns"]) / float(other["predicted"]))
        rows.append((1 / sum(variances), ratio("centipawns"), ratio("value"), instrument))
    weights = [row[0] for row in rows]
    means = [sum(row[0] * row[column] for row in rows) / sum(weights) for column in (1, 2, 3)]
    centred = [(row[0], *(row[column] - mean for column, mean in zip((1, 2, 3), means))) for row in rows]
    slope = sum(weight * put_in * instrument for weight, put_in, _, instrument in centred)
    found = sum(weight * measured * instrument for weight, _, measured, instrument in centred) / slope
    squares = sum((weight * instrument * (measured - found * put_in)) ** 2 for weight, put_in, measured, instrument in centred)
    off = math.sqrt(sum((row[1] - sum(row[1] for row in rows) / len(rows)) ** 2 for row in rows) / (len(rows) - 1))
    return found, math.sqrt(squares) / abs(slope), len(rows), off


def text(found, error):
    return f"{found:.2f} ({found - 1.96 * error:.2f} to {found + 1.96 * error:.2f})"


def main():
    found = {game: elasticity(sys.argv[1], game) for game in GAMES}
    for game, (one, error, number, off) in found.items():
        print(f"{game:20}{text(one, error)}, {number} pieces, off by {100 * off:.0f} %")
    weights = [error**-2 for _, error, _, _ in found.values()]
    mean = sum(weight * one for weight, (one, *_) in zip(weights, found.values())) / sum(weights)
    print(f"{'all':20}{text(mean, sum(weights) ** -0.5)}")


if __name__ == "__main__":
    main()
