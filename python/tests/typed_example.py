"""A program that uses the whole package, for mypy."""

from pathlib import Path

import backrank as br
import polars as pl


def best_setup(directory: Path) -> br.Setup:
    """The setup in which White scores most."""
    space: br.Space = br.Space(br.Variant("pmrc"))
    study: br.Study = br.play(space.variant, directory, setups="random:50", nodes=100)
    setups: pl.DataFrame = study.setups()
    return space[int(setups["setup"][0])]


def mate(position: br.Position) -> int | None:
    """Moves to mate."""
    found: br.SearchResult = br.search(position, nodes=1000, lines=2)
    lines: list[br.Line] = found.lines
    return lines[0].mate


def kings(setups: list[br.Setup]) -> list[int]:
    """The file of each king."""
    return [setup.white.index("K") for setup in setups]


print(kings(br.Space("pmrc").where(opposite_colours="B,B")[:10]), mate(br.Position("pmrc", 6944)))
print(br.endgame("pmrc", "KMvK").white_to_move.won)
