"""Moves and positions against pyffish and python-chess."""

import random

import backrank as br
import chess
import pyffish
import pytest


def random_game(position, plies, seed):
    """Positions of a random game."""
    rng = random.Random(seed)
    for _ in range(plies):
        yield position
        moves = position.legal_moves()
        if not moves or position.outcome:
            return
        position.push(rng.choice(moves))


@pytest.mark.parametrize("setup", [0, 358, 518, 959])
def test_chess960_is_that_of_python_chess(setup):
    assert br.Space("chess960")[setup].white == chess.Board.from_chess960_pos(setup).board_fen()[-8:]
    board = chess.Board.from_chess960_pos(setup)
    position = br.Position("chess960", setup)
    for position in random_game(position, 120, setup):
        moves = position.moves
        if moves:
            board.push(chess.Move.from_uci(moves[-1]))
        assert sorted(position.legal_moves()) == sorted(move.uci() for move in board.legal_moves)
        assert chess.Board(position.fen, chess960=True).board_fen() == board.board_fen()
        for move in position.legal_moves()[:5]:
            assert position.san(move) == board.san(chess.Move.from_uci(move))


def test_every_id_of_chess960_is_that_of_python_chess():
    space = br.Space("chess960")
    for setup in space:
        board = chess.Board.from_chess960_pos(setup.id)
        assert setup.fen.split()[0] == board.board_fen()
        assert space.index(setup.white) == setup.id == board.chess960_pos()


MODERN = """
[backrank-modern:chess]
maxFile = i
maxRank = 9
archbishop = m
pawnTypes = p
promotionPieceTypes = qmrbn
promotionRegionWhite = *9
promotionRegionBlack = *1
doubleStepRegionWhite = *2
doubleStepRegionBlack = *8
castlingKingsideFile = g
castlingQueensideFile = c
castlingRookKingsideFile = i
castlingRookQueensideFile = a
startFen = rnbqkmbnr/ppppppppp/9/9/9/9/9/PPPPPPPPP/RNBMKQBNR w AIai - 0 1
"""


def same_as_pyffish(variant, chess960, position, plies, seed):
    start = " ".join(position.fen.split()[:6])
    for position in random_game(position, plies, seed):
        theirs = pyffish.legal_moves(variant, start, position.moves, chess960)
        assert sorted(position.legal_moves()) == sorted(theirs), position.fen
        fen = pyffish.get_fen(variant, start, position.moves, chess960)
        assert position.fen.split()[0] == fen.split()[0]


@pytest.mark.parametrize("seed", range(5))
def test_modern_without_adjustment_is_that_of_pyffish(seed):
    pyffish.load_variant_config(MODERN)
    position = br.Position("modern", adjustment=False)
    same_as_pyffish("backrank-modern", True, position, 80, seed)


@pytest.mark.parametrize("seed", range(5))
def test_chess960_is_that_of_pyffish(seed):
    setup = br.Space("chess960").random(1, seed=seed)[0]
    same_as_pyffish("chess", True, br.Position("chess960", setup), 80, seed)


@pytest.mark.parametrize("seed", range(5))
def test_capablanca_is_that_of_pyffish(seed):
    setup = br.Space("capablanca-random").random(1, seed=seed)[0]
    same_as_pyffish("caparandom", True, br.Position("capablanca-random", setup), 80, seed)
