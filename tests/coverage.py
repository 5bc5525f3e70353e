"""Holds other programs' games against our files for them, and writes which of them can be described.

    python tests/coverage.py BACKRANK [--write] [--only NAME]

tests/coverage/games.toml lists the games of other programs with the file or the key that describes each. Of every game that is
described, this compares start, perft, the legal moves in random games and in positions with promotions, and how games end with
Fairy-Stockfish: the program (fairy-stockfish) counts perft to depth 3 where it knows the game, and pyffish
(tests/requirements.txt), the same as a library, does all else. Games that Fairy-Stockfish has not built in are described to it in
tests/coverage/variants.ini. Of a game that is described without one of its rules only the moves are compared, and of one that is
counted only the number of setups.

docs/src/coverage.md has to say what comes out; --write renews it.
"""

import argparse
import collections
import json
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tomllib

import pyffish

HERE = pathlib.Path(__file__).parent
FILES = HERE / "coverage"
CATALOGUE = HERE.parent / "rules" / "variants"
PAGE = HERE.parent / "docs" / "src" / "coverage.md"
INI = FILES / "variants.ini"

# What is no end in pyffish unless somebody claims it.
CLAIMED = {"insufficient-material", "fifty-moves"}


class Program:
    """A program that speaks UCI."""

    def __init__(self, *command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, *lines, until):
        """Says lines, and returns the answer up to a line that begins in some way."""
        print(*lines, sep="\n", file=self.process.stdin, flush=True)
        answer = []
        for line in self.process.stdout:
            answer.append(line.strip())
            if line.startswith(until):
                return answer
        raise RuntimeError(f"{self.process.args[0]} ended after {lines}")

    def perft(self, fen, depth):
        """The moves of a position and how many sequences begin with each, or what is wrong with the position."""
        answer = self.ask(f"position fen {fen}", f"go perft {depth}", until=("Nodes searched", "info string perft"))
        wrong = [line for line in answer if line.startswith("info string position")]
        if wrong:
            return wrong[0]
        counts = (re.fullmatch(r"(\w+): (\d+)", line) for line in answer)
        return {match[1]: int(match[2]) for match in counts if match}


class Backrank(Program):
    def __init__(self, path):
        super().__init__(path, "uci")
        self.path = path
        self.ask("setoption name EndgameTables value false", "isready", until="readyok")

    def choose(self, game):
        option = "VariantFile" if game.is_file else "UCI_Variant"
        answer = self.ask(
            f"setoption name {option} value {game.ours}",
            f"setoption name UCI_Chess960 value {str(game.chess960).lower()}",
            f"setoption name BishopAdjustment value {str(game.adjustment).lower()}",
            "isready",
            until="readyok",
        )
        # Notes about a reading of Betza are no problem.
        return [line for line in answer if line.startswith("info string") and "read alike" not in line]

    def after(self, fen, move):
        """The position after a move."""
        answer = self.ask(f"position fen {fen} moves {move}", "d", until="Fen: ")
        return answer[-1].removeprefix("Fen: ")

    def run(self, *arguments):
        run = subprocess.run([self.path, *arguments, "--quiet"], capture_output=True, text=True)
        if run.returncode:
            raise RuntimeError(f"backrank {' '.join(map(str, arguments))}: {run.stderr.strip()}")
        return run.stdout

    def outcome(self, game, fen):
        """How the game has ended for the side to move: 1, 0 or -1, or None if it has not, unless by a claim."""
        outcome = json.loads(self.run("replay", game.ours, "--fen", fen, "--json"))["outcome"]
        if outcome is None or outcome["termination"] in CLAIMED:
            return None
        white = {"1-0": 1, "0-1": -1, "1/2-1/2": 0}[outcome["result"]]
        return white if fen.split()[1] == "w" else -white


class Game:
    """A game of a list."""

    def __init__(self, name, entry):
        self.name = name
        self.without = entry.get("without")
        self.note = entry.get("note")
        self.key = entry.get("key")
        self.is_file = self.key is None
        self.file = CATALOGUE / f"{self.key}.toml" if self.key else FILES / f"{entry.get('file', name)}.toml"
        self.ours = self.key or str(self.file)
        self.described = tomllib.loads(self.file.read_text())
        self.castles = "castling" in self.described
        endings = self.described.get("endings", {})
        self.bare_king, self.has_goal = endings.get("bare_king", False), "goal" in endings
        goal = endings.get("goal", {}).get("squares", "")
        # Where Black's piece wins.
        self.black_goal = re.split("[ ,]+", goal["black"] if isinstance(goal, dict) else goal)
        self.chess960 = entry.get("chess960", False)
        self.adjustment = entry.get("adjustment", True)
        self.counted = entry.get("counted", False)
        self.entry = entry
        # Black's moves may need another description, where castling lands elsewhere.
        self.variant = {"w": entry.get("pyffish", name)}
        self.variant["b"] = entry.get("black", self.variant["w"])
        letters = entry.get("letters", {})
        pairs = [*letters.items(), *((a.lower(), b.lower()) for a, b in letters.items())]
        self.letters = str.maketrans(dict(pairs))
        self.setups, self.where = entry.get("setups"), [f"--where={text}" for text in entry.get("where", [])]
        self.positions = entry.get("positions", [])
        # Games of two lists that are the same are compared once.
        remarks = {"note", "twice", "file", "pyffish"}
        details = {key: value for key, value in sorted(entry.items()) if key not in remarks}
        self.what = json.dumps([self.ours, self.variant, details])

    def variant_at(self, fen):
        """The description for the side to move. Where castling ends elsewhere in each setup, it is that of the king's file."""
        side = fen.split()[1]
        kings = (square[0] for square, man in cells(fen).items() if man == {"w": "K", "b": "k"}[side])
        king = next((file for file in kings if file in "bcdefg"), "e")
        return self.variant[side].format(king=king)

    def our_fen(self, fen):
        board, rest = fen.split(" ", 1)
        return f"{board.translate(self.letters)} {rest}"

    def legal(self, fen):
        """The legal moves as pyffish writes them, with ours beside them."""
        moves = pyffish.legal_moves(self.variant_at(fen), fen, [], self.chess960)
        return {move: move[:-1] + move[-1].translate(self.letters) for move in moves}

    def after(self, fen, move):
        return pyffish.get_fen(self.variant_at(fen), fen, [move], self.chess960)

    def outcome(self, fen, moves):
        variant = self.variant_at(fen)
        ended, value = pyffish.is_immediate_game_end(variant, fen, [], self.chess960)
        if not ended:
            if moves:
                return None
            value = pyffish.game_result(variant, fen, [], self.chess960)
        return (value > 0) - (value < 0)

    def perft(self, fen, depth):
        moves = self.legal(fen)
        if depth == 1:
            return len(moves)
        return sum(self.perft(self.after(fen, move), depth - 1) for move in moves)

    def starts(self, backrank):
        """Where random games begin."""
        if self.setups is None:
            return [pyffish.start_fen(self.variant["w"])]
        back = {ord(ours): chr(theirs) for theirs, ours in self.letters.items()}
        drawn = backrank.run("random", self.ours, *self.where, "-n", "3", "--seed", "1", "--format", "fen").splitlines()
        # There is no seventh field, with unmoved pieces, in other programs' FENs.
        parts = [fen.split(" ") for fen in drawn]
        counters = 7 if len(parts[0]) > 6 and "+" in parts[0][4] else 6
        return [" ".join([board.translate(back), *rest[: counters - 1]]) for board, *rest in parts]

    def sparse(self, fen):
        """A position with nothing but the kings, the pawns and those who castle."""
        board, rest = fen.split(" ", 1)
        keep = "KP" + (self.described["castling"].get("partner", "R") if self.castles else "")
        back = {ord(ours): chr(theirs) for theirs, ours in self.letters.items()}
        keep = keep.translate(back)
        board = re.sub(r"\d+", lambda empty: "." * int(empty[0]), board)
        board = re.sub(r"[A-Za-z]", lambda piece: piece[0] if piece[0].upper() in keep else ".", board)
        return re.sub(r"\.+", lambda empty: str(len(empty[0])), board) + " " + rest


def cells(fen):
    """The pieces of a board by their squares."""
    men = {}
    for number, row in enumerate(reversed(fen.split()[0].split("/"))):
        file = 0
        for part in re.findall(r"\d+|.", row):
            if part.isdigit():
                file += int(part)
            else:
                men[f"{chr(97 + file)}{number + 1}"] = part
                file += 1
    return men


def distance(one, other):
    """How many steps a king needs."""
    return max(abs(ord(one[0]) - ord(other[0])), abs(int(one[1:]) - int(other[1:])))


class Board:
    """The board of a game, and the pieces of each side but kings and pawns."""

    def __init__(self, start):
        men = cells(start)
        self.ranks = len(start.split()[0].split("/"))
        self.files = sum(int(part) if part.isdigit() else 1 for part in re.findall(r"\d+|.", start.split("/")[0]))
        self.squares = [f"{chr(97 + file)}{rank + 1}" for file in range(self.files) for rank in range(self.ranks)]
        white = {man for man in men.values() if man.isupper()} - {"K", "P"}
        black = {man for man in men.values() if man.islower()} - {"k", "p"}
        # A side that has only pawns may be given what the other has. Each piece is there twice, to be drawn twice.
        self.pieces = {"w": sorted(white or map(str.upper, black)) * 2, "b": sorted(black or map(str.lower, white)) * 2}
        self.checks = next((f"{field} " for field in start.split() if "+" in field), "")

    def fen(self, men, side):
        rows = ("".join(men.get(f"{chr(97 + file)}{rank + 1}", ".") for file in range(self.files)) for rank in range(self.ranks))
        rows = [re.sub(r"\.+", lambda empty: str(len(empty[0])), row) for row in rows]
        return f"{'/'.join(reversed(rows))} {side} - - {self.checks}0 1"


def kind(fen, men, move):
    """What is special about a move, if anything is."""
    source, target = re.match(r"([a-p]\d+)([a-p]\d+)", move).groups()
    man, taken = men[source], men.get(target)
    if move[-1].isalpha():
        return "promotion"
    if man in "Kk" and fen.split()[2] != "-" and source[1:] == target[1:]:
        if abs(ord(source[0]) - ord(target[0])) > 1 or (taken and taken.isupper() == man.isupper()):
            return "castling"
    if man in "Pp":
        return "en passant" if target == fen.split()[3] and source[0] != target[0] else "pawn"
    return None


def choose(generator, kinds):
    """A move, rather one that is special, or that of a pawn, than any other."""
    special = sorted(move for move, kind in kinds.items() if kind not in (None, "pawn"))
    pawns = sorted(move for move, kind in kinds.items() if kind == "pawn")
    for some, often in ((special, 0.5), (pawns, 0.4)):
        if some and generator.random() < often:
            return generator.choice(some)
    return generator.choice(sorted(kinds))


class Comparison:
    """What differs between a game of a list and ours."""

    def __init__(self, backrank, fairy, game):
        self.backrank, self.fairy, self.game = backrank, fairy, game
        self.differences, self.seen, self.kinds = [], 0, collections.Counter()
        if game.setups is not None:
            counted = int(backrank.run("count", game.ours, *game.where))
            if counted != game.setups:
                self.differences.append(f"{counted} setups, but {game.setups} are published")
        problems = [] if game.counted else backrank.choose(game)
        self.differences += problems
        if game.counted or problems:
            return
        starts = game.starts(backrank)
        if game.setups is None:
            self.compare_start(starts[0])
        for fen in game.positions:
            self.compare(fen)
        generator = random.Random(41)
        for start in starts:
            self.perft(start)
            share = len(starts)
            for fen, plies in ((start, 20 // share), (game.sparse(start), 30 // share)):
                self.play(generator, fen, plies)
        self.board = Board(starts[0])
        self.compare_ends(generator)
        self.compare_promotions(generator)
        if self.seen < 20:
            self.differences.append(f"only {self.seen} positions")
        wanted = {"promotion", "end", *(["castling"] if game.castles else [])}
        if wanted - self.kinds.keys():
            self.differences.append(f"there was no {' and no '.join(sorted(wanted - self.kinds.keys()))}")

    def compare_start(self, theirs):
        """The only start of the game must be theirs, counters and castling rights apart."""
        shown = json.loads(self.backrank.run("show", self.game.ours, "--json"))
        ours = self.game.our_fen(theirs).split()
        if shown["fen"].split()[:2] != ours[:2]:
            self.differences.append(f"the start is {shown['fen']}, there {theirs}")

    def perft(self, fen):
        game = self.game
        depth = 3 if game.variant["w"] in self.fairy.games and game.variant["w"] == game.variant["b"] else 2
        ours = self.backrank.perft(game.our_fen(fen), depth)
        if isinstance(ours, str):
            self.differences.append(f"{fen}: {ours}")
            return
        theirs = self.fairy.count(game, fen, depth) if depth == 3 else game.perft(fen, depth)
        if sum(ours.values()) != theirs:
            self.differences.append(f"{fen}: perft {depth} is {sum(ours.values())}, there {theirs}")

    def play(self, generator, fen, plies):
        for _ in range(plies):
            kinds = self.compare(fen)
            if not kinds:
                break
            fen = self.game.after(fen, choose(generator, kinds))

    def compare_ends(self, generator):
        """Compares ends of games: a few positions, drawn at random, in which a king on the edge has no move."""
        board = self.board
        sides = {"a", chr(96 + board.files), "1", str(board.ranks)}
        edge = [square for square in board.squares if sides & {square[0], square[1:]}]
        # A king that is at its goal cannot be to move.
        edge = [square for square in edge if square not in self.game.black_goal]
        # Checkmates, other positions without a move, and bare kings that are to move or not.
        found = collections.Counter()
        for attempt in range(800):
            king = generator.choice(edge)
            near = [square for square in board.squares if 0 < distance(square, king) < 4]
            men = {king: "k"}
            for man in ["K", *generator.choices(board.pieces["w"], k=1 + attempt % 3)]:
                men.setdefault(generator.choice(near), man)
            if attempt % 2:
                # A pawn that is stopped, so that the king is not bare.
                file, rank = chr(97 + generator.randrange(board.files)), generator.randrange(4, board.ranks)
                men |= {f"{file}{rank}": "p", f"{file}{rank - 1}": "K"}
            # Two bare kings are a draw here at once, and there if somebody claims it.
            if len(men) < 3 or sorted(man for man in men.values() if man in "Kk") != ["K", "k"]:
                continue
            fen = board.fen(men, "b" if self.game.has_goal else generator.choice("bbbw"))
            moves = self.backrank.perft(self.game.our_fen(fen), 1)
            if isinstance(moves, str):
                continue
            bare, black = attempt % 2 == 0, fen.split()[1] == "b"
            check = black and not moves and pyffish.gives_check(self.game.variant_at(fen), fen, [], self.game.chess960)
            what = (bare, black) if moves or self.game.bare_king else (check,)
            found[what] += 1
            if found[what] <= 2 and (not moves or bare):
                self.compare(fen)

    def compare_promotions(self, generator):
        """Compares promotions: a few positions for each side, drawn at random, with pawns close to the last rank."""
        board = self.board
        for side in "wb":
            found = 0
            for _ in range(200):
                men = {}
                for man, low, high in [("P", board.ranks - 3, board.ranks - 1), ("p", 2, 4)]:
                    for file in generator.sample(range(board.files), 3):
                        men[f"{chr(97 + file)}{generator.randint(low, high)}"] = man
                for man in [*generator.sample(board.pieces["w"], 2), *generator.sample(board.pieces["b"], 2), "K", "k"]:
                    free = [square for square in board.squares if square not in men]
                    men[generator.choice(free)] = man
                fen = board.fen(men, side)
                moves = self.backrank.perft(self.game.our_fen(fen), 1)
                if not isinstance(moves, str) and any(move[-1].isalpha() for move in moves):
                    found += 1
                    self.compare(fen)
                if found == 3:
                    break

    def compare(self, fen):
        """Compares moves and end of a position. Returns the moves and what is special about them, unless the game is over."""
        game, ours = self.game, self.game.our_fen(fen)
        self.seen += 1
        theirs = game.legal(fen)
        found = self.backrank.perft(ours, 1)
        if isinstance(found, str):
            self.differences.append(f"{fen}: {found}")
            return None
        end = game.outcome(fen, theirs)
        men = [man for man in fen.split()[0] if man.isalpha()]
        bare = any(sum(map(of_side, men)) == 1 for of_side in (str.isupper, str.islower))
        if end is not None or bare or not found:
            outcome = self.backrank.outcome(game, ours)
            # A side whose king is bare has lost when it moves, elsewhere when it has moved.
            if bare and end is None and outcome is not None:
                following = [game.after(fen, move) for move in theirs]
                if {game.outcome(later, game.legal(later)) for later in following} == {-outcome}:
                    return None
            if outcome != end and not game.without:
                self.differences.append(f"{fen}: the outcome for the side to move is {outcome}, there {end}")
        if end is not None:
            self.kinds["end"] += 1
            return None
        if set(found) != set(theirs.values()):
            only_here, only_there = set(found) - set(theirs.values()), set(theirs.values()) - set(found)
            self.differences.append(f"{fen}: only here {sorted(only_here)}, only there {sorted(only_there)}")
        board = cells(fen)
        kinds = {move: kind(fen, board, move) for move in theirs}
        self.kinds.update(set(kinds.values()))
        for move in (move for move, what in kinds.items() if what == "castling" and game.chess960):
            here, there = self.backrank.after(ours, move).split()[0], game.our_fen(game.after(fen, move)).split()[0]
            if here != there:
                self.differences.append(f"{fen}: {move} leads to {here}, there to {there}")
        return kinds


class Fairy(Program):
    """The program Fairy-Stockfish, for perft."""

    def __init__(self):
        super().__init__(shutil.which("fairy-stockfish") or "/usr/games/fairy-stockfish")
        options = self.ask("uci", until="uciok")
        self.games = set(re.findall(r"var (\S+)", next(line for line in options if "name UCI_Variant " in line)))

    def count(self, game, fen, depth):
        options = [f"UCI_Variant value {game.variant['w']}", f"UCI_Chess960 value {str(game.chess960).lower()}"]
        self.ask(*(f"setoption name {option}" for option in options), "isready", until="readyok")
        return sum(self.perft(fen, depth).values())


HEAD = """# Games of other programs

A [variant file](formats.md#games) describes many games that other programs play. This page says which. It is written by
[tests/coverage.py](../../tests/coverage.py) from [a table](../../tests/coverage/games.toml), and the gate fails if it is not
true any more. Of each game that is described *exactly*, these have been compared with Fairy-Stockfish: the start; perft to
three plies, or two where only its library knows the game; the legal moves in at least 20 positions of random games, with
castling, promotion and captures en passant among them; and how games end, by checkmate, stalemate, a goal, checks or a bare
king. What claims a draw (counts of moves, repetition) is not compared.

For games that are *counted* only their setups are compared, with the number that is published; they are not played here.
Where a game is described *without* a rule of its own, its moves are the same.
"""


def names(games):
    return games.split() if isinstance(games, str) else games


def page(table):
    """The page of the book."""
    text = [HEAD, "| list | games | exactly | counted | without a rule | not |", "|---|---|---|---|---|---|"]
    sections = []
    for key, games in table["lists"].items():
        described = [Game(name, entry) for name, entry in games["described"].items()]
        copies = lambda chosen: sum(2 if game.entry.get("twice") else 1 for game in described if chosen(game))
        exactly = copies(lambda game: not game.without and not game.counted)
        counted, without = copies(lambda game: game.counted), copies(lambda game: game.without)
        rest = games["total"] - exactly - counted - without
        listed = [name for some in games.get("not", {}).values() for name in names(some)]
        if games.get("not") and len(listed) != rest:
            raise ValueError(f"{key}: {len(listed)} games are listed as not described, but {rest} are left of {games['total']}")
        text.append(f"| {games['title']} | {games['total']} | {exactly} | {counted} | {without} | {rest} |")
        sections += ["", f"## {games['title']}", "", games["source"], ""]
        sections += ["| game | described by | setups | how |", "|---|---|---|---|"]
        for game in described:
            path = "../../" + game.file.relative_to(HERE.parent).as_posix()
            how = "counted" if game.counted else f"without {game.without}" if game.without else "exactly"
            times = " (twice)" if game.entry.get("twice") else ""
            setups = "" if game.setups is None else f"{game.setups:,}"
            note = f"; {game.note}" if game.note else ""
            shown = f"`{game.key}`" if game.key else game.file.name
            sections.append(f"| {game.name}{times} | [{shown}]({path}) | {setups} | {how}{note} |")
        if "rest" in games:
            sections += ["", games["rest"]]
    missing = {}
    for games in table["lists"].values():
        for reason, some in games.get("not", {}).items():
            missing.setdefault(reason, []).extend(name for name in names(some) if name not in missing.get(reason, []))
    sections += ["", "## What is missing, and who plays it", "", "| what | games | who plays it |", "|---|---|---|"]
    for reason, some in sorted(missing.items()):
        sections.append(f"| {reason} | {', '.join(some)} | {table['others'][reason]} |")
    return "\n".join([*text, *sections]) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("backrank", type=pathlib.Path)
    parser.add_argument("--write", action="store_true", help="renew docs/src/coverage.md")
    parser.add_argument("--only", metavar="NAME", help="compare the games of this name alone, and leave the page")
    arguments = parser.parse_args()
    table = tomllib.loads((FILES / "games.toml").read_text())
    pyffish.load_variant_config(INI.read_text())
    backrank, fairy = Backrank(arguments.backrank.resolve()), Fairy()
    failures, compared, positions, kinds = [], {}, 0, collections.Counter()
    for title, games in table["lists"].items():
        for name, entry in games["described"].items():
            if arguments.only not in (None, name):
                continue
            game = Game(name, entry)
            if game.what not in compared:
                comparison = Comparison(backrank, fairy, game)
                compared[game.what] = comparison.differences
                positions += comparison.seen
                kinds.update({kind: 1 for kind in comparison.kinds})
            failures += [f"{title}: {name}: {difference}" for difference in compared[game.what]]
    if arguments.only is None:
        built_in = table["lists"]["fairy-stockfish"]
        listed = [*built_in["described"], *(name for some in built_in["not"].values() for name in names(some))]
        # What variants.ini adds is known by now, too.
        ours = set(re.findall(r"^\[([^:\]]+)", INI.read_text(), re.MULTILINE))
        if sorted(listed) != sorted(set(pyffish.variants()) - ours):
            failures.append(f"games.toml does not list what pyffish has: {sorted(set(pyffish.variants()) - ours ^ set(listed))}")
        written_page = page(table)
        if arguments.write and not failures:
            PAGE.write_text(written_page)
        elif not PAGE.exists() or PAGE.read_text() != written_page:
            failures.append(f"{PAGE.name} does not say what games.toml says: --write renews it")
    print("\n".join(failures))
    print(f"{len(compared)} games compared in {positions} positions; en passant in {kinds['en passant']}, "
          f"castling in {kinds['castling']}, promotion in {kinds['promotion']} of them, ends in {kinds['end']}")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
