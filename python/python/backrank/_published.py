"""Values that others have published."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from backrank import _backrank

if TYPE_CHECKING:
    from backrank._backrank import VariantLike


def published(variant: VariantLike, *, unit: str | None = None) -> pl.DataFrame:
    """Values that others have published for a game's pieces, in the unit of `Study.values`: `list`, `board`, `piece` and
    `value`. A pair of bishops is `B+B`.

    >>> lists = published("chess", unit="P=1")
    >>> lists.filter(pl.col("piece") == "Q")["value"].min() > 8
    True
    """
    columns = ["list", "board", "piece", "value"]
    return pl.DataFrame(_backrank.published(variant, unit), schema=columns, orient="row")
