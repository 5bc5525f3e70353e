"""Studies: a directory with games, and what they show."""

from __future__ import annotations

import json
from dataclasses import dataclass
from os import PathLike, fspath
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any, Literal

import polars as pl

from backrank import _backrank
from backrank._frame import frame
from backrank._progress import shown

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from backrank._backrank import Estimate, Variant, VariantLike

class Study:
    """A study's directory: games that were played or imported.

    Several studies of one game are evaluated together: `study.values(others)`. What `backrank study` or `br.study` has played
    is a study of games from all setups, with studies of games at odds in the folders below; `values`, `compare`,
    `imbalances` and `report` take these into account, as the commands do.
    """

    def __init__(self, path: str | PathLike[str]) -> None:
        self.path = Path(path)
        variant, definition, _ = _backrank.read_study(self.path)
        #: The game.
        self.variant: Variant = variant
        #: What `study.toml` says: everything that decides the games.
        self.definition: dict[str, Any] = json.loads(definition)

    def __repr__(self) -> str:
        return f"Study({fspath(self.path)!r})"

    def games(self) -> pl.DataFrame:
        """A row for each game, with the columns of `games.csv`."""
        _, _, file = _backrank.read_study(self.path)
        if file is None:
            raise ValueError(f"{self.path} has no games yet")
        return frame(Path(file))

    def values(
        self,
        *others: Study | str | PathLike[str],
        unit: str | None = None,
        bootstrap: int = 1000,
        cluster_by_setup: bool = False,
        ratings: bool = False,
        rating_error: float = 60.0,
        seed: int = 0,
    ) -> pl.DataFrame:
        """What pieces are worth, by every method that the games allow, with the columns of `values.csv`.

        With `ratings` the regression takes the difference of the players' ratings, in steps of 25 Elo, and leaves out games
        without; it is corrected for errors of ratings with a standard deviation of `rating_error` Elo.
        """
        if not 0 <= rating_error <= 1000:
            raise ValueError(f"a rating error is a number of Elo from 0 to 1000, not {rating_error}")
        error = rating_error if ratings else None
        text, _ = _backrank.values(self._paths(others), unit, bootstrap, cluster_by_setup, seed, error)
        return frame(text)

    def compare(
        self,
        against: Study | str | PathLike[str] | Sequence[Study | str | PathLike[str]],
        *others: Study | str | PathLike[str],
        unit: str | None = None,
    ) -> pl.DataFrame:
        """The values of this study and others beside those of the studies `against`: another strength, another engine, another
        board. `ratio` is the value here divided by that there, and `elo_more` the difference in Elo."""
        there = [against] if isinstance(against, (Study, str, PathLike)) else against
        paths = [study.path if isinstance(study, Study) else Path(study) for study in there]
        return frame(_backrank.compare_values(self._paths(others), paths, unit))

    def imbalances(self, *others: Study | str | PathLike[str]) -> pl.DataFrame:
        """The matches at odds, the largest first: what each shows by itself (`elo`), and what the values of all expect of it.

        `odds` has what one side lacks and what the other lacks, `score` and `elo` are those of the side that has the first.
        """
        _, text = _backrank.values(self._paths(others), None, 0, False, 0, None)
        if text is None:
            raise ValueError("none of these games is at odds")
        return frame(text)

    def setups(
        self,
        *others: Study | str | PathLike[str],
        permutations: int = 999,
        seed: int = 0,
    ) -> pl.DataFrame:
        """White's score from each setup, with the columns of `setups.csv`."""
        return self.setup_statistics(*others, permutations=permutations, seed=seed).setups

    def setup_statistics(
        self,
        *others: Study | str | PathLike[str],
        placement: str | None = None,
        permutations: int = 999,
        steps: int = 20,
        seed: int = 0,
    ) -> SetupStatistics:
        """What games say of their setups: whether setups differ by more than chance, and what goes with White's score.

        With `placement`, such as `"KR"`, setups that have these pieces on the same files count as one, with `·` for the other
        pieces. `steps` is the number of steps of the histogram.
        """
        found = _backrank.setup_statistics(self._paths(others), placement, permutations, seed, steps)
        found |= {name: frame(found[name]) for name in ("setups", "histogram", "features")}
        if found["dispersion"] is not None:
            found["dispersion"] = Dispersion(*found["dispersion"])
        if found["adjustments"] is not None:
            found["adjustments"] = frame(found["adjustments"])
        return SetupStatistics(**found)

    def report(
        self,
        path: str | PathLike[str],
        *others: Study | str | PathLike[str],
        unit: str | None = None,
        bootstrap: int = 1000,
    ) -> Path:
        """Writes everything on one page of HTML, and returns its path."""
        paths = self._paths(others)
        command = f"backrank report {' '.join(quote(fspath(one)) for one in paths)} -o {quote(fspath(path))}"
        page = _backrank.report(paths, unit, bootstrap, command)
        Path(path).write_text(page, encoding="utf-8")
        return Path(path)

    def _paths(self, others: Sequence[Study | str | PathLike[str]]) -> list[Path]:
        return [study.path if isinstance(study, Study) else Path(study) for study in (self, *others)]


def studies(*directories: str | PathLike[str]) -> list[Study]:
    """The studies with games in directories and in the folders below them, such as those of what `backrank study` has played."""
    return [Study(path) for path in _backrank.studies_within(directories)]


@dataclass(frozen=True)
class Dispersion:
    """How much more scores vary from setup to setup than chance would have it, by a permutation test."""

    statistic: float
    #: The mean of the statistic if setups do not differ.
    expected: float
    permutations: int
    #: The chance of a statistic so large if setups do not differ.
    p_value: float


@dataclass(frozen=True)
class SetupStatistics:
    """What games say of their setups."""

    games: int
    #: Games that White has won, drawn and lost.
    results: tuple[int, int, int]
    #: White's score over all of them.
    score: Estimate
    #: Whether setups differ at all; none where no setup has two games.
    dispersion: Dispersion | None
    #: White's score from each setup, with the columns of `setups.csv`.
    setups: pl.DataFrame
    #: The number of setups by White's score, and what chance alone would give.
    histogram: pl.DataFrame
    #: What goes with White's score, with the columns of `features.csv`.
    features: pl.DataFrame
    #: How the Bishop Adjustment was used, with the columns of `adjustments.csv`; none in games without it.
    adjustments: pl.DataFrame | None


def play(
    variant: VariantLike,
    directory: str | PathLike[str],
    *,
    setups: str | int | Sequence[int] = "all",
    where: Sequence[str] = (),
    games: int | None = None,
    pairs: bool | Literal["players", "sides"] = False,
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
    play`: in pairs the players swap colours, or, in a game whose sides have different pieces, the sides take turns in moving first;
    `pairs="players"` and `pairs="sides"` say which. `progress` may be a function of the number of games played and of all games.
    """
    together = bool(pairs) or odds is not None
    options = {
        "setups": setups if isinstance(setups, (str, int)) else list(setups),
        "where": list(where),
        "games": games if games is not None else (2 if together else 1),
        "pairs": together,
        "swap": pairs if isinstance(pairs, str) else None,
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
    _backrank.play(variant, directory, options, threads, shown(progress, "games"))
    return Study(directory)


def study(
    variant: VariantLike,
    *,
    time: float | None = None,
    games: int | None = None,
    rounds: int = 3,
    output: str | PathLike[str] | None = None,
    nodes: int | None = None,
    seed: int | None = None,
    where: Sequence[str] | None = None,
    unit: str | None = None,
    threads: int = 0,
    progress: bool | Callable[[int, int], object] = True,
) -> Study:
    """Measures a game as `backrank study` does: plays from all setups and at imbalances, and estimates what pieces are worth.

    It takes about `time` seconds, 120 unless it is told otherwise, or plays so many `games` in `rounds`, which are the same on
    every machine. The directory is `output`, or `study-KEY`. It gets the games, `values.csv`, `setups.csv` and `report.html`. Ctrl-C
    ends it; the same call, or one with the directory in place of the game, goes on where it ended. `progress` may be a
    function of the seconds, or games, so far and of all.
    """
    if time is not None and games is not None:
        raise ValueError("give either a time or a number of games")
    subject = variant if isinstance(variant, (str, PathLike)) else None
    begun = _backrank.begun_variant(subject) if subject is not None and output is None else None
    if subject is not None and begun is not None:
        game, path = begun, Path(subject)
    else:
        game = _backrank.Variant(variant)
        path = Path(output) if output is not None else Path(f"study-{game.key}")
    options = {
        "time": time if time is not None else 120.0,
        "games": games,
        "rounds": rounds,
        "nodes": nodes,
        "seed": seed,
        "where": None if where is None else list(where),
        "unit": unit,
    }
    by_unit = "" if unit is None else f" --unit {quote(unit)}"
    command = f"backrank report {quote(fspath(path))}{by_unit} -o {quote(fspath(path / 'report.html'))}"
    shown_in = "games" if games is not None else "seconds"
    _backrank.study(game, path, options, command, threads, shown(progress, shown_in))
    return Study(path)


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
        files, directory, variant, min_elo, limit, threads, shown(progress, "bytes")
    )
    left_out = {why: LeftOut(*games) for why, games in found.pop("left_out").items()}
    return Imported(study=Study(directory), left_out=left_out, **found)
