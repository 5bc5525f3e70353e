"""Endgame tables."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from backrank import _backrank

if TYPE_CHECKING:
    from backrank._backrank import VariantLike


@dataclass(frozen=True)
class Counts:
    """Positions that White wins, draws and loses."""

    won: int
    drawn: int
    lost: int


@dataclass(frozen=True)
class Endgame:
    """Who wins with which pieces, and how long that takes."""

    pieces: str
    white_to_move: Counts
    black_to_move: Counts
    #: White's longest win in moves; none where White cannot win.
    longest_win_moves: int | None
    #: A position from which it takes so long.
    longest_win_from: str | None


def endgame(variant: VariantLike, pieces: str, *, memory: int = 4096) -> Endgame:
    """Makes the table of every position with some pieces, White's before the `v`, in at most `memory` MiB.

    >>> endgame("pmrc", "KMvK").longest_win_moves
    21
    """
    found = _backrank.endgame(variant, pieces, memory=memory)
    white, black = (Counts(**found.pop(side)) for side in ("white_to_move", "black_to_move"))
    return Endgame(white_to_move=white, black_to_move=black, **found)
