"""Studies: a directory with games, and what they show."""

from __future__ import annotations

import io
import sys
from dataclasses import dataclass
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl

from backrank import _backrank

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from backrank._backrank import VariantLike

#: Columns that are text even where the first rows look like numbers.
_TEXT = {name: pl.String for name in ("odds", "moves", "white", "black", "note", "white_rank", "black_rank")}


class Study:
    """A study's directory: games that were played or imported.

    Several studies of one game are evaluated together: `study.values(others)`.
    """

    def __init__(self, path: str | PathLike[str]) -> None:
        self.path = Path(path)
        _backrank.games_file(self.path)

    def __repr__(self) -> str:
        return f"Study({fspath(self.path)!r})"

    def games(self) -> pl.DataFrame:
        """A row for each game, with the columns of `games.csv`."""
        file = _backrank.games_file(self.path)
        return pl.read_csv(file, schema_overrides=_TEXT, infer_schema_length=None)

    def values(
        self,
        *others: Study | str | PathLike[str],
        unit: str | None = None,
        bootstrap: int = 200,
        cluster_by_setup: bool = False,
        seed: int = 0,
    ) -> pl.DataFrame:
        """What pieces are worth, by every method that the games allow, with the columns of `values.csv`."""
        text = _backrank.values(self._paths(others), unit, bootstrap, cluster_by_setup, seed)
        return _frame(text)

    def setups(
        self,
        *others: Study | str | PathLike[str],
        permutations: int = 999,
        seed: int = 0,
    ) -> pl.DataFrame:
        """White's score from each setup, with the columns of `setups.csv`."""
        return _frame(_backrank.setups(self._paths(others), permutations, seed))

    def report(
        self,
        path: str | PathLike[str],
        *others: Study | str | PathLike[str],
        unit: str | None = None,
        bootstrap: int = 200,
    ) -> Path:
        """Writes everything on one page of HTML, and returns its path."""
        paths = self._paths(others)
        command = f"backrank report {' '.join(map(fspath, paths))} -o {fspath(path)}"
        page = _backrank.report(paths, unit, bootstrap, command)
        Path(path).write_text(page, encoding="utf-8")
        return Path(path)

    def _paths(self, others: Sequence[Study | str | PathLike[str]]) -> list[Path]:
        return [study.path if isinstance(study, Study) else Path(study) for study in (self, *others)]


def play(
    variant: VariantLike,
    directory: str | PathLike[str],
    *,
    setups: str | int | Sequence[int] = "all",
    where: Sequence[str] = (),
    games: int | None = None,
    pairs: bool = False,
    odds: str | None = None,
    nodes: int | None = None,
    depth: int | None = None,
    time: float | None = None,
    seed: int = 0,
    opening_plies: int | None = None,
    max_plies: int | None = None,
    scores: bool = False,
    black: str | None = None,
    threads: int = 0,
    progress: bool | Callable[[int, int], object] = True,
) -> Study:
    """Plays games from setups, such as `"random:500"`, and records them in a directory.

    A move takes so many nodes, plies or seconds; 1,000 nodes without a limit. Ctrl-C ends it; the same call goes on where it
    ended. `black` is the command of a UCI engine that plays against the embedded one. The options are those of `backrank
    play`. `progress` may be a function of the number of games played and of all games.
    """
    together = pairs or odds is not None
    options = {
        "setups": setups if isinstance(setups, (str, int)) else list(setups),
        "where": list(where),
        "games": games if games is not None else (2 if together else 1),
        "pairs": together,
        "odds": odds,
        "nodes": nodes,
        "depth": depth,
        "time": time,
        "seed": seed,
        "opening_plies": opening_plies,
        "max_plies": max_plies,
        "scores": scores,
        "black": black,
    }
    _backrank.play(variant, directory, options, threads, _shown(progress, "games"))
    return Study(directory)


@dataclass(frozen=True)
class LeftOut:
    """Games of an archive that could not be imported for one reason."""

    games: int
    #: The line of the first one, from 1, and what is wrong there.
    line: int
    problem: str


@dataclass(frozen=True)
class Imported:
    """A study of imported games, and what became of the others."""

    study: Study
    games: int
    read: int
    below_min_elo: int
    left_out: dict[str, LeftOut]


def import_pgn(
    archives: str | PathLike[str] | Sequence[str | PathLike[str]],
    directory: str | PathLike[str],
    variant: VariantLike,
    *,
    min_elo: int | None = None,
    limit: int | None = None,
    threads: int = 0,
    progress: bool | Callable[[int, int], object] = True,
) -> Imported:
    """Imports games in PGN, plain or compressed by gzip or zstd, as a study."""
    files = [archives] if isinstance(archives, (str, PathLike)) else list(archives)
    found = _backrank.import_pgn(
        files, directory, variant, min_elo, limit, threads, _shown(progress, "bytes")
    )
    left_out = {why: LeftOut(*games) for why, games in found.pop("left_out").items()}
    return Imported(study=Study(directory), left_out=left_out, **found)


def _frame(text: str) -> pl.DataFrame:
    frame = pl.read_csv(io.StringIO(text), schema_overrides=_TEXT, infer_schema_length=None)
    return frame


def _shown(
    progress: bool | Callable[[int, int], object], what: str
) -> Callable[[int, int], object] | None:
    """The function that is told of progress."""
    if callable(progress):
        return progress
    if not progress:
        return None
    shown = -1

    def show(done: int, total: int) -> None:
        nonlocal shown
        percent = 100 * done // max(total, 1)
        if percent != shown:
            shown = percent
            end = "\n" if done == total else ""
            print(f"\r{percent:3} % of {total:,} {what}", end=end, file=sys.stderr, flush=True)

    return show
