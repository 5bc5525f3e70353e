"""Positions and repetitions as python-chess sees them, along random games.

BACKRANK_PLIES is the number of plies to compare, 20,000 by default.
"""

import collections
import os
import random

import backrank as br
import chess

PLIES = int(os.environ.get("BACKRANK_PLIES", "20000"))


def sparse_start(rng):
    """Kings, riders and pawns that stand ready to pass each other: en passant is often possible, and often not legal."""
    while True:
        board = chess.Board(None)
        for color, home, far in [(chess.WHITE, 1, 4), (chess.BLACK, 6, 3)]:
            for rank in [home, home, far]:
                board.set_piece_at(chess.square(rng.randrange(8), rank), chess.Piece(chess.PAWN, color))
        riders = [chess.Piece(rng.choice([chess.ROOK, chess.BISHOP, chess.QUEEN]), color) for color in chess.COLORS]
        kings = [chess.Piece(chess.KING, color) for color in chess.COLORS]
        empty = [square for square in chess.SQUARES if not board.piece_at(square)]
        for piece, square in zip(riders + kings, rng.sample(empty, 4)):
            board.set_piece_at(square, piece)
        board.turn = rng.choice(chess.COLORS)
        if board.is_valid() and (rng.random() < 0.02 or any(is_empty_offer(board, move) for move in double_steps(board))):
            return board


def double_steps(board):
    return [move for move in board.legal_moves if board.piece_type_at(move.from_square) == chess.PAWN
            and abs(move.from_square - move.to_square) == 16]


def is_empty_offer(board, move):
    """Whether a double step ends beside a pawn that may not capture it."""
    board.push(move)
    is_empty = board.has_pseudo_legal_en_passant() and not board.has_legal_en_passant()
    board.pop()
    return is_empty


def choice(rng, board, seen, moves):
    """A random move, but often a double step, or one back to a position that was there before."""
    kind = rng.random()
    if kind < 0.3:
        steps = double_steps(board)
        empty = [move for move in steps if is_empty_offer(board, move)]
        if steps:
            return rng.choice(empty or steps)
    elif kind < 0.8:
        for move in rng.sample(moves, len(moves)):
            board.push(move)
            known = board._transposition_key() in seen
            board.pop()
            if known:
                return move
    return rng.choice(moves)


def test_positions_and_repetitions_are_those_of_python_chess():
    rng = random.Random(20260916)
    found = collections.Counter()
    plies = 0
    while plies < PLIES:
        if rng.random() < 0.7:
            board, key = sparse_start(rng), "chess"
        else:
            # python-chess writes castling rights as KQkq here, too, where they are the outermost rooks'.
            board, key = chess.Board.from_chess960_pos(rng.randrange(960)), "chess960"
        ours = br.Position(key, fen=board.fen())
        seen = collections.Counter([board._transposition_key()])
        for _ in range(60):
            moves = list(board.legal_moves)
            if not moves:
                break
            is_legal = board.has_legal_en_passant()
            found["en passant"] += is_legal
            found["en passant that is not legal"] += not is_legal and board.has_pseudo_legal_en_passant()
            move = choice(rng, board, seen, moves)
            ours.push(board.uci(move, chess960=True) if key == "chess960" else move.uci())
            board.push(move)
            seen[board._transposition_key()] += 1
            plies += 1
            expected = board.shredder_fen() if key == "chess960" else board.fen()
            fields = [fen.split() for fen in (ours.fen, expected)]
            # Its rights begin with the king's side, ours with the a-file.
            rights = [sorted(each.pop(2)) for each in fields]
            assert fields[0] == fields[1] and rights[0] == rights[1], f"{ours.fen}, not {expected}"
            times = seen[board._transposition_key()]
            assert ours.repetitions == times, f"{expected}: {ours.repetitions} times, not {times}"
            found["repetitions"] += times >= 3
        assert sorted(ours.legal_moves()) == sorted(
            board.uci(move, chess960=key == "chess960") for move in board.legal_moves
        )
    print(dict(found))
    assert found["en passant that is not legal"] > PLIES / 2000 and found["repetitions"] > PLIES / 500, found
