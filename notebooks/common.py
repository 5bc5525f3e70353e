"""What the notebooks share: where the data is, and how plots and numbers look."""

import math
from pathlib import Path

import altair as alt
import backrank as br
import polars as pl
from IPython.display import Markdown, display

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT / "data" / "pmrc-2026"

# The same colours as in the report.
METHODS = {"regression": "#1f6f8b", "imbalances": "#c05621", "mobility": "#6b4ea0", "published": "#8a8f96"}
RESULTS = {"White won": "#e9c46a", "drawn": "#b9bdc3", "Black won": "#3d4f63"}
BARS, LINE, MUTED = "#8fb8c6", "#c05621", "#5c636b"
PIECES = ["P", "N", "B", "R", "M", "A", "C", "Q", "B+B"]


@alt.theme.register("backrank", enable=True)
def theme():
    font = "Helvetica, Arial, sans-serif"
    return alt.theme.ThemeConfig(
        {
            "background": "white",
            "config": {
                "font": font,
                "title": {"anchor": "start", "fontSize": 15, "subtitleColor": MUTED, "subtitleFontSize": 12},
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


def studies(*folders):
    """The studies in folders of the data, or in the folders below them."""
    there = [DATA / folder for folder in folders if (DATA / folder).is_dir()]
    return br.studies(*there) if there else []


def values(of):
    """What pieces are worth by some studies together."""
    first, *others = of
    return first.values(*others).rename({"low": "value_low", "high": "value_high"})


def held_against(of, against, here, there):
    """Two measurements by imbalances side by side, each with its interval."""
    first, *others = of
    rows = first.compare(against, *others).filter(pl.col("method") == "imbalances")
    ply = [] if rows["at_ply"].is_null().all() else ["at_ply"]
    numbers = {here: written("value"), there: written("against"), "ratio": written("ratio"), "Elo more": written("elo_more", 0)}
    return rows.select(*ply, "piece", **numbers)


def missing(folder):
    """What a cell shows in the place of a part of the data that is not there."""
    return Markdown(f"*There is no `{folder}` here, so this is left out.*")


def intervals(table, number, axis, y, color=METHODS["regression"], scale=None, **properties):
    """Estimates as points, and their intervals as lines: the columns `number`, `number_low` and `number_high`. An interval that
    has no end goes to the edge of the picture."""
    ends = [f"{number}_low", f"{number}_high"]
    table = table.filter(pl.col(number).is_finite())
    least, most = table[number].min() or 0, table[number].max() or 0
    lengths = table[ends[1]] - table[ends[0]]
    room = max(most - least, 2 * (lengths.filter(lengths.is_finite()).median() or 0)) or 1
    kept = table.with_columns(pl.col(ends).clip(least - room, most + room))
    base = alt.Chart(kept).encode(y=y, color=color if isinstance(color, alt.Color) else alt.value(color))
    scale = scale or alt.Scale(zero=False)
    lines = base.mark_rule(strokeWidth=2.5).encode(x=alt.X(f"{ends[0]}:Q", title=axis, scale=scale), x2=f"{ends[1]}:Q")
    points = base.mark_point(filled=True, size=70, opacity=1).encode(x=alt.X(f"{number}:Q", title=axis, scale=scale))
    return alt.layer(lines, points).properties(**properties)


def at(x):
    """A dashed line across a picture."""
    return alt.Chart(pl.DataFrame({"x": [x]})).mark_rule(strokeDash=[3, 3], color=MUTED).encode(x="x:Q")


def methods(kept, title=None):
    """Colours for the methods."""
    return alt.Color("method:N", title=title, scale=alt.Scale(domain=kept, range=[METHODS[method] for method in kept]))


def by_piece(chart, title, subtitle="points: estimates; lines: 95 % intervals"):
    """A chart for each piece, one below the other."""
    header = alt.Header(labelAngle=0, labelAlign="left", labelFontSize=13, labelFontWeight="bold")
    rows = chart.properties(width=560, height=46).facet(row=alt.Row("piece:N", sort=PIECES, title=None, header=header), spacing=4)
    return rows.properties(title=alt.Title(title, subtitle=subtitle))


def plot_values(found, variant, title):
    """Values by method, with the values that others have published as ticks."""
    kept = list(METHODS)
    rows = found.filter(pl.col("method").is_in(kept), pl.col("at_ply").is_null(), pl.col("value").is_finite())
    lists = br.published(variant).filter(pl.col("piece").is_in(rows["piece"].implode())).with_columns(method=pl.lit("published"))
    y = alt.Y("method:N", title=None, axis=None, sort=kept)
    unit = rows["unit"][0]
    data = pl.concat([rows, lists], how="diagonal_relaxed")
    chart = intervals(data, "value", f"value, {unit}", y, methods(kept))
    lines, points = chart.layer
    points = points.transform_filter("datum.method != 'published'")
    ticks = alt.Chart(chart.data).transform_filter("datum.method == 'published'").mark_tick(thickness=2, size=11)
    ticks = ticks.encode(x="value:Q", y=y, color=methods(kept))
    return by_piece(alt.layer(lines, points, ticks, data=chart.data), title, "points: estimates; lines: 95 % intervals; ticks: published")


def table_of(found):
    """Values by method, each with its interval."""
    rows = found.filter(pl.col("value").is_finite(), pl.col("at_ply").is_null())
    texts = rows.with_columns(text=written("value"))
    return texts.pivot("method", index="piece", values="text").fill_null("").sort(in_order())


def in_order():
    """Pieces from the least to the most valuable, as in the pictures."""
    return pl.col("piece").replace_strict(PIECES, range(len(PIECES)), default=len(PIECES), return_dtype=pl.Int32)


def written(number, digits=2):
    """The column that says a number and its interval."""
    columns = [number, f"{number}_low", f"{number}_high"]
    return pl.struct(columns).map_elements(lambda row: between(*row.values(), digits), return_dtype=pl.String)


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


def estimate(found, digits=1):
    """An estimate of the package as text."""
    return between(found.value, found.low, found.high, digits)
