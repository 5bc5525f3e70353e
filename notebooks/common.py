"""What the notebooks share: where the data is, how plots look, and formulas of analysis/METHODS.md."""

import math
import tomllib
from pathlib import Path

import altair as alt
import polars as pl
from IPython.display import Markdown, display

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT / "data" / "pmrc-2026"

# The same colours as in the report.
METHODS = {"regression": "#1f6f8b", "odds": "#c05621", "mobility": "#6b4ea0", "published": "#8a8f96"}
RESULTS = {"White won": "#e9c46a", "drawn": "#b9bdc3", "Black won": "#3d4f63"}
BARS, LINE = "#8fb8c6", "#c05621"

# The quantile of the normal distribution that intervals of 95 % are made with.
Z = 1.959964


@alt.theme.register("backrank", enable=True)
def theme():
    font = "Helvetica, Arial, sans-serif"
    return alt.theme.ThemeConfig(
        {
            "background": "white",
            "config": {
                "font": font,
                "title": {"anchor": "start", "fontSize": 15, "subtitleColor": "#5c636b", "subtitleFontSize": 12},
                "axis": {"labelFontSize": 12, "titleFontSize": 12, "titleFontWeight": "normal", "gridColor": "#e9e7e1"},
                "legend": {"labelFontSize": 12, "titleFontSize": 12, "titleFontWeight": "normal", "orient": "top"},
                "view": {"stroke": None},
            },
        }
    )


# Pictures that show wherever the notebook does.
alt.renderers.enable("svg")
pl.Config.set_tbl_rows(40)
pl.Config.set_tbl_hide_column_data_types(True)
pl.Config.set_tbl_hide_dataframe_shape(True)
pl.Config.set_fmt_str_lengths(120)


def read(name):
    """A table of the data. Numbers may be `inf`, and a column may be empty."""
    texts = {
        "method", "piece", "note", "white_rank", "black_rank", "feature", "of", "name", "key", "where", "verdict",
        "source",
    }
    table = pl.read_csv(DATA / name, infer_schema=False)
    return table.with_columns(pl.exclude(texts & set(table.columns)).cast(pl.Float64))


def study(path):
    """What a study asks: its study.toml, with the game's file in `variant.file`."""
    asked = tomllib.loads((DATA / path / "study.toml").read_text())
    asked["variant"]["file"] = tomllib.loads(asked["variant"]["text"])
    return asked


def games(path):
    """The games of a study."""
    packed = DATA / path / "games.csv.gz"
    return pl.read_csv(packed if packed.exists() else DATA / path / "games.csv")


def elo(score):
    """The difference in Elo that goes with an expected score."""
    if score <= 0 or score >= 1:
        return math.copysign(math.inf, score - 0.5)
    return 400 * math.log10(score / (1 - score))


def wilson(score, trials):
    """Wilson's interval for a share of so many trials."""
    middle = (score + Z**2 / (2 * trials)) / (1 + Z**2 / trials)
    half = Z / (1 + Z**2 / trials) * math.sqrt(score * (1 - score) / trials + Z**2 / (4 * trials**2))
    return middle - half, middle + half


def match(path):
    """A match at odds: the Elo of the side that has what stands before the colon, by pairs of games.

    Each game once, and only whole pairs, as everywhere.
    """
    first = study(path)["odds"].split(":")[0]
    points = pl.col("result").replace_strict({"1-0": 1.0, "1/2-1/2": 0.5, "0-1": 0.0})
    pairs = (
        games(path)
        .unique(["fen", "moves", "result"], keep="first", maintain_order=True)
        .with_columns(
            pair=pl.col("game") // 2,
            # White lacks what is named first, so that Black has it.
            points=pl.when(pl.col("odds").str.split(":").list.first() == first).then(1 - points).otherwise(points),
        )
        .group_by("pair", maintain_order=True)
        .agg(pl.col("points").mean(), pl.len())
        .filter(pl.col("len") == 2)["points"]
    )
    score, variance = pairs.mean(), pairs.var()
    low, high = wilson(score, score * (1 - score) * len(pairs) / variance)
    # The slope of Elo by the score, for the error of a difference of two matches.
    slope = 400 / math.log(10) / (score * (1 - score))
    error = slope * math.sqrt(variance / len(pairs))
    return {
        "study": path, "pairs": len(pairs), "score": score, "elo": elo(score), "elo_low": elo(low),
        "elo_high": elo(high), "error": error,
    }


def published(key):
    """What others have published, in their own pawns, for the pieces of one of our games, by their letters."""
    pieces = tomllib.loads((ROOT / "rules" / "variants" / f"{key}.toml").read_text())["pieces"]
    moves = {letter: piece["betza"] for letter, piece in pieces.items()} | {"P": "P"}
    lists = tomllib.loads((ROOT / "analysis" / "published-values.toml").read_text())["published"]
    rows = []
    for found in lists:
        pawn, name = found["values"]["P"], f"{found['name']} ({found['board'].replace('x', '×')})"
        for letter, betza in moves.items():
            for piece, its_moves in [(letter, betza), (f"{letter}+{letter}", f"{betza}+{betza}")]:
                if its_moves in found["values"]:
                    rows.append({"list": name, "piece": piece, "pawns": found["values"][its_moves] / pawn})
    return pl.DataFrame(rows)


def number(value, digits=2):
    """A number as text, with a minus that is one."""
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    return f"{value:,.{digits}f}".replace("-", "−")


def between(value, low, high, digits=2):
    """A number with its interval; without, where it has none."""
    if low is None or low == high:
        return number(value, digits)
    return f"{number(value, digits)} ({number(low, digits)} to {number(high, digits)})"
