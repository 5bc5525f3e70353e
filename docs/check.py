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

import csv
import gzip
import html.parser
import json
import math
import os
import re
import shlex
import statistics
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path
from urllib.parse import unquote

ROOT = Path(__file__).resolve().parent.parent
BOOK = ROOT / "docs/book"
ALL_COMMANDS = ROOT / "docs/src/getting-started.md"
RESULTS = ROOT / "docs/src/results.md"
# The parts of the data with games at odds of Pseudo-Modern Random Chess and its small board, from setups.
FROM_SETUPS = """network net again alone second/pmrc small strength/300 strength/3000 strength/10000 strength/30000
    perturbed/P perturbed/N perturbed/B perturbed/R perturbed/M perturbed/Q"""
ATLASES = ROOT / "data/atlas/README.md"
# What was said of earlier versions stays as it was said.
HISTORY = ROOT / "CHANGELOG.md"
# Options of programs that are not ours.
OTHERS = {"--locked", "--release", "--signal", "--workspace", "--doc", "--nocapture", "--no-default-features"}

problems = []
counts = dict.fromkeys(["pages", "links", "commands", "outputs", "figures"], 0)


def problem(path, text):
    problems.append(f"{path.relative_to(ROOT)}: {text}")


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


# Links


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
    counts["links"] += 1
    path, _, anchor = unquote(link).partition("#")
    target = Path(os.path.normpath(page.parent / path)) if path else page
    if not target.exists():
        problem(page, f"there is no {link}")
    elif anchor and target.is_file():
        known = known_anchors(target)
        if known is not None and anchor not in known:
            problem(page, f"there is no heading {link}")


def check_links(page):
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


# Commands


def run(program, line):
    environment = {**os.environ, "PATH": f"{program.parent}:{os.environ['PATH']}"}
    command = ["bash", "-o", "pipefail", "-c", line]
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)


def commands(text):
    """Every command line of the program in a page."""
    lines = [line for block in code_blocks(text) for line in block]
    lines += [" ".join(span.split()) for span in re.findall(r"`([^`]+)`", prose(text))]
    for line in lines:
        # What follows two blanks says what the command does.
        line = re.split(r" {2,}(?=[^ ])", line.removeprefix("$ ").strip())[0]
        for part in re.split(r" (?:\||;|&&) ", line):
            part = re.sub(r"^cargo run --release -- ", "backrank ", part.strip())
            part = re.sub(r"^[^\s=]*/backrank ", "backrank ", part)
            if part.startswith("backrank "):
                yield part.split(" > ")[0]


def check_commands(page, program, options):
    text = page.read_text()
    for line in commands(text):
        try:
            arguments = shlex.split(line)[1:]
        except ValueError as error:
            problem(page, f"{line}: {error}")
            continue
        # `N` stands for a number, and `…` for what is not said.
        arguments = ["2" if argument == "N" else argument for argument in arguments if "…" not in argument]
        found = subprocess.run([program, *arguments, "--help"], cwd=ROOT, capture_output=True, text=True)
        counts["commands"] += 1
        if found.returncode != 0 and "a value is required" not in found.stderr:
            problem(page, f"{line}: {found.stderr.strip().splitlines()[0]}")
    for option in re.findall(r"`(--[a-z][a-z-]*)", prose(text)):
        if option not in options | OTHERS:
            problem(page, f"no command has the option {option}")


def check_transcripts(page, program):
    for block in code_blocks(page.read_text()):
        if not block[0].startswith("$ "):
            continue
        for part in "\n".join(block)[2:].split("\n$ "):
            line, _, said = part.partition("\n")
            found = run(program, line)
            counts["outputs"] += 1
            if found.returncode != 0:
                problem(page, f"$ {line}\n{found.stderr}")
            elif found.stdout.rstrip() != said.rstrip():
                problem(page, f"$ {line}\nprints\n{found.stdout}")


def check_variants(page, program):
    """Variant files that are shown are complete."""
    for block in code_blocks(page.read_text()):
        if not block[0].startswith("name = "):
            continue
        with tempfile.NamedTemporaryFile("w", suffix=".toml") as file:
            file.write("\n".join(block))
            file.flush()
            found = run(program, f"backrank count {file.name}")
        if found.returncode != 0:
            problem(page, f"{block[0]}: {found.stderr}")


def measured(program, part):
    """What `backrank values` finds in the published games of a part: imbalances and regression."""
    line = " ".join(f"data/pmrc-2026/{name}" for name in part.split())
    return json.loads(run(program, f"backrank values -q --json {line}").stdout)


def estimate(found, to=" to ", digits=2):
    text = "{:.%df}" % digits
    value, low, high = (text.format(found[key]) for key in ("value", "low", "high"))
    return f"{value} ({low}{to}{high})"


def by_letter(pieces):
    return {piece["piece"]: piece for piece in pieces if piece["value"]}


def filled_pieces(program, text):
    """The first table: values by all matches, and by regression."""
    found = measured(program, "network all")
    network, regression = (by_letter(found[method]["pieces"]) for method in ("imbalances", "regression"))
    letters = {"pawn": "P", "knight": "N", "bishop": "B", "rook": "R", "prime minister": "M", "queen": "Q"}

    def line(match):
        letter = letters[match[1]]
        piece = network[letter]
        value, rest = estimate(piece["value"]).split(" ", 1)
        value = "**5**" if letter == "R" else f"**{value}** {rest}"
        pawns = "1" if letter == "P" else estimate(piece["pawns"])
        observed = "5" if letter == "R" else estimate(regression[letter]["value"])
        counts["figures"] += 4
        return f"| {match[1]} | {value} | {pawns} | {estimate(piece['elo'], digits=0)} | {piece['games']:,} | {observed} |"

    return re.sub(r"^\| (%s) \|.*$" % "|".join(letters), line, text, flags=re.M)


def filled_parts(program, text):
    """The second table: values in other games, and how far they add up there."""
    found = cache(lambda part: measured(program, part)["imbalances"])

    def line(match):
        name, part = match[1], match[2]
        if part == "PART":
            return match[0]
        network = found(part)
        ply = re.search(r"ply (\d+)", name)
        if ply:
            network = next(at["values"] for at in network["by_ply"] if at["ply"] == int(ply[1]))
        pieces = by_letter(network["pieces"])
        cell = lambda letter: estimate(pieces[letter]["value"], "–") if letter in pieces else ""
        minister = cell("M")
        if "A" in pieces:
            minister = f"archbishop {cell('A')}, chancellor {cell('C')}"
        low, high = network["deviation_interval"]["low"], network["deviation_interval"]["high"]
        p = 100 * network["additive"]["p_value"]
        cells = [cell("P"), cell("N"), cell("B"), minister, cell("Q"), f"{pieces['P']['elo']['value']:.0f}"]
        cells += [f"{network['deviation']:.0f} ({max(low, 0):.0f}–{'∞' if high is None else format(high, '.0f')})", "< 0.1 %" if p < 0.05 else f"{p:.1f} %"]
        counts["figures"] += len(cells)
        return f"| {name} | `{part}` | {' | '.join(cells)} |"

    return re.sub(r"^\| ([^|]*) \| `([^`]+)` \|.*$", line, text, flags=re.M)


def filled_measured(program, text):
    """The section of pieces that no game has, with the tables of their values, of those beside a queen and in the place of it, and of those on larger boards."""
    in_csv = lambda *games: " ".join(f"data/pieces-2026/{game}.csv" for game in games)
    printed = lambda *games: json.loads(run(program, f"backrank pieces {in_csv(*games)} --json").stdout)
    by_stage = printed("chess960", "later")
    later = {piece["betza"]: piece["values"][1] for piece in by_stage["in_games"]}
    found = [piece for piece in by_stage["pieces"] if piece["value"] and piece["without"] == "-"]
    found.sort(key=lambda piece: piece["value"]["value"])
    name = lambda piece: "" if piece["piece"] == piece["betza"] else piece["piece"]
    row = lambda piece, *cells: f"| `{piece['betza']}` | {name(piece)} | {' | '.join(cells).replace('-', '−')} |\n"
    cell = lambda found: estimate(found) if found else ""
    values = [row(piece, estimate(piece["value"]), cell(later.get(piece["betza"]))) for piece in found]
    beside = [
        row(piece, estimate(of["beside"]), estimate(of["in_place"]), estimate(of["more_elo"], digits=0))
        for piece in found
        if (of := piece.get("beside_strongest")) and of["p_value"] < 0.05
    ]
    everywhere = printed("chess960", "capablanca-random", "pmrc")["in_games"]
    everywhere.sort(key=lambda piece: piece["values"][0]["value"])
    in_games = [row(piece, *map(cell, piece["values"]), *map(cell, piece["times"][1:])) for piece in everywhere]
    for rows, cells in ((values, 3), (beside, 4), (in_games, 6)):
        head, _, rest = re.split(rf"((?:^\| `[^`]+` \|(?:[^|\n]*\|){{{cells}}}\n)+)", text, maxsplit=1, flags=re.M)
        text = head + "".join(rows) + rest
    return text


def check_measured(program):
    """Every value and coefficient in what results say of pieces that no game has is one that the command prints."""
    said = RESULTS.read_text().partition("\n## Pieces that no game has\n")[2].partition("\n## Chess with Different Armies\n")[0]
    said = " ".join(re.sub(r"^\|.*\n", "", said, flags=re.M).replace("−", "-").split())
    printed = [run(program, f"backrank pieces data/pieces-2026{file}").stdout for file in ("", "/chess960.csv", "/chess960.csv data/pieces-2026/later.csv --theories")]
    known = {f"{value} ({low} to {high})" for text in printed for value, low, high in re.findall(r"(-?\d+\.\d\d) +\(?(-?\d+\.\d\d) to (-?\d+\.\d\d)", text)}
    for figure in re.findall(r"-?\d+\.\d\d \(-?\d+\.\d\d to -?\d+\.\d\d\)", said):
        counts["figures"] += 1
        if figure not in known:
            problem(RESULTS, f"it says {figure}, which backrank pieces does not print")
    stages = json.loads(run(program, "backrank pieces data/pieces-2026/chess960.csv data/pieces-2026/later.csv --theories --json").stdout)["theories"]
    full, later = ({theory["measure"]: 100 * theory["off"] for theory in stage["theories"]} for stage in stages)
    mobility = "mobility, {} % of the board occupied".format
    for off, expected in (
        (full[mobility(30)], "at 30 and at 40 % predict best at the full board, off by {:.0f} %"),
        (full[mobility(40)], "at 30 and at 40 % predict best at the full board, off by {:.0f} %"),
        (full["mobility on an empty board"], "mobility on an empty board is off by {:.0f} %"),
        (later[mobility(30)], "with fewer pieces it is that at 30 %, off by {:.0f} %"),
    ):
        counts["figures"] += 1
        if (expected := expected.format(off)) not in said:
            problem(RESULTS, f"it does not say: {expected}")
    checks = [off for stage in (full, later) for measure, off in stage.items() if "safe checks" in measure]
    if not 40 < min(checks):
        problem(RESULTS, "safe checks are off by more than 40 %")


ARMIES = {"RNBQKBNR": "Fabulous FIDEs", "DWFAKFWD": "Colorbound Clobberers", "GIHOKHIG": "Nutty Knights", "SYUCKUYS": "Remarkable Rookies"}


def filled_armies(program, text):
    """The section of armies, with the table of their matches."""
    printed = run(program, "backrank armies -q -o data/armies-2026").stdout
    matches = re.findall(r"^([A-Z]{8}) +([A-Z]{8}) +\S+ +(\S+ %) +(\S+) \((\S+) to (\S+)\)$", printed, flags=re.M)
    rows = [
        f"| {ARMIES[one]} | {ARMIES[other]} | {score} | {elo} ({low} to {high}) |\n".replace("-", "−")
        for one, other, score, elo, low, high in matches
    ]
    head, _, rest = re.split(r"((?:^\| [A-Z][^|\n]*\|(?:[^|\n]*\|){3}\n)+)", text, maxsplit=1, flags=re.M)
    for rating in re.findall(r"^[A-Z]{8} +([-+]\d+ \([-+]\d+ to [-+]\d+\))$", printed.split("around their mean")[1], flags=re.M):
        counts["figures"] += 1
        number, low, high = map(int, re.findall(r"[-+]\d+", rating))
        # Above the mean or below it is said in words.
        ends = sorted(map(abs, (low, high))) if low * high > 0 else [low, high]
        said = f"({ends[0]} to {ends[1]})".replace("-", "−")
        if not re.search(rf"\b{abs(number)}\b[^.;]*?{re.escape(said)}", " ".join(rest.split())):
            problem(RESULTS, f"it does not say {rating}, which is the rating of an army")
    return head + "".join(rows) + rest


def filled_results(program):
    """The page of results with the tables of values as the program prints them."""
    head, mark, rest = RESULTS.read_text().partition("\n## Measured otherwise\n")
    parts, end, rest = rest.partition("\n## Pieces that no game has\n")
    measured, armies, rest = rest.partition("\n## Chess with Different Armies\n")
    filled = filled_pieces(program, head) + mark + filled_parts(program, parts) + end + filled_measured(program, measured)
    return filled + armies + filled_armies(program, rest)


def check_results(program):
    """Every row of the tables of results is what the command prints."""
    for line, filled in zip(RESULTS.read_text().splitlines(), filled_results(program).splitlines()):
        if line != filled:
            problem(RESULTS, f"{line}\nbackrank values prints\n{filled}\n(docs/check.py --fill BACKRANK fills the tables)")


def check_dependence(program):
    """What results say of values beside others, and by the bishops, is what the command prints."""
    said = " ".join(RESULTS.read_text().split())
    of_network = "backrank values -q --json data/pmrc-2026/network"
    beside = json.loads(run(program, f"{of_network} --without 4P").stdout)
    knight = by_letter([{**row, "value": row["full"]} for row in beside["pieces"]])["N"]
    lost = {key: -knight["more_elo"][other] for key, other in [("value", "value"), ("low", "high"), ("high", "low")]}
    interaction = lambda *letters: next(row["elo"] for row in beside["found"] if {row["piece"], row["other"]} == set(letters))
    [part] = json.loads(run(program, f"{of_network} --by bishops").stdout)
    by_nets = "backrank values -q --json --by bishops data/pmrc-2026/controls/chess-net data/pmrc-2026/controls/capablanca-random-net"
    by_net, of_capablanca = json.loads(run(program, by_nets).stdout)
    pair, together = part["pair"], " ".join(f"data/pmrc-2026/{name}" for name in FROM_SETUPS.split())
    last = run(program, f"backrank values -q --by bishops {together}").stdout.split("all 16 parts")[1].replace("+", "")
    [bishop, pair_of_all] = [re.search(text, last)[1] for text in (r"\bB (\S+ \(\S+ to \S+\))", r"its pieces: (\S+ \(\S+ to \S+\))")]
    both, one = (next(row["value"] for row in rows if row["piece"] == "B") for _, rows in part["groups"])
    more = next(more for piece, more in part["more"] if piece == "B")
    for expected in [
        *(estimate(found) for found in (knight["full"], knight["without"], both, one)),
        estimate(lost, digits=0).replace(" ", " Elo ", 1),
        estimate(interaction("P", "N"), digits=1).replace(" ", " Elo ", 1),
        estimate(interaction("N", "R"), digits=1),
        estimate(more).replace(" ", " more ", 1).removesuffix(")"),
        *(estimate(found[key]) for found in (pair, by_net["pair"]) for key in ("value", "single")),
        estimate(of_capablanca["pair"]["value"]),
        bishop,
        pair_of_all,
        *(f"{beside['error'][key]:.1f}" for key in ("with_interactions", "additive", "chance")),
    ]:
        counts["figures"] += 1
        if expected.replace("-", "−") not in said:
            problem(RESULTS, f"it does not say {expected}, which {of_network} gives with --without 4P or --by bishops")


def check_adjustment():
    """Results have what the right to adjust is worth, by the games in which one side has it, paired by their setups."""

    def scores(side):
        with gzip.open(ROOT / f"data/pmrc-2026/adjustment/{side}/games.csv.gz", "rt", encoding="utf-8") as file:
            return [{"1-0": 1, "1/2-1/2": 0.5, "0-1": 0}[row["result"]] for row in csv.DictReader(file)]

    of_right = [(white + 1 - black) / 2 for white, black in zip(scores("white"), scores("black"), strict=True)]
    mean, error = statistics.mean(of_right), statistics.NormalDist().inv_cdf(0.975) * statistics.stdev(of_right) / math.sqrt(len(of_right))
    ends = {"value": mean, "low": mean - error, "high": mean + error}
    elo = estimate({key: -400 * math.log10(1 / score - 1) for key, score in ends.items()}, digits=0)
    score = estimate({key: 100 * score for key, score in ends.items()}, digits=1)
    said = " ".join(RESULTS.read_text().split())
    for expected in (f"{len(of_right):,} setups", elo.replace(" ", " Elo** ", 1), score.replace(" ", " % ", 1)):
        counts["figures"] += 1
        if expected not in said:
            problem(RESULTS, f"it does not say {expected}, which is what the games of data/pmrc-2026/adjustment say of the right to adjust")


def check_reliability(program):
    """The table of what another search would find again is what the program prints of each atlas."""
    rows = re.findall(r"^\| `([^`]+)` \| ([\d,]+) [a-z ]+ \| (score|complexity|asymmetry) \| (.*) \|$", ATLASES.read_text(), flags=re.M)
    if not rows:
        problem(ATLASES, "the table of reliability has no rows")
    for atlas, pairs, measure, cells in rows:
        counts["figures"] += 1
        printed = run(program, f"backrank atlas -q data/atlas/{atlas} --top 0").stdout.split("\nreliability:")[-1]
        expected = " ".join(re.sub(r"[|()]", " ", cells).split())
        line = next((line for line in printed.splitlines() if line.startswith(f"{measure} (")), "")
        if f"of {pairs} pairs" not in printed or expected not in " ".join(line.split()):
            problem(ATLASES, f"backrank atlas data/atlas/{atlas} does not print {measure} {cells}")


def check_program(program, readable):
    overview = run(program, "backrank --help").stdout
    names = re.findall(r"^  ([a-z]+) ", overview.split("Commands:")[1].split("Options:")[0], flags=re.M)
    names = [name for name in names if name != "help"]
    helps = [overview] + [run(program, f"backrank {name} --help").stdout for name in names]
    options = set(re.findall(r"(--[a-z][a-z-]*)", "\n".join(helps)))
    listed = set(re.findall(r"`backrank ([a-z]+)", ALL_COMMANDS.read_text().split("## All commands")[1]))
    for name in set(names) - listed:
        problem(ALL_COMMANDS, f"the list of all commands lacks {name}")
    for page in readable:
        if page != HISTORY:
            check_commands(page, program, options)
            check_transcripts(page, program)
            check_variants(page, program)
    check_results(program)
    check_dependence(program)
    check_measured(program)
    check_adjustment()
    check_reliability(program)


def main():
    if sys.argv[1:2] == ["--fill"]:
        RESULTS.write_text(filled_results(Path(sys.argv[2]).resolve()))
        return
    readable = pages()
    counts["pages"] = len(readable)
    for page in readable:
        check_links(page)
        if page != HISTORY:
            check_paths(page)
    check_book()
    if len(sys.argv) > 1:
        check_program(Path(sys.argv[1]).resolve(), readable)
    for text in problems:
        print(text)
    print(", ".join(f"{number} {what}" for what, number in counts.items()) + f" checked, {len(problems)} problems")
    sys.exit(bool(problems))


main()
