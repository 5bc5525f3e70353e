#!/usr/bin/env python3
"""How far values from other openings are off those from the usual ones.

    data/pmrc-2026/other_openings.py target/release/backrank

Prints how many ratios of values in the parts of `openings` to those in `network` there are, how many of them are off by more than chance
allows at 5 %, and these.
"""

import json
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent


def ratios(backrank, folder):
    """Of a part: each piece with its ratio."""
    command = [backrank, "values", "-q", folder, "--against", HERE / "network", "--json"]
    rows = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    return [(row["piece"], row["ratio"]) for row in rows if row["piece"] != "R" and row["ratio"]]


def main():
    folders = sorted(path for path in (HERE / "openings").iterdir() if path.is_dir())
    found = [(folder.name, *ratio) for folder in folders for ratio in ratios(sys.argv[1], folder)]
    off = [(folder, piece, ratio) for folder, piece, ratio in found if not ratio["low"] < 1 < ratio["high"]]
    print(f"ratios  {len(found)}")
    print(f"off     {len(off)}")
    for folder, piece, ratio in off:
        print(f"{folder} {piece} " + "{value:.2f} ({low:.2f} to {high:.2f})".format(**ratio))


if __name__ == "__main__":
    main()
