"""Tables as data frames."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import polars as pl

if TYPE_CHECKING:
    from pathlib import Path

#: Columns that are text even where the first rows look like numbers.
_TEXT = {name: pl.String for name in ("odds", "moves", "white", "black", "note", "name", "white_rank", "black_rank")}


def frame(table: str | Path) -> pl.DataFrame:
    """A table in CSV, as its text or its file."""
    source = io.StringIO(table) if isinstance(table, str) else table
    read = pl.read_csv(source, schema_overrides=_TEXT, infer_schema_length=None)
    # A column of numbers in which there is none looks like text.
    empty = [column.name for column in read if column.dtype == pl.String and column.null_count() == read.height]
    return read.with_columns(pl.col(name).cast(pl.Float64) for name in empty if name not in _TEXT)
