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


def fairest(directory: Path) -> str:
    """The first rank of the setup from which White is expected to score nearest to one half."""
    atlas: br.Atlas = br.atlas("pmrc", directory, setups=range(20), nodes=100, progress=False)
    rows: pl.DataFrame = atlas.to_frame()
    nodes: int = br.atlas(directory).definition["nodes"]
    r: br.Estimate = br.correlation(rows["complexity"], rows["score_cp"])
    print(f"{nodes} nodes, r = {r:.2f}", atlas.is_complete, atlas.measures(), 100 * br.wilson(0.5, 20))
    rank: str = rows.sort((pl.col("expected_score") - 0.5).abs())["white_rank"][0]
    return rank


def measured(directory: Path) -> pl.DataFrame:
    """What pieces are worth after ten seconds."""
    study: br.Study = br.study("chess960", time=10, output=directory, progress=False)
    parts: list[br.Study] = br.studies(directory)
    print(len(parts))
    return study.values()


def spread(study: br.Study) -> float | None:
    """Whether it matters where the queen stands."""
    found: br.SetupStatistics = study.setup_statistics(placement="Q")
    score: br.Estimate = found.score
    print(f"{score:.3f}", study.values(ratings=True), br.published(study.variant, unit="P=1"))
    return found.dispersion.p_value if found.dispersion else None


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
