#!/usr/bin/env python3
"""Holds files of games against the JSON schema of variant files.

    tests/schema.py target/release/backrank

Every file of the catalogue, every game of the tests and every example of the schema is valid. Files that the program refuses for
the form of a value are not, nor are those in which any of their keys has a letter too many.
"""

import json
import subprocess
import sys
import tomllib
from pathlib import Path

from jsonschema import Draft7Validator

ROOT = Path(__file__).resolve().parent.parent

# Changes of chess960's file that make it wrong.
WRONG = [
    ("files = 8", 'files = "8"'),
    ("files = 8", "files = 17"),
    ("files = 8", "files = 8\ncolours = 2"),
    ("N = {", "NN = {"),
    ("N = {", "P = {"),
    ('betza = "N"', 'betza = "knight"'),
    ('betza = "N"', 'betza = "N", royal = "no"'),
    ('symmetry = "mirror"', 'symmetry = "mirrored"'),
    ('symmetry = "mirror"', ""),
    ('between = "K,R,R"', 'between = ["K", "R", "R"]'),
    ('between = "K,R,R"', 'between = "K,R,R", no_check = true'),
    ('notation = "O-O"', 'notation = "castles"'),
    ('king = "g"', "king = 7"),
    ('first_rank = "RNBQKBNR"', ""),
    ('first_rank = "RNBQKBNR"', 'white = "RNBQKBNR"'),
    ('first_rank = "RNBQKBNR"', 'first_rank = "RNBQKBNR"\nposition = "rnbqkbnr/8/8/8/8/8/8/RNBQKBNR"'),
    ('first_rank = "RNBQKBNR"', 'first_rank = "RNBQKBNR"\nshuffled_rank = 2'),
    ('first_rank = "RNBQKBNR"', 'ranks = ["PPPPPPPP", 8]'),
    ('between = "K,R,R"', 'white.no_check = true'),
    ('between = "K,R,R"', 'white.black.between = "K,R,R"'),
    ("[pawn]", '[pawn]\nmoves = "sideways"'),
    ("[pawn]", "[pawn]\ndouble_step = [1]"),
    ("[castling]", '[castling]\npartner = ""'),
    ("[castling]", '[endings]\nstalemate = "lost"\n[castling]'),
    ("[castling]", '[endings]\nrepetition = "loss"\n[castling]'),
]


def examples(schema):
    """Every part of the schema that has examples."""
    if isinstance(schema, dict):
        if isinstance(schema.get("examples"), list):
            yield schema
        for part in schema.values():
            yield from examples(part)
    elif isinstance(schema, list):
        for part in schema:
            yield from examples(part)


def misspelt(table, path=()):
    """Copies of a table in each of which one key has a letter too many, with the way to that key."""
    if isinstance(table, list):
        for index, item in enumerate(table):
            for way, other in misspelt(item, path):
                yield way, table[:index] + [other] + table[index + 1 :]
    elif isinstance(table, dict):
        for key, value in table.items():
            # Letters of pieces are one place.
            here = (*path, "*" if len(key) == 1 else key)
            yield here, {(name + "x" if name == key else name): held for name, held in table.items()}
            for way, other in misspelt(value, here):
                yield way, {**table, key: other}


def main():
    program = Path(sys.argv[1]).resolve()
    schema = json.loads(subprocess.run([program, "schema"], check=True, capture_output=True, text=True).stdout)
    Draft7Validator.check_schema(schema)
    validator = Draft7Validator(schema)
    problems = []
    folders = ["rules/variants", "rules/tests/data/odd", "tests/games", "tests/coverage"]
    files = [file for folder in folders for file in sorted((ROOT / folder).glob("*.toml")) if file.name != "games.toml"]
    ways = set()
    for file in files:
        game = tomllib.loads(file.read_text())
        # Some odd games are not counted, and do not say how Black is set up.
        if "odd" in file.parts and not game["setup"].keys() & {"white", "position"}:
            game["setup"].setdefault("symmetry", "mirror")
        for error in validator.iter_errors(game):
            problems.append(f"{file.relative_to(ROOT)}: {list(error.path)}: {error.message}")
        for way, wrong in misspelt(game):
            if way not in ways and validator.is_valid(wrong):
                problems.append(f"{file.relative_to(ROOT)}: {'.'.join(way)}x is valid, but should not be")
            ways.add(way)
    shown = 0
    for part in examples(schema):
        for example in part["examples"]:
            shown += 1
            problems += [f"example {example}: {error.message}" for error in validator.evolve(schema=part).iter_errors(example)]
    text = (ROOT / "rules/variants/chess960.toml").read_text()
    for before, after in WRONG:
        assert before in text, before
        if validator.is_valid(tomllib.loads(text.replace(before, after, 1))):
            problems.append(f"`{after}` is valid, but should not be")
    for problem in problems:
        print(problem)
    print(
        f"{len(files)} files with {len(ways)} keys, {shown} examples and {len(WRONG)} wrong files: {len(problems)} problems"
    )
    sys.exit(bool(problems))


main()
