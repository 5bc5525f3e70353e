#!/usr/bin/env python3
"""How much less a pawn of the first or of the last file is worth than another, by the matches of one pawn against nothing.

    data/pmrc-2026/edge_pawns.py target/release/backrank

Prints it for each part of the data that has such a match, in Elo with a 95 % interval, and the mean of all, weighed by their precision;
then the same without `network-net`, whose test of all files made one look, and whether parts differ. Parts that begin from the same setups
without the same pawns are not independent: of them only the one with the most games counts.
"""

import csv
import gzip
import json
import subprocess
import sys
from pathlib import Path

from own_values import mean

HERE = Path(__file__).resolve().parent


def independent_parts():
    """The parts, no two of which have the same starts."""
    by_starts = {}
    for match in sorted(HERE.glob("**/P--/games.csv.gz")):
        with gzip.open(match, "rt", encoding="utf-8") as file:
            starts = [row["fen"] for row in csv.DictReader(file)]
        by_starts.setdefault(tuple(starts[:20]), []).append((len(starts), match.parent.parent))
    return sorted(max(parts)[1] for parts in by_starts.values())


def edge_pawns(backrank, part):
    """By how much less they are worth, and the standard error; None if no game begins without a pawn."""
    said = subprocess.run([backrank, "values", "-q", "--json", part], check=True, capture_output=True).stdout
    found = json.loads(said)["imbalances"]["edge_pawns"]
    return found and (found["value"], (found["high"] - found["low"]) / 3.92)


def text(value, error):
    return f"{value:.0f} ({value - 1.96 * error:.0f} to {value + 1.96 * error:.0f})"


def main():
    found = {str(part.relative_to(HERE)): edge_pawns(sys.argv[1], part) for part in independent_parts()}
    found = {part: one for part, one in found.items() if one}
    for part, one in found.items():
        print(f"{part:32}{text(*one)}")
    all_parts = mean(list(found.values()))
    print(f"{f'all {len(found)} parts':32}{text(*all_parts)}")
    print(f"{'without network-net':32}{text(*mean([one for part, one in found.items() if part != 'network-net']))}")
    chi = sum(((value - all_parts[0]) / error) ** 2 for value, error in found.values())
    print(f"the parts among each other: χ² = {chi:.1f} on {len(found) - 1} degrees of freedom")


if __name__ == "__main__":
    main()
