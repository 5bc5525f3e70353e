#!/usr/bin/env python3
"""What Fairy-Stockfish takes the pieces of `second` to be worth by itself, a rook being 5.

    data/pmrc-2026/second_values.py [fairy-stockfish]

Its command `eval` says what material is worth in the middlegame and in the endgame, squares included. This prints by how much that
falls where White lacks one piece at the start of Modern Chess, which has the same pieces on the same board.
"""

import re
import subprocess
import sys

FIRST_RANK = "RNBMKQBNR"


def material(engine, first_rank, pawns):
    """White's material less Black's, in the middlegame and in the endgame."""
    ranks = [re.sub(r"\.+", lambda gap: str(len(gap[0])), rank) for rank in (pawns, first_rank)]
    fen = f"{FIRST_RANK.lower()}/{9 * 'p'}/9/9/9/9/9/{'/'.join(ranks)} w - - 0 1"
    asked = f"setoption name UCI_Variant value modern\nposition fen {fen}\neval\nquit\n"
    said = subprocess.run([engine], input=asked, check=True, capture_output=True, text=True).stdout
    return [float(number) for number in re.search(r"^ *Material \|.*\| *(\S+) +(\S+) *$", said, re.M).groups()]


def without(engine, piece):
    """How much of it is lost without the first of a kind."""
    pawns = "PPPP.PPPP" if piece == "P" else 9 * "P"
    return [-number for number in material(engine, FIRST_RANK.replace(piece, ".", 1), pawns)]


def main():
    engine = sys.argv[1] if len(sys.argv) > 1 else "fairy-stockfish"
    lost = {piece: without(engine, piece) for piece in "PNBRMQ"}
    print("piece  middlegame  endgame")
    for piece, numbers in lost.items():
        middlegame, endgame = (5 * number / rook for number, rook in zip(numbers, lost["R"]))
        print(f"{piece:5}  {middlegame:10.2f}  {endgame:7.2f}")


main()
