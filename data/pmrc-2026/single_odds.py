#!/usr/bin/env python3
"""What the odds of single pieces cost, and what the other imbalances foretell of them.

    data/pmrc-2026/single_odds.py target/release/backrank

Prints the Elo of each match of a piece against nothing in `network-net`, with a 95 % interval, beside the piece's value in Elo by all matches
but these five, and whether the two differ by more than chance allows.
"""

import json
import math
import re
import subprocess
import sys
from pathlib import Path

NETWORK = Path(__file__).resolve().parent / "network-net"
PIECES = "NBRMQ"


def imbalances(backrank, folders):
    command = [backrank, "values", "-q", "--json", *folders]
    return json.loads(subprocess.run(command, check=True, capture_output=True).stdout)["imbalances"]


def text(elo):
    return "{value:.0f} ({low:.0f} to {high:.0f})".format(**elo)


def error(elo):
    return (elo["high"] - elo["low"]) / 3.92


def main():
    others = sorted(path for path in NETWORK.iterdir() if path.is_dir() and not re.fullmatch(f"[{PIECES}]--", path.name))
    found = {row["piece"]: row["elo"] for row in imbalances(sys.argv[1], [NETWORK])["alone"]}
    fitted = imbalances(sys.argv[1], others)
    foretold = {row["piece"]: row["elo"] for row in fitted["pieces"]}
    print(f"imbalances  {len(fitted['imbalances'])}")
    for piece in PIECES:
        by_chance = 1.96 * math.hypot(error(found[piece]), error(foretold[piece]))
        differs = "" if abs(found[piece]["value"] - foretold[piece]["value"]) < by_chance else "  more than chance"
        print(f"{piece}           {text(found[piece])}, foretold {text(foretold[piece])}{differs}")


if __name__ == "__main__":
    main()
