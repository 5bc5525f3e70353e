"""The values of pieces in the tables and sentences of results are those that the published games give."""

import json
import os
import re
import shutil
import subprocess
import sys
from functools import cache

from .report import ROOT, check_filled, count, estimate, problem, run

PAGE = ROOT / "docs/src/results.md"
ATLASES = ROOT / "data/atlas/README.md"
# The parts of the data with games at odds of Pseudo-Modern Random Chess and its small board, no two from the same setups.
FROM_SETUPS = """network network-net net again small strength/300 strength/3000 strength/10000 strength/30000 strength-net/10000 strength-net/30000 played-on
    openings/0 openings/4 openings/8 openings/12 openings/margin-30 openings/margin-120"""


def measured(program, part):
    """What `backrank values` finds in the published games of a part: imbalances and regression."""
    line = " ".join(f"data/pmrc-2026/{name}" for name in part.split())
    return json.loads(run(program, f"backrank values -q --json {line}").stdout)


def by_letter(pieces):
    return {piece["piece"]: piece for piece in pieces if piece["value"]}


def filled_pieces(program, text):
    """The first table: values by all matches of an engine with a network, by those without one, and by regression."""
    by_network = measured(program, "network-net")["imbalances"]
    network = by_letter(by_network["pieces"])
    odds = {alone["piece"]: estimate(alone["elo"], digits=0) for alone in by_network["alone"]}
    found = measured(program, "network all")
    by_weights, regression = (by_letter(found[method]["pieces"]) for method in ("imbalances", "regression"))
    letters = {"pawn": "P", "knight": "N", "bishop": "B", "rook": "R", "prime minister": "M", "queen": "Q"}

    def line(match):
        letter = letters[match[1]]
        piece = network[letter]
        value, rest = estimate(piece["value"]).split(" ", 1)
        value = "**5**" if letter == "R" else f"**{value}** {rest}"
        pawns = "1" if letter == "P" else estimate(piece["pawns"])
        others = ["5" if letter == "R" else estimate(of[letter]["value"]) for of in (by_weights, regression)]
        count("figures", 6)
        cells = [value, pawns, estimate(piece["elo"], digits=0), odds[letter], f"{piece['games']:,}", *others]
        return f"| {match[1]} | {' | '.join(cells)} |"

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
        count("figures", len(cells))
        return f"| {name} | `{part}` | {' | '.join(cells)} |"

    return re.sub(r"^\| ([^|]*) \| `([^`]+)` \|.*$", line, text, flags=re.M)


def filled(program):
    """The page with the tables of values as the program prints them."""
    head, mark, rest = PAGE.read_text().partition("\n## Measured otherwise\n")
    return filled_pieces(program, head) + mark + filled_parts(program, rest)


def check_dependence(program):
    """What results say of values beside others, and by the bishops, is what the command prints."""
    said = " ".join(PAGE.read_text().split())
    of_network = "backrank values -q --json data/pmrc-2026/network-net"
    beside = json.loads(run(program, f"{of_network} --without 4P").stdout)
    knight = by_letter([{**row, "value": row["full"]} for row in beside["pieces"]])["N"]
    opposite = lambda found: {key: -found[other] for key, other in [("value", "value"), ("low", "high"), ("high", "low")]}
    flipped = lambda found: estimate(opposite(found), digits=1)
    lost = opposite(knight["more_elo"])
    interaction = lambda *letters: next(row["elo"] for row in beside["found"] if {row["piece"], row["other"]} == set(letters))
    [part] = json.loads(run(program, f"{of_network} --by bishops").stdout)
    by_nets = "backrank values -q --json --by bishops data/pmrc-2026/controls/chess-net data/pmrc-2026/controls/capablanca-random-net"
    by_net, of_capablanca = json.loads(run(program, by_nets).stdout)
    pair, together = part["pair"], " ".join(f"data/pmrc-2026/{name}" for name in FROM_SETUPS.split())
    last = run(program, f"backrank values -q --by bishops {together}").stdout.split(f"all {len(FROM_SETUPS.split())} parts")[1].replace("+", "")
    [bishop, pair_of_all] = [re.search(text, last)[1] for text in (r"\bB (\S+ \(\S+ to \S+\))", r"its pieces: (\S+ \(\S+ to \S+\))")]
    both, one = (next(row["value"] for row in rows if row["piece"] == "B") for _, rows in part["groups"])
    more = next(more for piece, more in part["more"] if piece == "B")
    for expected in [
        *(estimate(found) for found in (knight["full"], knight["without"], both, one)),
        estimate(lost, digits=0).replace(" ", " Elo ", 1),
        estimate(interaction("P", "N"), digits=1).replace(" ", " Elo ", 1),
        flipped(interaction("P", "R")).replace(" (", " less (", 1),
        flipped(interaction("Q", "R")).replace(" ", " Elo ", 1),
        estimate(more).replace(" ", " more ", 1).removesuffix(")"),
        *(estimate(found[key]) for found in (pair, by_net["pair"]) for key in ("value", "single")),
        estimate(of_capablanca["pair"]["value"]),
        bishop,
        pair_of_all,
        *(f"{beside['error'][key]:.1f}" for key in ("with_interactions", "additive", "chance")),
    ]:
        count("figures")
        if expected.replace("-", "−") not in said:
            problem(PAGE, f"it does not say {expected}, which {of_network} gives with --without 4P or --by bishops")


def printed_by(script, *arguments):
    """What a script in the folder of the data prints."""
    return subprocess.run([ROOT / "data/pmrc-2026" / script, *arguments], check=True, capture_output=True, text=True).stdout


def check_odds_of_single_pieces(program):
    """Results have what the other imbalances foretell of the odds of single pieces."""
    said = " ".join(PAGE.read_text().split())
    for foretold in re.findall(r"foretold (\S+ \(\S+ to \S+\))", printed_by("single_odds.py", program)):
        count("figures")
        if foretold not in said:
            problem(PAGE, f"it does not say {foretold}, which data/pmrc-2026/single_odds.py prints")


def check_strength(program):
    """Results have how values by the network compare with more thought, and with those by weights."""
    said = " ".join(PAGE.read_text().split("- **With more thought")[1].split("- **Openings")[0].split())
    for part, against, pieces in [
        ("strength-net/10000", "strength/10000", "PNBMQ"),
        ("strength-net/10000", "network-net", "MQ"),
        ("strength-net/30000", "strength-net/10000", "PNBMQ"),
    ]:
        line = f"backrank values -q --json data/pmrc-2026/{part} --against data/pmrc-2026/{against}"
        for row in json.loads(run(program, line).stdout):
            if row["piece"] not in pieces:
                continue
            text = estimate(row["ratio"])
            value, interval = text.split(" ", 1)
            count("figures")
            if not re.search(rf"{re.escape(value)}[^;.]*? {re.escape(interval)}", said):
                problem(PAGE, f"it does not say {text}, the ratio of {row['piece']} by {line}")


def check_adjustment():
    """Results have what the right to adjust is worth, by the games in which one side has it."""
    printed = printed_by("adjustment.py")
    of = dict(re.findall(r"^(\w+(?: it)?) +(.*)$", printed, flags=re.M))
    said = " ".join(PAGE.read_text().split())
    fewer, most, least = re.findall(r"[\d.]+", of["draws"])
    more, rest = of["White"].removeprefix("+").split(" ", 1)
    rarer = f"{fewer} percentage points ({least} to {most}) from {of['without it'].split()[-2]} %"
    higher = f"{more} higher {rest}".replace("+", "").replace("-", "−")
    for expected in (f"{of['setups']} setups", of["Elo"].replace(" ", " Elo** ", 1), of["score"], rarer, higher):
        count("figures")
        if expected not in said:
            problem(PAGE, f"it does not say {expected}, which data/pmrc-2026/adjustment.py prints")


def check_openings(program):
    """Results have how many ratios of values by other openings differ from 1."""
    ratios, off, *which = printed_by("other_openings.py", program).splitlines()
    said = " ".join(PAGE.read_text().split())
    count("figures")
    holds = off.endswith(" 1") and f"of the {ratios.split()[1]} ratios to the values above one is off" in said
    if not (holds and which[0].split(" ", 2)[2] in said):
        problem(PAGE, f"data/pmrc-2026/other_openings.py prints {ratios}, {off}: {which}")


def check_edge_pawns(program):
    """Results have how much less pawns at the edge are worth, over all parts."""
    printed = printed_by("edge_pawns.py", program)
    said = " ".join(PAGE.read_text().split())
    [parts, all_parts] = re.search(r"^all (\d+) parts +(.*)$", printed, flags=re.M).groups()
    [of_network, without] = (re.search(rf"^{name} +(.*)$", printed, flags=re.M)[1] for name in ("network-net", "without network-net"))
    for expected in (f"worth {all_parts.replace(' ', ' Elo ', 1)} less", f"in all {parts} parts", f"with {of_network}; without them it is {without}"):
        count("figures")
        if expected not in said:
            problem(PAGE, f"it does not say: {expected}, which data/pmrc-2026/edge_pawns.py prints")


def check_second_engine():
    """Results have what the second engine takes pieces to be worth, where it is installed."""
    engine = shutil.which("fairy-stockfish", path=f"{os.environ['PATH']}:/usr/games")
    if engine is None:
        print("fairy-stockfish is not installed: what it takes pieces to be worth is not checked", file=sys.stderr)
        return
    printed = printed_by("second_values.py", engine)
    said = PAGE.read_text()
    for piece, middlegame, endgame in re.findall(r"^([NBMQ]) +(\S+) +(\S+)$", printed, flags=re.M):
        count("figures")
        if not re.search(rf"{middlegame} (?:in the middlegame )?and {endgame}\b", said):
            problem(PAGE, f"it does not say {middlegame} and {endgame}, which Fairy-Stockfish takes {piece} for")


def check_reliability(program):
    """The table of what another search would find again is what the program prints of each atlas."""
    rows = re.findall(r"^\| `([^`]+)` \| ([\d,]+) [a-z ]+ \| (score|complexity|asymmetry) \| (.*) \|$", ATLASES.read_text(), flags=re.M)
    if not rows:
        problem(ATLASES, "the table of reliability has no rows")
    for atlas, pairs, measure, cells in rows:
        count("figures")
        printed = run(program, f"backrank atlas -q data/atlas/{atlas} --top 0").stdout.split("\nreliability:")[-1]
        expected = " ".join(re.sub(r"[|()]", " ", cells).split())
        line = next((line for line in printed.splitlines() if line.startswith(f"{measure} (")), "")
        if f"of {pairs} pairs" not in printed or expected not in " ".join(line.split()):
            problem(ATLASES, f"backrank atlas data/atlas/{atlas} does not print {measure} {cells}")


def check(program):
    check_filled(PAGE, filled(program))
    check_dependence(program)
    check_odds_of_single_pieces(program)
    check_strength(program)
    check_adjustment()
    check_openings(program)
    check_edge_pawns(program)
    check_second_engine()
    check_reliability(program)
