"""The values of pieces that no game has, and of armies, are those that the published games give."""

import json
import re

from .report import ROOT, check_filled, count, estimate, problem, run

PAGE = ROOT / "docs/src/new-pieces.md"
ARMIES_HEADING = "\n## Chess with Different Armies\n"


def filled_measured(program, text):
    """The pieces that no game has, with the tables of their values, of those beside a queen and in the place of it, and of those on larger boards."""
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
    """Every value and coefficient in what is said of them is one that the command prints."""
    said = PAGE.read_text().partition(ARMIES_HEADING)[0]
    said = " ".join(re.sub(r"^\|.*\n", "", said, flags=re.M).replace("−", "-").split())
    printed = [run(program, f"backrank pieces data/pieces-2026{file}").stdout for file in ("", "/chess960.csv", "/chess960.csv data/pieces-2026/later.csv --theories")]
    known = {f"{value} ({low} to {high})" for text in printed for value, low, high in re.findall(r"(-?\d+\.\d\d) +\(?(-?\d+\.\d\d) to (-?\d+\.\d\d)", text)}
    for figure in re.findall(r"-?\d+\.\d\d \(-?\d+\.\d\d to -?\d+\.\d\d\)", said):
        count("figures")
        if figure not in known:
            problem(PAGE, f"it says {figure}, which backrank pieces does not print")
    stages = json.loads(run(program, "backrank pieces data/pieces-2026/chess960.csv data/pieces-2026/later.csv --theories --json").stdout)["theories"]
    full, later = ({theory["measure"]: 100 * theory["off"] for theory in stage["theories"]} for stage in stages)
    mobility = "mobility, {} % of the board occupied".format
    for off, expected in (
        (full[mobility(30)], "at 30 and at 40 % predict best at the full board, off by {:.0f} %"),
        (full[mobility(40)], "at 30 and at 40 % predict best at the full board, off by {:.0f} %"),
        (full["mobility on an empty board"], "mobility on an empty board is off by {:.0f} %"),
        (later[mobility(30)], "with fewer pieces it is that at 30 %, off by {:.0f} %"),
    ):
        count("figures")
        if (expected := expected.format(off)) not in said:
            problem(PAGE, f"it does not say: {expected}")
    checks = [off for stage in (full, later) for measure, off in stage.items() if "safe checks" in measure]
    if not 40 < min(checks):
        problem(PAGE, "safe checks are off by more than 40 %")


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
        count("figures")
        number, low, high = map(int, re.findall(r"[-+]\d+", rating))
        # Above the mean or below it is said in words.
        ends = sorted(map(abs, (low, high))) if low * high > 0 else [low, high]
        said = f"({ends[0]} to {ends[1]})".replace("-", "−")
        if not re.search(rf"\b{abs(number)}\b[^.;]*?{re.escape(said)}", " ".join(rest.split())):
            problem(PAGE, f"it does not say {rating}, which is the rating of an army")
    return head + "".join(rows) + rest


def filled(program):
    """The page with the tables of values as the program prints them."""
    pieces, heading, armies = PAGE.read_text().partition(ARMIES_HEADING)
    return filled_measured(program, pieces) + heading + filled_armies(program, armies)


def check(program):
    check_filled(PAGE, filled(program))
    check_measured(program)
