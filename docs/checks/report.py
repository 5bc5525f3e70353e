"""What was checked, and what is wrong; running the program."""

import os
import subprocess
import threading
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent

problems = []
counts = dict.fromkeys(["pages", "links", "commands", "outputs", "figures"], 0)


_lock = threading.Lock()


def count(what, number=1):
    """Adds to what was checked, from whatever thread."""
    with _lock:
        counts[what] += number


def problem(path, text):
    problems.append(f"{path.relative_to(ROOT)}: {text}")


def check_filled(page, filled):
    """Every row of a page's tables is what the program prints."""
    for line, printed in zip(page.read_text().splitlines(), filled.splitlines()):
        if line != printed:
            problem(page, f"{line}\nthe program prints\n{printed}\n(docs/check.py --fill BACKRANK fills the tables)")


def run(program, line):
    environment = {**os.environ, "PATH": f"{program.parent}:{os.environ['PATH']}"}
    command = ["bash", "-o", "pipefail", "-c", line]
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)


def estimate(found, to=" to ", digits=2):
    text = "{:.%df}" % digits
    value, low, high = (text.format(found[key]) for key in ("value", "low", "high"))
    return f"{value} ({low}{to}{high})"
