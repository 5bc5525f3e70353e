"""Exits with 1 if notebooks, executed again, say anything else than they do as committed: same_outputs.py AGAIN COMMITTED...

A number may differ by one in its last digit, as processors round differently. Pictures are left out."""

import json
import re
import sys
from pathlib import Path

NUMBER = re.compile(r"(\d+(?:\.\d+)?)")


def texts(path):
    """The number of the cell and the text of every output."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    for number, cell in enumerate(cells):
        for output in cell.get("outputs", []):
            text = output.get("text") or output.get("data", {}).get("text/plain", [])
            yield number, "".join(text)


def agree(old, new):
    """Whether two texts differ in nothing but last digits."""
    old, new = NUMBER.split(old), NUMBER.split(new)
    if len(old) != len(new) or old[::2] != new[::2]:
        return False

    def near(one, other):
        digits = len(one.partition(".")[2])
        return len(other.partition(".")[2]) == digits and abs(float(one) - float(other)) < 1.5 * 10**-digits

    return all(near(one, other) for one, other in zip(old[1::2], new[1::2]))


again = Path(sys.argv[1])
differ = False
for committed in map(Path, sys.argv[2:]):
    before, now = list(texts(committed)), list(texts(again / committed.name))
    if len(before) != len(now):
        print(f"{committed} has {len(before)} outputs, {len(now)} when it is executed again")
        differ = True
    for (number, old), (_, new) in zip(before, now):
        if not agree(old, new):
            print(f"{committed}, cell {number}, as committed:\n{old}\nexecuted again:\n{new}")
            differ = True
sys.exit(differ)
