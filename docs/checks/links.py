"""Links lead to files and headings that exist, in every page and in the book; so do paths in code."""

import html.parser
import os
import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from urllib.parse import unquote

from .pages import prose, without_code
from .report import ROOT, count, problem

BOOK = ROOT / "docs/book"


@cache
def anchors(path):
    """The anchors of a page's headings, as those who show Markdown make them."""
    found, seen = set(), {}
    for heading in re.findall(r"^#{1,6} +(.*?) *#*$", prose(path.read_text()), flags=re.M):
        heading = re.sub(r"\[([^]]*)\](?:\([^)]*\)|\[[^]]*\])?", r"\1", heading)
        slug = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
        found.add(slug if slug not in seen else f"{slug}-{seen[slug]}")
        seen[slug] = seen.get(slug, 0) + 1
    return found


def check_target(page, link, known_anchors):
    """A relative link from a page. `known_anchors` says which anchors a file has; None if that is not known."""
    if re.match(r"[a-z][a-z0-9+.-]*:|//", link):
        return
    count("links")
    path, _, anchor = unquote(link).partition("#")
    target = Path(os.path.normpath(page.parent / path)) if path else page
    if not target.exists():
        problem(page, f"there is no {link}")
    elif anchor and target.is_file():
        known = known_anchors(target)
        if known is not None and anchor not in known:
            problem(page, f"there is no heading {link}")


def check(page):
    text = without_code(page.read_text())
    defined = {name.lower(): link for name, link in re.findall(r"^\[([^]]+)\]: *(\S+)", text, flags=re.M)}
    links = re.findall(r"\]\(([^)\s]+)\)", text) + list(defined.values())
    for name in re.findall(r"\]\[([^]]+)\]", text):
        if name.lower() not in defined and "{{#include" not in text:
            problem(page, f"the link [{name}] leads nowhere")
    # A chapter of the book has the headings of what it includes; in the book itself they are checked.
    with_headings = lambda path: anchors(path) if path.suffix == ".md" and "{{#include" not in path.read_text() else None
    for link in links:
        check_target(page, link, with_headings)


def check_paths(page):
    """Paths in code that begin with a folder of the repository."""
    for path in re.findall(r"`([\w.-]+/[\w./-]*)`", prose(page.read_text())):
        if not (ROOT / path.split("/")[0]).is_dir() or (ROOT / path).exists() or (page.parent / path).exists():
            continue
        # What git ignores is made by a command.
        if subprocess.run(["git", "check-ignore", "--quiet", path], cwd=ROOT).returncode != 0:
            problem(page, f"there is no {path}")


class Chapter(html.parser.HTMLParser):
    """The anchors and the links of a page of the book."""

    def __init__(self, path):
        super().__init__()
        self.anchors, self.links = set(), []
        self.feed(path.read_text())

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name == "id":
                self.anchors.add(value)
            elif name in ("href", "src") and value:
                self.links.append(value)


def check_book():
    chapters = {path: Chapter(path) for path in BOOK.glob("*.html")}
    if not chapters:
        sys.exit("there is no book in docs/book: mdbook build docs")
    for path, chapter in chapters.items():
        if path.name in ("print.html", "404.html"):
            continue
        for link in set(chapter.links):
            check_target(path, link, lambda file: chapters[file].anchors if file in chapters else None)
