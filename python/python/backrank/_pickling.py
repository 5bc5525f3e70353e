"""How pickles make objects again, for `multiprocessing` and for files.

A pickle holds the names of these functions and what they are called with, so neither changes.
"""

from __future__ import annotations

from typing import Any

from backrank import _backrank


def variant(key: str, text: str | None) -> _backrank.Variant:
    """A game by the text of its file; without one, of the catalogue."""
    return _backrank.Variant._unpickled(key, text)


def space(of: _backrank.Variant, constraints: list[str], numbering: str) -> _backrank.Space:
    """A space, narrowed by constraints."""
    return _backrank.Space._unpickled(of, constraints, numbering)


def setup(of: _backrank.Variant, white: bytes, black: bytes, number: int) -> _backrank.Setup:
    """A setup with its id."""
    return _backrank.Setup._unpickled(of, white, black, number)


def position(of: _backrank.Variant, fen: str, adjustment: bool, moves: list[str]) -> _backrank.Position:
    """A position by the moves that led to it from another."""
    unpickled = _backrank.Position(of, fen=fen, adjustment=adjustment)
    for move in moves:
        unpickled.push(move)
    return unpickled


def line(*fields: Any) -> _backrank.Line:
    """A line of play."""
    return _backrank.Line._unpickled(*fields)


def search_result(*fields: Any) -> _backrank.SearchResult:
    """What a search found."""
    return _backrank.SearchResult._unpickled(*fields)


def estimate(value: float, low: float, high: float) -> _backrank.Estimate:
    """A number with its interval."""
    return _backrank.Estimate._unpickled(value, low, high)
