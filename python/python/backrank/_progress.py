"""Progress of what takes long."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


def shown(
    progress: bool | Callable[[int, int], object], what: str
) -> Callable[[int, int], object] | None:
    """The function that is told of progress."""
    if callable(progress):
        return progress
    if not progress:
        return None
    last = -1

    def show(done: int, total: int) -> None:
        nonlocal last
        percent = 100 * done // max(total, 1)
        if percent != last:
            last = percent
            end = "\n" if done == total else ""
            print(f"\r{percent:3} % of {total:,} {what}", end=end, file=sys.stderr, flush=True)

    return show
