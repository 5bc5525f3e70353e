#!/usr/bin/env python3
"""Checks what is written: the book as it was built, and every page in Markdown.

    mdbook build docs && docs/check.py target/release/backrank
    docs/check.py --fill target/release/backrank     fills the tables of results instead

- Relative links lead to files and headings that exist, and so do paths in code.
- Every `backrank ...` is a command that the program understands, and every `--option` one that it has.
- What follows a line `$ backrank ...` is what that command prints.
- Variant files that are shown are read, and the list of all commands is complete.
- The values of pieces in the tables of results are those that the published games give, and the reliability of atlases is what
  the program prints.

Without a program only links are checked.
"""

import os
import re
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from checks import commands, links, new_pieces, values
from checks.pages import pages
from checks.report import ROOT, counts, problem, problems, run

ALL_COMMANDS = ROOT / "docs/src/getting-started.md"
# What was said of earlier versions stays as it was said.
HISTORY = ROOT / "CHANGELOG.md"


def check_program(program, readable):
    overview = run(program, "backrank --help").stdout
    names = re.findall(r"^  ([a-z]+) ", overview.split("Commands:")[1].split("Options:")[0], flags=re.M)
    names = [name for name in names if name != "help"]
    helps = [overview] + [run(program, f"backrank {name} --help").stdout for name in names]
    options = set(re.findall(r"(--[a-z][a-z-]*)", "\n".join(helps)))
    listed = set(re.findall(r"`backrank ([a-z]+)", ALL_COMMANDS.read_text().split("## All commands")[1]))
    for name in set(names) - listed:
        problem(ALL_COMMANDS, f"the list of all commands lacks {name}")
    # The tables of results take longest, and the program most of the time.
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        checks = [pool.submit(results.check, program) for results in (values, new_pieces)]
        checks += [pool.submit(commands.check, page, program, options) for page in readable if page != HISTORY]
        for check in checks:
            check.result()


def main():
    if sys.argv[1:2] == ["--fill"]:
        for results in (values, new_pieces):
            results.PAGE.write_text(results.filled(Path(sys.argv[2]).resolve()))
        return
    readable = pages()
    counts["pages"] = len(readable)
    for page in readable:
        links.check(page)
        if page != HISTORY:
            links.check_paths(page)
    links.check_book()
    if len(sys.argv) > 1:
        check_program(Path(sys.argv[1]).resolve(), readable)
    for text in sorted(problems):
        print(text)
    print(", ".join(f"{number} {what}" for what, number in counts.items()) + f" checked, {len(problems)} problems")
    sys.exit(bool(problems))


main()
