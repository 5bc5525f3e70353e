"""Random-chess games: every setup counted and numbered, positions, search, self-play studies and what they show.

>>> import backrank as br
>>> space = br.Space("pmrc")
>>> len(space), space.index("RNBMKQBNR")
(15120, 6944)
>>> space.where(opposite_colours="B,B").random(1, seed=7)[0].white in space
True
>>> position = br.Position("pmrc", 6944)
>>> position.push("e2e4")
'e2e4'
>>> br.search(position, nodes=1000).depth > 1
True
"""

from backrank import _processor as _processor  # isort: skip
from backrank._atlas import Atlas, atlas
from backrank._backrank import (
    Estimate,
    Line,
    Position,
    SearchResult,
    Setup,
    Space,
    Variant,
    __version__,
    correlation,
    search,
    variants,
    wilson,
)
from backrank._endgame import Counts, Endgame, endgame
from backrank._published import published
from backrank._study import (
    Dispersion,
    Imported,
    LeftOut,
    SetupStatistics,
    Study,
    import_pgn,
    play,
    studies,
    study,
)

__all__ = [
    "Atlas",
    "Counts",
    "Dispersion",
    "Endgame",
    "Estimate",
    "Imported",
    "LeftOut",
    "Line",
    "Position",
    "SearchResult",
    "Setup",
    "SetupStatistics",
    "Space",
    "Study",
    "Variant",
    "__version__",
    "atlas",
    "correlation",
    "endgame",
    "import_pgn",
    "play",
    "published",
    "search",
    "studies",
    "study",
    "variants",
    "wilson",
]
