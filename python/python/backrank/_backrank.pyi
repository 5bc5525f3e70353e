"""What is written in Rust."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any, TypeAlias, final, overload

import polars as pl

__version__: str

VariantLike: TypeAlias = Variant | str | PathLike[str]
Progress: TypeAlias = Callable[[int, int], object]

@final
class Variant:
    """A game: by its key, or by the path of its file."""

    def __new__(cls, variant: VariantLike) -> Variant: ...
    @staticmethod
    def from_file(path: str | PathLike[str]) -> Variant:
        """The game of a variant file."""
    @property
    def key(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def source(self) -> str:
        """Where its rules come from."""
    @property
    def files(self) -> int: ...
    @property
    def ranks(self) -> int: ...
    @property
    def count_only(self) -> bool:
        """Whether its setups are counted and listed, but the game is not played."""
    @property
    def text(self) -> str:
        """The text of its file."""
    @property
    def pieces(self) -> list[tuple[str, str]]:
        """The letters of the pieces and how they move, in Betza's notation."""
    def __eq__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...
    @staticmethod
    def _unpickled(key: str, text: str | None) -> Variant: ...

@final
class Setup:
    """A starting arrangement. A notebook shows its board."""

    @property
    def id(self) -> int:
        """Its number in the numbering of the space that it was taken from."""
    @property
    def variant(self) -> Variant: ...
    @property
    def white(self) -> str:
        """White's first rank from the a-file."""
    @property
    def black(self) -> str: ...
    @property
    def fen(self) -> str: ...
    def __eq__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...
    @staticmethod
    def _unpickled(variant: Variant, white: bytes, black: bytes, number: int) -> Setup: ...

@final
class Space:
    """All the setups of a variant, in the order of a numbering."""

    def __new__(cls, variant: VariantLike, *, numbering: str | None = None) -> Space: ...
    @property
    def variant(self) -> Variant: ...
    @property
    def numbering(self) -> str: ...
    @property
    def numberings(self) -> list[str]:
        """The names that `numbering` may have."""
    @property
    def constraints(self) -> list[str]:
        """The constraints that narrow it besides the variant's own."""
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, index: int) -> Setup: ...
    @overload
    def __getitem__(self, index: slice) -> list[Setup]: ...
    def __iter__(self) -> Iterator[Setup]: ...
    def __contains__(self, setup: object) -> bool: ...
    def index(self, setup: Setup | str) -> int:
        """The id of a setup; of a text White's first rank, `WHITE/BLACK` where sides are independent, or the FEN of a starting
        position."""
    def where(self, **constraints: str | bool | list[str]) -> Space:
        """The setups that satisfy more constraints, such as `opposite_colours="B,B"`. They get new ids."""
    def random(self, n: int, seed: int = 0, *, distinct: bool = False) -> list[Setup]:
        """Setups drawn with equal probabilities, those of `backrank random` for the same seed; none twice if they are to be
        distinct."""
    def draw(self, phrase: str, n: int = 1) -> list[Setup]:
        """Distinct setups drawn from a phrase by SHA-256, those of `backrank draw`."""
    def to_frame(self, start: int = 0, end: int | None = None) -> pl.DataFrame:
        """The columns `id`, `white`, `black` and `fen` of all setups, or of those with the ids from `start` to `end`."""
    @staticmethod
    def _unpickled(variant: Variant, constraints: list[str], numbering: str) -> Space: ...

@final
class Position:
    """A position, and the moves that led to it. A notebook shows its board."""

    def __new__(
        cls,
        variant: VariantLike,
        setup: int | str | Setup | None = None,
        *,
        fen: str | None = None,
        adjustment: bool = True,
    ) -> Position:
        """The start from a setup, given by its id or White's rank, or the position of a FEN. Without `adjustment` the game
        is played without the Bishop Adjustment."""
    @property
    def variant(self) -> Variant: ...
    @property
    def fen(self) -> str: ...
    @property
    def turn(self) -> str:
        """`"white"` or `"black"`."""
    @property
    def is_check(self) -> bool: ...
    @property
    def moves(self) -> list[str]:
        """The moves that led here, in UCI."""
    @property
    def outcome(self) -> tuple[str, str] | None:
        """The result and how the game ended; none while it goes on."""
    @property
    def repetitions(self) -> int:
        """How often this position has been on the board since the first one, the current time included."""
    def legal_moves(self) -> list[str]:
        """The legal moves, in UCI."""
    def push(self, text: str) -> str:
        """Plays a move, in UCI or in the game's notation, and returns it in UCI."""
    def pop(self) -> str:
        """Takes the last move back and returns it."""
    def after(self, text: str) -> Position:
        """The position after a move."""
    def copy(self) -> Position: ...
    def san(self, text: str) -> str:
        """A legal move in the game's notation."""
    def uci(self, text: str) -> str:
        """A legal move in UCI."""
    def perft(self, depth: int) -> int:
        """The number of lines of play of so many plies."""
    def __eq__(self, other: object) -> bool: ...

@final
class Line:
    """A line of play with its score for the side to move: in centipawns, or in moves to mate."""

    @property
    def centipawns(self) -> int | None: ...
    @property
    def mate(self) -> int | None:
        """Moves to mate, negative for the side that is mated."""
    @property
    def moves(self) -> list[str]: ...
    @property
    def san(self) -> list[str]: ...
    @staticmethod
    def _unpickled(*fields: Any) -> Line: ...

@final
class SearchResult:
    """What a search found: its lines, the best first."""

    @property
    def lines(self) -> list[Line]: ...
    @property
    def centipawns(self) -> int | None: ...
    @property
    def mate(self) -> int | None: ...
    @property
    def depth(self) -> int: ...
    @property
    def nodes(self) -> int: ...
    @property
    def best(self) -> str | None:
        """The best move, in UCI; none where the game is over."""
    @property
    def line(self) -> list[str]:
        """The best line of play, in UCI."""
    @staticmethod
    def _unpickled(*fields: Any) -> SearchResult: ...

@final
class Estimate:
    """A number that was estimated, with the ends of its 95 % interval. `f"{estimate:.2f}"` writes it with its interval, and
    `100 * estimate` makes a share percent."""

    @property
    def value(self) -> float: ...
    @property
    def low(self) -> float: ...
    @property
    def high(self) -> float: ...
    def __format__(self, format: str, /) -> str: ...
    def __rmul__(self, number: float, /) -> Estimate: ...
    @staticmethod
    def _unpickled(value: float, low: float, high: float) -> Estimate: ...

def correlation(x: Iterable[float], y: Iterable[float]) -> Estimate:
    """Pearson's correlation of two columns, with the interval of Fisher's z."""

def wilson(share: float, trials: float) -> Estimate:
    """A share of so many trials, with Wilson's interval."""

def variants() -> list[Variant]:
    """The catalogue."""

def search(
    position: Position,
    *,
    nodes: int | None = None,
    depth: int | None = None,
    time: float | None = None,
    lines: int = 1,
    hash: int = 16,
) -> SearchResult:
    """Searches a position within limits: nodes, plies or seconds; a million nodes without any. `hash` is the size of the
    transposition table in MiB."""

def endgame(variant: VariantLike, pieces: str, *, memory: int = 4096) -> dict[str, Any]: ...
def play(
    variant: VariantLike,
    directory: str | PathLike[str],
    options: Mapping[str, object],
    threads: int,
    progress: Progress | None,
) -> None: ...
def import_pgn(
    archives: Sequence[str | PathLike[str]],
    directory: str | PathLike[str],
    variant: VariantLike,
    min_elo: int | None,
    limit: int | None,
    threads: int,
    progress: Progress | None,
) -> dict[str, Any]: ...
def make_atlas(
    variant: VariantLike,
    directory: str | PathLike[str],
    options: Mapping[str, object],
    threads: int,
    progress: Progress | None,
) -> None: ...
def read_atlas(directory: str | PathLike[str]) -> tuple[Variant, str, str, int, bool]: ...
def atlas_statistics(directory: str | PathLike[str]) -> tuple[str, str, list[tuple[str, str]]]: ...
def read_study(directory: str | PathLike[str]) -> tuple[Variant, str, str | None]: ...
def begun_variant(directory: str | PathLike[str]) -> Variant | None: ...
def studies_within(directories: Sequence[str | PathLike[str]]) -> list[Path]: ...
def study(
    variant: VariantLike,
    directory: str | PathLike[str],
    options: Mapping[str, object],
    command: str,
    threads: int,
    progress: Progress | None,
) -> None: ...
def values(
    directories: Sequence[str | PathLike[str]],
    unit: str | None,
    bootstrap: int,
    cluster_by_setup: bool,
    seed: int,
    rating_error: float | None,
) -> tuple[str, str | None]: ...
def compare_values(
    directories: Sequence[str | PathLike[str]],
    against: Sequence[str | PathLike[str]],
    unit: str | None,
) -> str: ...
def setup_statistics(
    directories: Sequence[str | PathLike[str]],
    placement: str | None,
    permutations: int,
    seed: int,
    steps: int,
) -> dict[str, Any]: ...
def published(variant: VariantLike, unit: str | None) -> list[tuple[str, str, str, float]]: ...
def report(
    directories: Sequence[str | PathLike[str]],
    unit: str | None,
    bootstrap: int,
    command: str,
) -> str: ...
