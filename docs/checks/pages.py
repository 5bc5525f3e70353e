"""The pages in Markdown, and what is prose and what is code in them."""

import re
import subprocess

from .report import ROOT


def pages():
    """Every page in Markdown that is part of the repository, or about to be."""
    listed = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.md"]
    found = subprocess.run(listed, cwd=ROOT, check=True, capture_output=True, text=True)
    return [ROOT / line for line in found.stdout.splitlines()]


def code_blocks(text):
    """The indented and the fenced blocks of code, each a list of lines."""
    blocks, block, fenced = [], [], False
    for before, line in zip([""] + text.splitlines(), text.splitlines() + [""]):
        if line.startswith("```"):
            fenced = not fenced
            line = None
        inside = line is not None and (fenced or (line.startswith("    ") and (block or not before.strip())))
        if inside:
            block.append(line if fenced else line[4:])
        elif block and line == "" and not fenced:
            block.append("")
        elif block:
            blocks.append(block)
            block = []
    return blocks + [block] * bool(block)


def prose(text):
    """A page without its blocks of code."""
    text = re.sub(r"^```.*?^```", "", text, flags=re.M | re.S)
    return re.sub(r"(?:^|(?<=\n))\n(?: {4}.*\n|\n)+", "\n\n", text)


def without_code(text):
    return re.sub(r"(`+)(?:(?!\1).)+?\1", "", prose(text), flags=re.S)
