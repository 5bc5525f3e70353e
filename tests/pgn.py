"""Reads games of chess960 that backrank has exported, and holds them against what it has recorded.

    python tests/pgn.py BACKRANK STUDY

python-chess (tests/requirements.txt) must find every move legal, the same moves in the notation as in games.csv, the
same final position as `backrank replay`, and the same end of the game for the same reason.

Then both read games as people bring them: the files of selfplay/tests/pgn/cases, and random games written in every way.
"""

import csv
import io
import json
import logging
import pathlib
import random
import subprocess
import sys
import tempfile

import chess
import chess.pgn

ENDS = {
    "checkmate": chess.Board.is_checkmate,
    "stalemate": chess.Board.is_stalemate,
    "insufficient-material": chess.Board.is_insufficient_material,
    "repetition": chess.Board.is_repetition,
    "fifty-moves": chess.Board.is_fifty_moves,
}


def check(backrank, row, game):
    """Holds one exported game against its row."""
    headers = game.headers
    assert not game.errors, game.errors
    start = game.board()
    assert start.chess960 and headers["Variant"] == "chess960" and headers["SetUp"] == "1"
    assert start == chess.Board(row["fen"], chess960=True), "another start"

    moves = row["moves"].split()
    board = start.copy()
    for number, (exported, recorded) in enumerate(zip(game.mainline_moves(), moves, strict=True)):
        assert not any(is_end(board) for is_end in ENDS.values()), f"over before ply {number}"
        assert exported == board.parse_uci(recorded), f"ply {number}: {exported} and {recorded}"
        board.push(exported)
    assert len(moves) == int(row["plies"]) == int(headers["PlyCount"])

    ending = headers["Ending"]
    assert ending == row["termination"]
    assert ENDS[ending](board), f"no {ending} in {board.fen()}"
    result = board.result() if ending == "checkmate" else "1/2-1/2"
    assert result == row["result"] == headers["Result"]
    replay = [backrank, "replay", "chess960", "--json", "--fen", row["fen"], "--moves", row["moves"]]
    final = json.loads(subprocess.run(replay, check=True, capture_output=True, text=True).stdout)["fen"]
    assert board == chess.Board(final, chess960=True), f"another final position: {final}"
    return ending


# Files of which python-chess does not read what stands in them.
BEYOND = {
    "capa.pgn": "Capablanca's pieces",
    "frc.pgn": "the name FRC",
    "utf16.pgn": "UTF-16",
    "semic.pgn": "a semicolon after the FEN",
    "sameline.pgn": "tags on the line of the last result: one game of both",
}
# Archives that are not of orthodox chess.
CHESS960 = {"zeroz.pgn"}
RESULTS = {"1-0", "0-1", "1/2-1/2"}


def moves_of(game):
    """The moves of a game, castling as the king taking its rook."""
    moves, board = [], game.board()
    for move in game.mainline_moves():
        moves.append(board.uci(move, chess960=True))
        board.push(move)
    return " ".join(moves)


def theirs(text):
    """The games that python-chess reads: their moves and results."""
    file, games = io.StringIO(text), []
    while (game := chess.pgn.read_game(file)) is not None:
        games.append((moves_of(game), game.headers["Result"]))
    return games


def ours(backrank, archive, variant):
    """The games that are imported from an archive, and the number of those that are left out for their results."""
    with tempfile.TemporaryDirectory() as folder:
        study = pathlib.Path(folder, "study")
        command = [backrank, "-q", "import", archive, "-o", study, "--variant", variant, "--json"]
        said = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        with open(study / "games.csv", newline="") as file:
            games = [(row["moves"], row["result"]) for row in csv.DictReader(file)]
    assert said["read"] == len(games) + sum(row["games"] for row in said["left_out"])
    contested = {"contradictory results", "a wrong result"}
    assert {row["reason"] for row in said["left_out"]} <= contested, said
    return games, said["read"] - len(games)


def written(rng, board, moves):
    """A game's moves in one of the ways in which people write them."""
    marks = ["", "", "", "!", "?!", " $14", " +-", " =", "±", " N", ",", " {a comment; 1-0 (}", " ({})", " □"]
    style = rng.choice(["san", "long", "figurine", "zeros"])
    numbers = rng.choice(["{}.", "{}. ", "{} ", "{} . "])
    board, words = board.copy(), []
    for move in moves:
        text = board.lan(move) if style == "long" else board.san(move)
        if style == "figurine" and text[0] in "KQRBN":
            text = chess.UNICODE_PIECE_SYMBOLS[text[0]] + text[1:]
        if style == "zeros":
            text = text.replace("O", "0")
        if board.is_en_passant(move) and rng.random() < 0.5:
            text += rng.choice([" e.p.", "(e.p.)", "e.p."])
        # A variation is another move.
        other = board.san(rng.choice(list(board.legal_moves)))
        mark = rng.choice(marks).replace("({})", f"({board.fullmove_number}. {other} {{1. e4 1-0}})")
        if board.turn == chess.WHITE:
            words.append(numbers.format(board.fullmove_number) + text + mark)
        else:
            again = f"{board.fullmove_number}" + rng.choice(["...", "... ", " ... "])
            words.append(rng.choice(["", "", again]) + text + mark)
        board.push(move)
    return rng.choice([" ", "\n"]).join(words)


def random_games(rng, number):
    """Games of random moves as text, and their moves and results."""
    text, games = [], []
    for index in range(number):
        board, moves = chess.Board(), []
        for _ in range(rng.randrange(1, 120)):
            if board.is_game_over():
                break
            moves.append(rng.choice(list(board.legal_moves)))
            board.push(moves[-1])
        result = board.result() if board.is_checkmate() or board.is_stalemate() else rng.choice(["1-0", "0-1", "1/2-1/2"])
        tags = rng.choice(["", f'[White "{index}"]\n[Result "{result}"]\n\n', f'[white "{index}"]\n\n'])
        text.append(f"{tags}{written(rng, chess.Board(), moves)} {result}\n\n")
        start = chess.Board()
        played = []
        for move in moves:
            played.append(start.uci(move, chess960=True))
            start.push(move)
        games.append((" ".join(played), result))
    return "".join(text), games


def lenient(backrank):
    """Holds what is imported against what python-chess reads, in files that are PGN only more or less."""
    logging.getLogger("chess.pgn").setLevel(logging.CRITICAL)
    cases = sorted(pathlib.Path(__file__).parent.parent.glob("selfplay/tests/pgn/cases/*.pgn"))
    assert len(cases) > 20, "no files to read"
    read = 0
    for case in cases:
        if case.name in BEYOND:
            continue
        games, left_out = ours(backrank, case, "chess960" if case.name in CHESS960 else "chess")
        expected = theirs(case.read_text(encoding="utf-8-sig", errors="replace"))
        assert len(expected) == len(games) + left_out, f"{case.name}: {len(expected)} games, and ours are {len(games)}"
        moves = [moves for moves, _ in expected]
        if left_out == 0:
            assert moves == [moves for moves, _ in games], f"{case.name}: {expected} and {games}"
            # Where the tag has no result, ours is that of the moves, or of a mate.
            differ = [(a, b) for (_, a), (_, b) in zip(expected, games) if a in RESULTS and a != b]
            assert not differ, f"{case.name}: {differ}"
        read += len(games)
    rng = random.Random(39)
    text, right = random_games(rng, 400)
    with tempfile.TemporaryDirectory() as folder:
        archive = pathlib.Path(folder, "games.pgn")
        archive.write_text(text)
        games, left_out = ours(backrank, archive, "chess")
    assert left_out == 0 and games == right, [pair for pair in zip(games, right) if pair[0] != pair[1]][:1]
    # python-chess reads no figurines and takes no result from where there is no tag for it.
    letters = {symbol: letter.upper() for letter, symbol in chess.UNICODE_PIECE_SYMBOLS.items()}
    expected = theirs("".join(letters.get(letter, letter) for letter in text))
    assert [moves for moves, _ in expected] == [moves for moves, _ in right], "python-chess reads other moves"
    print(f"{read} games of {len(cases) - len(BEYOND)} files and {len(right)} random games: the same moves and results")


def main(backrank, study):
    with open(pathlib.Path(study, "games.csv"), newline="") as file:
        rows = list(csv.DictReader(file))
    exported = pathlib.Path(study, "games.pgn")
    subprocess.run([backrank, "export", study, "--format", "pgn", "-o", exported], check=True)
    seen = {}
    with open(exported) as file:
        for row in rows:
            game = chess.pgn.read_game(file)
            assert game is not None, f"game {row['game']} is missing"
            try:
                ending = check(backrank, row, game)
            except AssertionError as error:
                sys.exit(f"game {row['game']}: {error}")
            seen[ending] = seen.get(ending, 0) + 1
        assert chess.pgn.read_game(file) is None, "more games than rows"
    assert rows and seen.get("checkmate"), "no game worth reading"
    print(f"{len(rows)} games read back:", ", ".join(f"{ending} {number}" for ending, number in seen.items()))
    lenient(backrank)


if __name__ == "__main__":
    main(*sys.argv[1:])
