"""Reads games of chess960 that backrank has exported, and holds them against what it has recorded.

    python tests/pgn.py BACKRANK STUDY

python-chess (tests/requirements.txt) must find every move legal, the same moves in the notation as in games.csv, the
same final position as `backrank replay`, and the same end of the game for the same reason.
"""

import csv
import json
import pathlib
import subprocess
import sys

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


if __name__ == "__main__":
    main(*sys.argv[1:])
