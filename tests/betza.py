"""Plays pieces in Betza's notation in backrank and in Fairy-Stockfish, and holds their moves against each other.

    python tests/betza.py BACKRANK

pyffish (tests/requirements.txt) is Fairy-Stockfish as a library. For each text below, the piece stands on every square
of a large board in turn, beside others of its kind and men of both sides that it may take or not pass. The moves must be the
same, or the difference must have a reason below; a reason without a difference is a failure, too.

Where Fairy-Stockfish reads direction letters otherwise, backrank prints a note, and only there; the text that the note
proposes instead is then held against Fairy-Stockfish as well, without any allowance.
"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile

import pyffish

FILES, RANKS = 12, 10

LETTERS = "letters are taken two by two from the left, and straight steps of K and Q as if they were oblique"
RIDERS = "rides without end only on W, F and N, and stands still on other atoms"
LAME = "is lame only on N, D, A and Z, and stands still on other atoms"
DIGITS = "reads one digit of a range"
FIRST = "has first moves from the rank of the pawns, whether or not the piece has moved"

# Texts that are read alike.
ALIKE = """
    W F D N A H L C J Z G K R B Q  RN BN WA FD FA KN ZN WD FAD NAD WAD
    WW FF NN R0 B0 N0 K0 KK Q0  W2 W3 R4 R9 B2 B3 F3 N2 N3 K2 Q3 Q5 RF BD NNB
    mN cN mcN mR cB mRcB mBcR mNcK cQmF mCcZ icNmW
    fW bW lW rW sW vW fR bR flR frR rlR frlR fsR rlbR flbrW fvW sfW svR
    fF bF lF rF sF vF fB bB flF frF blB brB flbrF frblB fsF bsF fsB lvF fbF lrF lfF rbB fAbD sG vH fsA
    fN bN lN rN ffN bbN llN rrN fsN bsN lvN rvN fhN bhN lhN rhN sN vN fbN lrN rlN
    flN frN blN brN lfN rfN lbN rbN frflN flbrN rfrbN hlN hrN ffrrN fflN ffbsN fhbsN lvrvN frNN fbNF ffNbsN
    ffC fsC frC rfZ flL lfJ hrC fhZ fsNN rfN2
    fK bK sK vK rK lK rlK fbK fQ sQ rQ fvK FfW WfF FvW FsfbW fbWF fAbAfW mfWcfF fhNfrlRK icN
    nN nA nZ nD nJ mnN cnN mNcnN nNnA nNW nAF fnN fnA lfnN
    pR pB pQ mRcpR mBcpB mRcpRF cpQmN fpR vpR sgR  gR gB gQ mgQ gQN
""".split()

# Texts that are read otherwise, and why.
OTHERWISE = {
    LETTERS: """
        fhNrlbK frlRrlbK fhNbsK fsRrlbK rlbF frlF flbF lfbF rlbB sfF sbF svF rlbK bsK fsK frK flK rfK lvK frlK rlbQ fsQ frQ3
        rlbN frlN flbN fbrN sfN sbN svN vsN vlN sfK bslB mfrK mfsQ rlbA frlG rlbC rlbNN
    """.split(),
    RIDERS: "DD AA HH CC ZZ GG LL JJ D2 A2 H2 C2 Z2 G2 AADD D0 A0 fDD sAA frCC RDD".split(),
    LAME: "nH nC nL nW nF nG".split(),
    DIGITS: "R15 B12 N10 W10 F10 Q11".split(),
    FIRST: "iN iR imN KiN FfWiAiD KiD R2iNN".split(),
}


def boards():
    """Boards without kings: six pieces at a time, until every square has had one."""
    squares = [(file, rank) for rank in range(RANKS) for file in range(FILES)]
    step = len(squares) // 6
    for first in range(step):
        # Places far apart, and on both colours.
        mine = [squares[(first * 7) % step + part * step] for part in range(6)]
        men = {square: "A" for square in mine}
        for number, (file, rank) in enumerate(mine):
            for dx, dy, man in [(1, 2, "m"), (-2, 1, "M"), (3, 0, "m"), (0, -3, "M"), (-2, -2, "m"), (2, -3, "m")]:
                if (number + first + dx) % 3:
                    men.setdefault((file + dx, rank + dy), man)
        yield {(file, rank): man for (file, rank), man in men.items() if 0 <= file < FILES and 0 <= rank < RANKS}


def fen(men):
    rows = []
    for rank in reversed(range(RANKS)):
        row = "".join(men.get((file, rank), ".") for file in range(FILES))
        rows.append(re.sub(r"\.+", lambda empty: str(len(empty.group())), row))
    return "/".join(rows) + " w - - 0 1"


def kings(men):
    """The board with both kings, the black one in each place that may be safe from the pieces."""
    corners = [(0, 9), (11, 9), (0, 0), (11, 0), (5, 9), (6, 0), (0, 5), (11, 4), (3, 7), (8, 2)]
    for black in corners:
        white = next(square for square in reversed(corners) if square != black and square not in men)
        if black not in men:
            yield {**men, black: "k", white: "K"}


def of_pieces(moves, men):
    """The moves of the pieces in question."""
    places = {f"{chr(97 + file)}{rank + 1}" for (file, rank), man in men.items() if man == "A"}
    split = (re.fullmatch(r"([a-l]\d+)([a-l]\d+)", move.rstrip("+")) for move in moves)
    return {(move[1], move[2]) for move in split if move and move[1] in places}


class Game:
    """A game with a piece `A` that moves as a text says, and men `M` that never take."""

    def __init__(self, backrank, folder, number, text):
        self.backrank, self.name = backrank, f"piece{number}"
        self.file = folder / f"{self.name}.toml"
        self.file.write_text(
            f'name = "{self.name}"\nsource = "tests/betza.py"\n'
            f"[board]\nfiles = {FILES}\nranks = {RANKS}\n"
            '[pieces]\nK = { name = "king", betza = "K", royal = true }\n'
            f'A = {{ name = "piece", betza = "{text}" }}\nM = {{ name = "man", betza = "mW" }}\n'
            f'[setup]\nfirst_rank = "{"." * (FILES - 1)}K"\nsymmetry = "mirror"\n'
        )
        pyffish.load_variant_config(
            f"[{self.name}]\nmaxFile = {FILES}\nmaxRank = {RANKS}\npieceToCharTable = -\npawn = -\nking = k\n"
            f"customPiece1 = a:{text}\ncustomPiece2 = m:mW\ncastling = false\nnMoveRule = 0\n"
            f"startFen = {fen({(0, 0): 'K', (0, 9): 'k'})}\n"
        )

    def ours(self, position):
        """The moves in backrank and its notes; no moves if it is no position, because Black's king could be taken."""
        command = [self.backrank, "legal", self.file, "--json", "--fen", position]
        run = subprocess.run(command, capture_output=True, text=True)
        notes = [line for line in run.stderr.splitlines() if line.startswith("note: ")]
        if run.returncode:
            assert run.returncode == 2 and "not its move" in run.stderr, run.stderr
            return None, notes
        return [move["uci"] for move in json.loads(run.stdout)["moves"]], notes

    def compare(self):
        """The positions in which the moves differ, and the notes."""
        differences, notes, seen = [], [], set()
        for men in boards():
            for board in kings(men):
                position = fen(board)
                ours, notes = self.ours(position)
                if ours is not None:
                    break
            else:
                continue
            ours, theirs = (of_pieces(moves, board) for moves in (ours, pyffish.legal_moves(self.name, position, [])))
            seen.update(square for square, man in board.items() if man == "A")
            if ours != theirs:
                differences.append(f"{position}: only here {sorted(ours - theirs)}, only there {sorted(theirs - ours)}")
        assert len(seen) > FILES * RANKS // 2, f"only {len(seen)} squares"
        return differences, notes


def main(backrank):
    reasons = {text: None for text in ALIKE} | {text: why for why, texts in OTHERWISE.items() for text in texts}
    failures, proposed = [], {}
    with tempfile.TemporaryDirectory() as folder:
        games = iter(range(10_000))
        for text, why in reasons.items():
            differences, notes = Game(backrank, pathlib.Path(folder), next(games), text).compare()
            if bool(differences) != bool(why):
                failures.append(f"{text}: {differences[0] if differences else f'no difference, though {why}'}")
            if bool(notes) != (why == LETTERS):
                failures.append(f"{text}: the notes are {notes}")
            for part, alike in re.findall(r"`(\S+)` has .*?; `(\S+)` is read alike", "\n".join(notes)):
                proposed[alike] = f"`{alike}` for `{part}`"
        for alike, what in proposed.items():
            differences, notes = Game(backrank, pathlib.Path(folder), next(games), alike).compare()
            if notes or differences:
                failures.append(f"{what}: {(differences or notes)[0]}")
    print("\n".join(failures))
    print(f"{len(reasons)} texts, of which {len(ALIKE)} are read alike and {len(reasons) - len(ALIKE)} otherwise for a reason; "
          f"{len(proposed)} texts proposed instead")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main(sys.argv[1])
