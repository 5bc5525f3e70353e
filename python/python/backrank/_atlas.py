"""Atlases: every setup of a game judged by search."""

from __future__ import annotations

import gzip
import json
from functools import cached_property
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

import polars as pl

from backrank import _backrank
from backrank._frame import frame
from backrank._progress import shown

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from backrank._backrank import VariantLike

#: Columns that may be empty, or look like numbers in the first rows.
_TYPES: Mapping[str, type[pl.DataType]] = {
    "quarter_cp": pl.Int64,
    "line_scores": pl.String,
    "gaps": pl.String,
    "adjustments": pl.String,
    "without_adjustment_cp": pl.Int64,
    "reflection": pl.UInt64,
}


class Atlas:
    """The directory of an atlas, which has a row for each setup that is judged, and says how."""

    def __init__(self, path: str | PathLike[str]) -> None:
        self.path = Path(path)
        variant, definition, _, _, complete = _backrank.read_atlas(self.path)
        #: The game.
        self.variant: _backrank.Variant = variant
        #: What `atlas.toml` says: everything that decides the rows.
        self.definition: dict[str, Any] = json.loads(definition)
        #: Whether every setup is judged.
        self.is_complete: bool = complete

    def __repr__(self) -> str:
        return f"Atlas({fspath(self.path)!r})"

    def to_frame(self) -> pl.DataFrame:
        """A row for each setup, with the columns of `atlas.csv`."""
        _, _, file, end, _ = _backrank.read_atlas(self.path)
        with gzip.open(file) if Path(file).suffix == ".gz" else open(file, "rb") as rows:
            # A crash may have torn the line after these.
            return pl.read_csv(rows.read(end), schema_overrides=_TYPES, infer_schema_length=None)

    def measures(self) -> pl.DataFrame:
        """How scores, complexities and asymmetries are distributed: mean, deviation and quartiles."""
        return frame(self._statistics[0])

    def agreements(self) -> pl.DataFrame:
        """How far judgements of the same thing agree: `noise` is the standard deviation of one judgement's error, by setups
        and their left–right reflections (of score and complexity), and by a quarter of the nodes (of score)."""
        return frame(self._statistics[1])

    def features(self, measure: str = "complexity") -> pl.DataFrame:
        """What goes with a measure, `"score_cp"`, `"complexity"` or `"asymmetry"`: effects of features of the setups."""
        features = dict(self._statistics[2])
        if measure not in features:
            raise ValueError(f"no features go with `{measure}`; there is {', '.join(features)}")
        return frame(features[measure])

    @cached_property
    def _statistics(self) -> tuple[str, str, list[tuple[str, str]]]:
        return _backrank.atlas_statistics(self.path)


@overload
def atlas(variant_or_directory: str | PathLike[str], /) -> Atlas: ...
@overload
def atlas(
    variant_or_directory: VariantLike,
    directory: str | PathLike[str],
    /,
    *,
    setups: str | int | Sequence[int] = ...,
    where: Sequence[str] = ...,
    nodes: int = ...,
    seed: int = ...,
    threads: int = ...,
    progress: bool | Callable[[int, int], object] = ...,
) -> Atlas: ...
def atlas(
    variant_or_directory: VariantLike,
    directory: str | PathLike[str] | None = None,
    /,
    *,
    setups: str | int | Sequence[int] = "all",
    where: Sequence[str] = (),
    nodes: int = 200_000,
    seed: int = 0,
    threads: int = 0,
    progress: bool | Callable[[int, int], object] = True,
) -> Atlas:
    """Reads the atlas in a directory, or, with a variant and a directory, judges setups by search and records them there.

    Each setup is searched with so many nodes, and the later positions of its line of best play with a tenth of them. Ctrl-C
    ends it; the same call goes on where it ended. The options are those of `backrank atlas`. `progress` may be a function of
    the number of setups judged and of all setups.

    >>> import tempfile
    >>> directory = tempfile.mkdtemp()
    >>> made = atlas("chess960", directory, setups="500..520", nodes=500, progress=False)
    >>> atlas(directory).to_frame().filter(pl.col("white_rank") == "RNBQKBNR")["setup"].item()
    518
    >>> made.definition["nodes"], made.is_complete
    (500, True)
    """
    if directory is None:
        if isinstance(variant_or_directory, _backrank.Variant):
            raise ValueError("where to? an atlas of a variant needs a directory")
        return Atlas(variant_or_directory)
    options = {
        "setups": setups if isinstance(setups, (str, int)) else list(setups),
        "where": list(where),
        "nodes": nodes,
        "seed": seed,
    }
    _backrank.make_atlas(variant_or_directory, directory, options, threads, shown(progress, "setups"))
    return Atlas(directory)
