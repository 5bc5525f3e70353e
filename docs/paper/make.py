#!/usr/bin/env python3
"""Makes the paper from the shipped data.

    docs/paper/make.py BACKRANK [PAPER.pdf]

Every number in it is computed here, by the program BACKRANK from data/, and every sentence that could be wrong is checked: if the
data no longer say it, this ends with the sentence. Needs the package typst.
"""

import csv
import json
import math
import re
import statistics
import subprocess
import sys
from pathlib import Path

import typst

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
DATA = ROOT / "data" / "pmrc-2026"

# The parts of the data in which the same model is fitted: a name for the table, and its directory.
PARTS = [
    ("network, 1,000 nodes a move", "network-net"),
    ("network, 10,000 nodes", "strength-net/10000"),
    ("network, 30,000 nodes", "strength-net/30000"),
    ("network, other setups", "net"),
    ("weights, 1,000 nodes", "network"),
    ("weights, 300 nodes", "strength/300"),
    ("weights, 3,000 nodes", "strength/3000"),
    ("weights, 10,000 nodes", "strength/10000"),
    ("other weights, other setups", "again"),
    ("weights, played on after repetitions", "played-on"),
    ("Fairy-Stockfish", "second/pmrc"),
    ("weights, the same army on 8×8", "small"),
    ("weights, no ministers", "alone/queen"),
    ("weights, no queens", "alone/minister"),
    ("chess, weights", "controls/chess"),
    ("chess, network", "controls/chess-net"),
    ("chess, Fairy-Stockfish", "second/chess"),
]

# Those that are held against another, piece by piece: by the network against all matches by the network, the others against all by weights.
AGAINST = {
    "network-net": ["network", "net", "strength-net/10000", "strength-net/30000"],
    "network": ["strength/300", "strength/3000", "strength/10000", "again", "played-on", "second/pmrc", "small"],
}

# Those by the network, with their nodes a move.
BY_NETWORK = [("network-net", 1000), ("strength-net/10000", 10000), ("strength-net/30000", 30000)]

# Those that find the same values as what they are held against.
SAME = ("again", "net")

NAMES = {"P": "pawn", "N": "knight", "B": "bishop", "R": "rook", "M": "prime minister", "Q": "queen"}


def run(backrank, *arguments):
    """What a command says as JSON."""
    output = subprocess.run([backrank, "-q", *arguments, "--json"], cwd=ROOT, check=True, capture_output=True, text=True)
    return json.loads(output.stdout)


def claim(holds, sentence):
    """Ends if the data do not say what the paper says."""
    if not holds:
        sys.exit(f"the data no longer say: {sentence}")


def number(value, digits=2):
    return f"{value:,.{digits}f}".replace("-", "−")


def estimate(found, digits=2, scale=1):
    """An estimate with its 95 % interval."""
    value, low, high = (scale * found[key] for key in ("value", "low", "high"))
    text = number(value, digits)
    return text if low == high else f"{text} ({number(low, digits)} to {number(high, digits)})"


def chance(p):
    return "p < 0.001" if p < 0.001 else f"p = {p:.3f}" if p < 0.1 else f"p = {p:.2f}"


def chi_square(test):
    return f"χ² = {test['chi_square']:.1f} on {test['freedom']} degrees of freedom, {chance(test['p_value'])}"


def in_words(pieces):
    """The values of a network, as the paper writes them."""
    return {
        piece["piece"]: {
            "value": estimate(piece["value"]),
            "pawns": estimate(piece["pawns"]),
            "elo": estimate(piece["elo"], 0),
            "games": f"{piece['games']:,}",
            "raw": piece["value"],
            "raw_elo": piece["elo"],
        }
        for piece in pieces
        if piece["value"]
    }


def part(backrank, path):
    found = run(backrank, "values", f"data/pmrc-2026/{path}")
    network = found["imbalances"]
    return {
        "games": f"{found['games']:,}",
        "imbalances": str(len(network["imbalances"])),
        "pieces": in_words(network["pieces"]),
        "deviation": number(network["deviation"], 0),
        "chi": f"{network['additive']['chi_square']:.1f}" if network["additive"] else "",
        "freedom": str(network["additive"]["freedom"]) if network["additive"] else "",
        "p": chance(network["additive"]["p_value"]).removeprefix("p ").removeprefix("= ") if network["additive"] else "",
        "additive": chi_square(network["additive"]) if network["additive"] else "",
        "raw": network,
    }


def ratios(backrank, path, other):
    """The ratio of each piece's value in a part to that in another."""
    rows = run(backrank, "values", f"data/pmrc-2026/{path}", "--against", f"data/pmrc-2026/{other}")
    rows = [row for row in rows if row["method"] == "imbalances" and row["piece"] != "R" and row["ratio"]]
    return {row["piece"]: {"text": estimate(row["ratio"]), **row["ratio"]} for row in rows}


def new_pieces():
    """The pieces that no game has, and how well laws predict them."""
    with open(ROOT / "analysis" / "src" / "pieces" / "chess960.csv", encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["value"]]
    numeric = ["value", "low", "high", "predicted", "predicted_low", "predicted_high", "leaper_law"]
    for row in rows:
        row.update({key: float(row[key]) if row[key] else None for key in numeric})
    # A value of less than nothing has no logarithm.
    positive = [row for row in rows if row["value"] > 0]
    laws = [row for row in positive if row["leaper_law"] and row["betza"] not in ("mKcN", "mNcK")]
    # The law's own knight has 3.08, and here it is 3.25.
    off = [math.log(row["value"] / (row["leaper_law"] * 3.25 / 3.0816)) for row in laws]
    noise = [(row["high"] - row["low"]) / row["value"] / 3.92 for row in positive]
    predicted = [math.log(row["value"] / row["predicted"]) for row in rows if row["predicted"]]
    root = lambda of: math.sqrt(sum(value * value for value in of) / len(of)) if of else 0.0
    shown = {row["betza"]: estimate(row) for row in rows}
    return {
        "number": str(len(rows)),
        "games": f"{sum(int(row['games']) for row in rows):,}",
        "laws": str(len(laws)),
        "off_law": number(100 * root(off), 0),
        "noise": number(100 * root(noise), 0),
        "off_model": number(100 * root(predicted), 0),
        "values": shown,
        "predictions": [{"value": row["value"], "predicted": row["predicted"]} for row in positive if row["predicted"]],
        "rows": [
            {"betza": row["betza"], "piece": row["piece"], "value": shown[row["betza"]], "raw": {key: row[key] for key in ("value", "low", "high")}}
            for row in sorted(rows, key=lambda row: row["value"])
            # As many as a page holds: those that have a name.
            if row["piece"] != row["betza"]
        ],
    }


def bishops(backrank):
    found = run(backrank, "setups", "data/pmrc-2026/all")
    adjusting = found["adjustments"]
    effect = next(row for row in found["features"]["effects"] if row["feature"].startswith("bishops on one colour"))
    both = next(row for row in adjusting["by_whom"] if row["who"] == "both")
    moves = adjusting["moves"]
    done, middle = 0, 0
    for move, count in enumerate(moves):
        done += count
        if 2 * done >= sum(moves):
            middle = move + 1
            break
    claim(effect["effect"]["low"] < 0 < effect["effect"]["high"], "bishops on one colour change White's score by no more than chance allows")
    return {
        "games": f"{found['games']:,}",
        "white": estimate(found["score"], 1, 100),
        "with": f"{adjusting['games']:,}",
        "did": number(100 * adjusting["did"] / adjusting["could"], 0),
        "median_move": str(middle),
        "both": estimate(both["score"], 1, 100),
        "effect": estimate(effect["effect"], 1, 100),
    }


def pair(backrank):
    """What bishops on both colours are worth: more than others, their pair, and each of them without it."""
    found = {}
    for name, path in (("network", "network-net"), ("chess", "controls/chess-net")):
        [part] = run(backrank, "values", f"data/pmrc-2026/{path}", "--by", "bishops")
        value = part["pair"]
        found[name] = {"value": estimate(value["value"]), "single": estimate(value["single"])}
        claim(value["value"]["low"] < 0 < value["value"]["high"], f"games do not tell the pair of bishops in {path} from nothing")
        if name == "chess":
            claim(value["value"]["low"] < 0.5 < value["value"]["high"], "nor that of chess from Kaufman's")
        else:
            [more] = [more for piece, more in part["more"] if piece == "B"]
            claim(more["low"] > 0, "a bishop is worth more where the bishops start on both colours")
            found["more"] = estimate(more)
    return found


def beside(backrank):
    """What pieces are worth beside others, and how well that predicts."""
    found = run(backrank, "values", "data/pmrc-2026/network-net", "--without", "4P")
    claim(found["interactions"] == "own", "interactions of the same side alone are the most probable")
    pieces = {row["piece"]: row for row in found["pieces"]}
    claim(pieces["N"]["more_elo"]["high"] < 0, "a knight is worth less where four pawns are missing")
    error = found["error"]
    claim(error["with_interactions"] < error["additive"], "interactions predict better")
    interaction = lambda pair: next(row["elo"] for row in found["found"] if {row["piece"], row["other"]} == set(pair))
    pawn_knight, queen_rook = interaction("PN"), interaction("QR")
    claim(pawn_knight["low"] > 0, "pawns and knights are worth more beside each other")
    claim(queen_rook["high"] < 0, "queens and rooks are worth less beside each other")
    claim(not any(row["is_opposing"] for row in found["found"]), "no interaction of opposing pieces is found")
    return {
        "found": [{"piece": row["piece"], "other": row["other"], "elo": estimate(row["elo"], 1)} for row in found["found"]],
        "error": number(error["with_interactions"], 1),
        "additive": number(error["additive"], 1),
        "chance": number(error["chance"], 1),
        "pawn_knight": estimate(pawn_knight, 1),
        "queen_rook": estimate({"value": -queen_rook["value"], "low": -queen_rook["high"], "high": -queen_rook["low"]}, 0),
        "without": {
            piece: {"value": estimate(row["without"]), "full": estimate(row["full"]), "more": estimate(row["more_elo"], 0)}
            for piece, row in pieces.items()
        },
    }


def printed_by(script, *arguments):
    """What a script in the folder of the data prints."""
    return subprocess.run([DATA / script, *arguments], check=True, capture_output=True, text=True).stdout


def odds_of_single_pieces(backrank, network):
    """What the odds of single pieces are in Elo, and what the other imbalances foretell of them."""
    printed = printed_by("single_odds.py", backrank)
    rows = re.findall(r"^(\w) +(.*), foretold (\S+ \(\S+ to \S+\))(.*)$", printed, re.MULTILINE)
    differ = [piece for piece, *_, differs in rows if differs]
    claim(differ == ["M"], "the other imbalances foretell the odds of all pieces but the minister")
    first = lambda text: int(text.split()[0])
    claim(all(first(found) < first(foretold) for piece, found, foretold, _ in rows if piece == "M"), "a minister's odds are less than foretold")
    [pawn] = [row["elo"] for row in network["alone"] if row["piece"] == "P"]
    return {
        "imbalances": re.search(r"^imbalances +(\d+)", printed)[1],
        "of": {"P": estimate(pawn, 0), **{piece: found for piece, found, *_ in rows}},
        "foretold": {piece: foretold for piece, _, foretold, _ in rows},
    }


def matches(network):
    """Each imbalance: the Elo of the side that has more by the sum of its values, and by its games."""
    return [
        {"odds": row["odds"], "expected": row["expected"], **row["elo"], "is_alone": bool(re.fullmatch(r"[A-Z]:-", row["odds"]))}
        for row in network["imbalances"]
        if row["expected"] is not None
    ]


def stages(backrank):
    """Values by games that start from recorded positions."""
    at_plies = run(backrank, "values", "data/pmrc-2026/midgame")["imbalances"]["by_ply"]
    found = [{"ply": str(at["ply"]), "pieces": in_words(at["values"]["pieces"])} for at in at_plies]
    rooks = [at["pieces"]["R"]["raw_elo"]["value"] for at in found]
    claim(rooks == sorted(rooks), "pieces decide more the later it is")
    last = run(backrank, "values", "data/pmrc-2026/midgame", "--against", "data/pmrc-2026/network")
    of_last = {row["piece"]: row["ratio"] for row in last if row["at_ply"] == at_plies[-1]["ply"]}
    claim(of_last["N"]["high"] < 1 and of_last["B"]["high"] < 1, "late in the game knight and bishop lose on the rook")
    return {"rows": found, "ratios": {piece: estimate(of_last[piece]) for piece in "NB"}}


def openings(backrank):
    """How many ratios of values by other openings to those by the usual ones are off by more than chance."""
    found = dict(line.split() for line in printed_by("other_openings.py", backrank).splitlines()[:2])
    claim(int(found["off"]) <= int(found["ratios"]) / 10, "values do not depend on openings")
    return found


def own_values(backrank):
    """What a kind is measured as if the engine takes it to be worth a fifth more."""
    means = dict(re.findall(r"^(all|without Q) +(.*)$", printed_by("own_values.py", backrank), re.MULTILINE))
    claim(float(re.search(r"to ([\d.]+)\)", means["without Q"])[1]) < 1, "a kind that is overvalued is measured as less")
    return {"all": means["all"], "without_queen": means["without Q"]}


def adjustment(pawn):
    """What the right to adjust is worth, beside a pawn of so many Elo."""
    found = dict(re.findall(r"^(\w+(?: it)?) +(.*)$", printed_by("adjustment.py"), re.MULTILINE))
    claim(int(re.search(r"\((-?\d+)", found["Elo"])[1]) > 0, "the right to adjust is worth something")
    claim(0.2 < int(found["Elo"].split()[0]) / pawn < 0.3, "the right to adjust is worth a quarter of a pawn")
    fewer, most, least = re.findall(r"[\d.]+", found["draws"])
    claim(found["draws"].count("-") == 3, "the rule makes draws rarer")
    claim(re.search(r"\(-.* to \+", found["White"]), "the rule leaves White's score as it is")
    return {
        "setups": found["setups"],
        "score": found["score"].replace(" %", ""),
        "elo": found["Elo"],
        "fewer_draws": f"{fewer} ({least} to {most})",
        "draws_without": found["without it"].split()[-2],
        "white": found["White"].replace("+", "").replace("-", "−"),
    }


def edge_pawns(backrank):
    """How much less pawns of the first and the last file are worth, over all parts."""
    printed = printed_by("edge_pawns.py", backrank)
    parts, value, low, high = re.search(r"^all (\d+) parts +(-?\d+) \((-?\d+) to (-?\d+)\)$", printed, re.MULTILINE).groups()
    claim(int(low) > 0, "pawns at the edge are worth less")
    return {"parts": parts, "less": f"{value} ({low} to {high})"}


def setups_of_matches():
    """The number of setups from which most matches of the network are played."""
    numbers = [
        int(re.search(r"^number_of_setups = (\d+)", study.read_text(encoding="utf-8"), re.MULTILINE).group(1))
        for study in sorted((DATA / "network").glob("*/study.toml"))
    ]
    return f"{statistics.mode(numbers):,}"


def coverage():
    """How many of the intervals of simulated studies have the true value: the least and the greatest, and those of imbalances."""
    methods = (ROOT / "analysis" / "METHODS.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([^|]+) \| (\d+\.\d) % \| ([\d,]+) \|$", methods, re.MULTILINE)
    shares = [float(share) for _, share, _ in rows]
    of_imbalances = [row for row in rows if re.search(r"imbalances|shared setups|80 % draws|without four", row[0])]
    return {"range": f"{min(shares):.0f} to {max(shares):.0f}", "rows": of_imbalances}


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    backrank = str(Path(sys.argv[1]).resolve())
    output = Path(sys.argv[2]) if len(sys.argv) > 2 else HERE / "paper.pdf"
    parts = {path: part(backrank, path) for _, path in PARTS}
    against = {path: ratios(backrank, path, other) for other, paths in AGAINST.items() for path in paths}
    network = parts["network-net"]
    claim(network["raw"]["additive"]["p_value"] < 0.01, "imbalances deviate from the sum of their pieces")
    claim(network["raw"]["pawns_add_up"]["p_value"] > 0.05, "pawns add up")
    for path in SAME:
        claim(all(0.85 < ratio["value"] < 1.15 for ratio in against[path].values()), f"{path} finds the same values within 15 %")
    again = [against["again"][piece] for piece in "BMQ"]
    claim(all(ratio["low"] < 1 < ratio["high"] for ratio in again), "bishop, minister and queen are found again")
    claim(against["again"]["N"]["high"] < 1, "the knight is not found again")
    less = against["network"]
    claim(less["M"]["low"] > 1 and less["Q"]["low"] > 1, "by weights minister and queen are worth more")
    claim(all(ratio["low"] < 1 < ratio["high"] for ratio in against["net"].values()), "the network finds the same values from other setups")
    claim(all(ratio["low"] < 1 < ratio["high"] for ratio in against["played-on"].values()), "repetitions do not matter")
    deeper = [ratio["value"] for path in ("strength/10000", "strength-net/10000") for ratio in against[path].values()]
    claim(all(0.9 < ratio < 1.1 for ratio in deeper), "from 1,000 to 10,000 nodes ratios change by less than a tenth")
    claim(against["small"]["P"]["low"] > 1 and against["small"]["N"]["low"] > 1, "pawns and knights are worth more on a smaller board")
    chess = parts["controls/chess"]["pieces"]
    claim(chess["Q"]["raw"]["low"] > network["pieces"]["Q"]["raw"]["high"], "a queen is worth more in chess")
    largest = max(abs(imbalance["residual"]["value"]) for imbalance in network["raw"]["imbalances"] if imbalance["residual"])
    numbers = {
        "names": NAMES,
        "parts": PARTS,
        "of": {path: {key: value for key, value in of.items() if key != "raw"} for path, of in parts.items()},
        "white": estimate(network["raw"]["white"], 0),
        "draws": number(100 * network["raw"]["draws"], 0),
        "pawns_add_up": chi_square(network["raw"]["pawns_add_up"]),
        "matches": matches(network["raw"]),
        "by_network": [{"path": path, "nodes": nodes} for path, nodes in BY_NETWORK],
        "odds": odds_of_single_pieces(backrank, network["raw"]),
        "stages": stages(backrank),
        "openings": openings(backrank),
        "own_values": own_values(backrank),
        "adjustment": adjustment(network["pieces"]["P"]["raw_elo"]["value"]),
        "edge_pawns": edge_pawns(backrank),
        "largest_residual": number(largest, 0),
        "probit": number(
            max(100 * abs(piece["probit"] / piece["value"]["value"] - 1) for piece in network["raw"]["pieces"] if piece["piece"] != "R"), 2
        ),
        "setups": f"{network['raw']['setups']:,}",
        "setups_by_weights": setups_of_matches(),
        "coverage": coverage(),
        "against": against,
        "bishops": bishops(backrank),
        "beside": beside(backrank),
        "pair": pair(backrank),
        "pieces": new_pieces(),
    }
    (HERE / "numbers.json").write_text(json.dumps(numbers, ensure_ascii=False, indent=1), encoding="utf-8")
    typst.compile(str(HERE / "paper.typ"), output=str(output), root=str(HERE))
    print(output)


if __name__ == "__main__":
    main()
