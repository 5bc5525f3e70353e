"""The package as its users know it: spaces, positions, search, studies, errors, threads and forks."""

import gzip
import multiprocessing
import os
import platform
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import backrank as br
import chess
import chess.pgn
import polars as pl
import pytest
from backrank import _backrank
from backrank._frame import frame


def test_spaces_are_sequences():
    space = br.Space("pmrc")
    assert len(space) == 15120 and space[6944].white == "RNBMKQBNR" and space[-1] == space[15119]
    assert space.index(space[7]) == 7 and "RNBMKQBNR" in space and "RNBMKQBNB" not in space
    assert [setup.id for setup in space[:10:3]] == [0, 3, 6, 9]
    assert sum(1 for _ in br.Space("crc")) == 1680
    narrowed = space.where(opposite_colours="B,B")
    assert len(narrowed) == 8400 and narrowed.constraints == ["opposite_colours=B,B"]
    assert [setup.id for setup in space.random(5, seed=7)] == [setup.id for setup in space.random(5, seed=7)]
    frame = br.Space("chess18").to_frame()
    assert frame.shape == (18, 4) and frame["white"][0] == br.Space("chess18")[0].white
    assert len(br.Space("chess960", numbering="lex")) == 960
    assert len(br.variants()) > 20


def test_setups_are_drawn_once():
    space = br.Space("chess960")
    assert [setup.id for setup in space.draw("City Open 2026, round 3", 3)] == [911, 928, 244]
    small = br.Space("chess18")
    for drawn in [small.draw("all", 18), small.random(18, seed=1, distinct=True)]:
        assert sorted(setup.id for setup in drawn) == list(range(18))
    narrowed = br.Space("pmrc").where(opposite_colours="B,B")
    assert narrowed.draw("City Open 2026, round 3")[0].id == 911
    for wrong in [lambda: small.draw("all", 19), lambda: small.random(19, distinct=True)]:
        with pytest.raises(ValueError, match="19 distinct setups cannot be drawn: chess18 has 18"):
            wrong()
    with pytest.raises(ValueError, match="the phrase is empty"):
        small.draw("")


def test_a_starting_position_has_the_id_of_its_setup():
    space = br.Space("pmrc")
    for setup in space.random(20, seed=3):
        assert space.index(setup.fen) == space.index(setup.fen.split()[0]) == setup.id
        assert br.Position("pmrc", setup.fen) == br.Position("pmrc", setup)
    moved = br.Position("pmrc", 0)
    moved.push(moved.legal_moves()[0])
    with pytest.raises(ValueError, match="is not a starting position of pmrc"):
        space.index(moved.fen)


def test_wrong_input_is_a_value_error_with_a_sentence():
    for wrong, says in [
        (lambda: br.Space("pmrc").index("8/8/8 w - - 0 1"), "is not a starting position of pmrc: it has 3 ranks, not 9"),
        (lambda: br.atlas("/nowhere"), "holds no atlas: there is no atlas.toml"),
        (lambda: br.atlas("pmrc", "/tmp/none", setups="20000..20001"), "the ids of pmrc are 0 to 15119"),
        (lambda: br.atlas("pmrc", "/tmp/none", nodes=0), "a search needs nodes"),
        (lambda: br.atlas(br.Variant("pmrc")), "where to?"),
        (lambda: br.correlation([1, 2, 3], [1, 2]), "3 numbers on one side, and 2"),
        (lambda: br.correlation([1, 1, 1, 1], [1, 2, 3, 4]), "numbers that are not all alike"),
        (lambda: br.wilson(1.5, 10), "a share is from 0 to 1"),
        (lambda: br.Space("nonsense"), "nonsense"),
        (lambda: br.Space("pmrc").where(opposite="B,B"), "opposite"),
        (lambda: br.Space("pmrc").index("RNBMKQBNX"), "X"),
        (lambda: br.Position("pmrc"), "which setup? pmrc has 15120 setups"),
        (lambda: br.Position("pmrc", 99999), "no setup 99999"),
        (lambda: br.Position("chess", fen="8/8 w - -"), "field 1"),
        (lambda: br.Position("chess").push("e5"), "not legal here"),
        (lambda: br.endgame("chess", "KQ"), "KQ"),
        (lambda: br.Study("/nowhere"), "holds no study"),
        (lambda: br.Position("chess99", 0), "count_only"),
        (lambda: br.play("pmrc", "/tmp/none", setups="some"), "random:500"),
    ]:
        with pytest.raises(ValueError) as error:
            wrong()
        assert says in str(error.value)
    with pytest.raises(IndexError):
        br.Space("pmrc")[15120]


def test_positions_play_and_take_back():
    position = br.Position("pmrc", "RNBMKQBNR")
    before = position.fen
    assert position.push("Bc<=>M") == "c1d1" and position.turn == "black"
    assert position.pop() == "c1d1" and position.fen == before
    assert position.perft(3) == br.Position("pmrc", 6944).perft(3)
    assert position._repr_svg_().startswith("<svg") and br.Space("pmrc")[0]._repr_svg_().startswith("<svg")
    assert position.after("e4").copy() == br.Position("pmrc", 6944).after("e2e4")
    assert "♔" in str(position)
    with pytest.raises(IndexError):
        position.pop()


def test_a_search_has_lines():
    found = br.search(br.Position("pmrc", 6944), nodes=20_000, lines=3)
    assert len(found.lines) == 3 and found.best == found.lines[0].moves[0] == found.line[0]
    assert found.lines[0].centipawns >= found.lines[2].centipawns and found.nodes <= 20_100
    assert br.search(br.Position("chess"), time=0.05).depth > 1


def test_a_study_is_played_once_and_evaluated(tmp_path):
    told = []
    play = dict(setups="random:12", nodes=60, games=2, seed=3, scores=True, progress=lambda *done: told.append(done))
    study = br.play("pmrc", tmp_path / "study", **play)
    assert told[-1] == (24, 24)
    games = study.games()
    assert games.height == 24 and games["result"].is_in(["1-0", "0-1", "1/2-1/2"]).all()
    again = br.play("pmrc", tmp_path / "study", **play).games()
    assert again.equals(games)
    with pytest.raises(ValueError, match="other options"):
        br.play("pmrc", tmp_path / "study", **{**play, "nodes": 61})
    assert study.setups()["games"].sum() == 24
    assert set(study.values(bootstrap=10)["method"]) == {"regression", "mobility"}
    page = study.report(tmp_path / "report.html", bootstrap=10)
    assert "Pseudo-Modern Random Chess" in page.read_text()


def test_games_go_out_and_come_back(tmp_path):
    backrank = os.environ.get("BACKRANK")
    if not backrank:
        pytest.skip("BACKRANK does not name the program")
    study = br.play("chess960", tmp_path / "study", setups="random:30", nodes=60, scores=True, progress=False)
    for form, file in [("pgn", "games.pgn"), ("parquet", "games.parquet")]:
        subprocess.run([backrank, "export", study.path, "--format", form, "-o", tmp_path / file], check=True)
    imported = br.import_pgn(tmp_path / "games.pgn", tmp_path / "imported", "chess960", progress=False)
    assert (imported.games, imported.read, imported.left_out) == (30, 30, {})
    columns = ["setup", "fen", "result", "termination", "plies", "moves"]
    assert imported.study.games().select(columns).equals(study.games().select(columns))
    parquet = pl.read_parquet(tmp_path / "games.parquet")
    assert parquet.select(columns).equals(study.games().select(columns))
    assert parquet["scores"].null_count() == 0


def test_an_atlas_is_made_once_and_read(tmp_path):
    told = []
    options = dict(setups="random:40", nodes=300, seed=2, progress=lambda *done: told.append(done))
    made = br.atlas("pmrc", tmp_path / "atlas", **options)
    rows = made.to_frame()
    assert told[-1] == (rows.height, rows.height) and made.is_complete and rows.height > 35
    assert made.definition["nodes"] == 300 and made.variant == br.Variant("pmrc")
    assert rows["setup"].is_sorted() and rows["without_adjustment_cp"].null_count() not in (0, rows.height)
    assert [br.Space("pmrc")[setup].white for setup in rows["setup"]] == rows["white_rank"].to_list()
    with pytest.raises(ValueError, match="nodes: begun with 300, now 301"):
        br.atlas("pmrc", tmp_path / "atlas", **{**options, "nodes": 301})
    # A crash has torn a line; the atlas can be read, and goes on.
    file = tmp_path / "atlas" / "atlas.csv"
    whole = file.read_bytes()
    file.write_bytes(whole[:-30])
    torn = br.atlas(tmp_path / "atlas")
    assert not torn.is_complete and torn.to_frame().equals(rows[:-1])
    assert br.atlas("pmrc", tmp_path / "atlas", **options).is_complete and file.read_bytes() == whole
    (tmp_path / "atlas" / "atlas.csv.gz").write_bytes(gzip.compress(whole))
    file.unlink()
    assert br.atlas(tmp_path / "atlas").to_frame().equals(rows)


def test_an_atlas_says_what_its_rows_say(tmp_path):
    made = br.atlas("pmrc", tmp_path / "atlas", setups="0..60", nodes=1500, progress=False)
    rows, measures = made.to_frame(), made.measures()
    complexity = measures.filter(pl.col("measure") == "complexity").row(0, named=True)
    assert complexity["mean"] == pytest.approx(rows["complexity"].mean())
    assert complexity["deviation"] == pytest.approx(rows["complexity"].std())
    assert complexity["most"] == pytest.approx(rows["complexity"].max()) and complexity["mean_low"] < complexity["mean"]
    quarter = made.agreements().filter(pl.col("of") == "quarter").row(0, named=True)
    both = rows.drop_nulls("quarter_cp")
    assert quarter["pairs"] == both.height
    assert quarter["noise"] == pytest.approx((((both["quarter_cp"] - both["score_cp"]) ** 2).mean() / 2) ** 0.5)
    assert "queen from the middle (files)" in made.features("score_cp")["feature"]
    with pytest.raises(ValueError, match="no features go with `depth`; there is score_cp, complexity, asymmetry"):
        made.features("depth")
    r = br.correlation(rows["complexity"], rows["score_cp"])
    assert r.value == pytest.approx(rows.select(pl.corr("complexity", "score_cp")).item()) and r.low < r.value < r.high


def test_setups_are_also_told_by_where_pieces_stand(tmp_path):
    study = br.play("pmrc", tmp_path / "study", setups="random:60", nodes=20, games=2, progress=False)
    found = study.setup_statistics(placement="Q", steps=4, permutations=99)
    games = study.games().with_columns(placement=pl.col("white_rank").str.replace_all("[^Q]", "·"))
    counted = games.group_by("placement").len().sort("placement")
    assert found.setups.select("white_rank", "games").sort("white_rank").rows() == counted.rows()
    assert found.games == 120 == sum(found.results) == found.setups["games"].sum()
    assert found.histogram["score"].to_list() == [0, 0.25, 0.5, 0.75, 1]
    assert found.histogram["setups"].sum() == found.setups.height == round(found.histogram["chance"].sum())
    assert found.dispersion.expected == found.setups.height - 1 and 0 < found.dispersion.p_value <= 1
    whole = study.setup_statistics(permutations=99)
    assert whole.setups.equals(study.setups(permutations=99)) and "queen on the right (−1, 0 or 1)" in whole.features["feature"]
    assert whole.score.low < whole.score.value == found.score.value
    sides = dict(whole.adjustments.filter(pl.col("of") == "sides").select("name", "number").rows())
    assert 0 < sides["did"] <= sides["could"]
    with pytest.raises(ValueError, match="pmrc has no piece X; its pieces are "):
        study.setup_statistics(placement="QX")


def test_matches_at_odds_have_rows(tmp_path):
    options = dict(setups="random:20", nodes=20, progress=False)
    pawn = br.play("pmrc", tmp_path / "pawn", odds="P:-", **options)
    knight = br.play("pmrc", tmp_path / "knight", odds="N:-", **options)
    rows = pawn.imbalances(knight)
    assert sorted(rows["odds"]) == ["N:-", "P:-"] and rows["pairs"].sum() == 40
    assert (rows["elo_low"] < rows["elo"]).all() and rows["at_ply"].is_null().all()
    assert "imbalances" in set(pawn.values(knight)["method"]) and pawn.definition["odds"] == "P:-"
    compared = pawn.compare([pawn, knight], knight)
    assert compared["ratio"].eq(1).all() and compared["elo_more"].drop_nulls().eq(0).all()
    assert pawn.compare(pawn.path, unit="P=1").columns[:2] == ["method", "piece"]
    with pytest.raises(ValueError, match="none of these games is at odds"):
        br.play("pmrc", tmp_path / "even", **options).imbalances()


def test_a_study_is_what_the_command_plays(tmp_path):
    told = []
    options = dict(games=80, rounds=2, nodes=10, progress=lambda *done: told.append(done))
    study = br.study("chess960", output=tmp_path / "study", **options)
    assert told[-1] == (80, 80) and study.path == tmp_path / "study" and study.definition["limits"]["nodes"] == 10
    parts = br.studies(study.path)
    assert parts[0].path == study.path and {part.path.parent.name for part in parts[1:]} == {"odds", "fixed"}
    assert sum(part.games().height for part in parts) == 80
    # The files are what the methods say, with all parts.
    values = study.values()
    assert values.equals(frame(study.path / "values.csv"))
    assert values.equals(parts[0].values(*parts[1:])) and study.imbalances()["pairs"].sum() == 32
    assert study.setups().equals(frame(study.path / "setups.csv"))
    again = study.report(study.path / "again.html").read_text()
    assert again.replace("again.html", "report.html") == (study.path / "report.html").read_text()
    # By its directory, it goes on; nothing of it changes.
    games = (study.path / "games.csv").read_bytes()
    assert br.study(study.path, time=2, progress=False).games().height > 16
    assert (study.path / "games.csv").read_bytes().startswith(games)
    for wrong, says in [
        (lambda: br.study("chess960", output=study.path, nodes=11, games=80), "limits.nodes: begun with 10, now 11"),
        (lambda: br.study("chess960", output=study.path, nodes=10, games=90), "planned with 80 games in 2 rounds"),
        (lambda: br.study("chess960", games=81, output=tmp_path / "odd"), "the number must be even"),
        (lambda: br.study("chess960", games=80, time=10), "either a time or a number of games"),
        (lambda: br.study("chess960", time=0, output=tmp_path / "none"), "from 1 second to 366 days"),
        (lambda: br.study("chess99", output=tmp_path / "none"), "counted and listed only"),
    ]:
        with pytest.raises(ValueError, match=says):
            wrong()
    assert not (tmp_path / "odd").exists() and not (tmp_path / "none").exists()


def test_ratings_explain_imported_games(tmp_path):
    study = br.play("chess", tmp_path / "study", games=60, nodes=30, progress=False)
    with open(tmp_path / "games.pgn", "w") as archive:
        for number, row in enumerate(study.games().to_dicts()):
            game = chess.pgn.Game({"Result": row["result"]})
            # Who wins has the higher rating, as a rule.
            ahead = 0 if row["result"] == "1/2-1/2" else 60 if row["result"] == "1-0" else -60
            game.headers["WhiteElo"] = str(2000 + (ahead if number % 4 else -ahead))
            if number != 7:
                game.headers["BlackElo"] = "2000"
            node = game
            for move in row["moves"].split():
                node = node.add_variation(chess.Move.from_uci(move))
            print(game, file=archive, end="\n\n")
    imported = br.import_pgn(tmp_path / "games.pgn", tmp_path / "imported", "chess", progress=False)
    assert imported.games == 60, imported.left_out
    plain = imported.study.values(bootstrap=10)
    found = imported.study.values(bootstrap=10, ratings=True, rating_error=0)
    assert "rating" not in plain["piece"]
    assert found.filter(pl.col("piece") == "rating")["elo"].item() > 0
    corrected = imported.study.values(bootstrap=10, ratings=True)
    assert not corrected.equals(found)
    with pytest.raises(ValueError, match="from 0 to 1000"):
        imported.study.values(ratings=True, rating_error=-1)


def test_published_values_are_in_the_unit_of_values():
    rows = br.published("chess")
    assert rows.filter(pl.col("piece") == "R")["value"].eq(5).all() and "B+B" in rows["piece"]
    assert "M" in br.published("pmrc", unit="P=1")["piece"] and "K" not in rows["piece"]


@pytest.mark.parametrize(
    ("call", "rows"),
    [
        ('play("pmrc", PATH, setups="random:5000", nodes=2000', "games.csv"),
        ('study("pmrc", output=PATH, games=25000, rounds=1, nodes=2000', "games.csv"),
        ('atlas("pmrc", PATH, setups="random:5000", nodes=2000', "atlas.csv"),
    ],
)
def test_ctrl_c_ends_it_and_it_goes_on(tmp_path, call, rows):
    path = str(tmp_path / "directory")
    script = f"""
import backrank as br
try:
    br.{call.replace("PATH", repr(path))}, progress=lambda d, a: print(d, flush=True))
except KeyboardInterrupt:
    print("interrupted")
"""
    process = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    while int(process.stdout.readline()) < 2:
        pass
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=60)
    assert out.endswith("interrupted\n")
    lines = (tmp_path / "directory" / rows).read_bytes()
    assert 2 <= lines.count(b"\n") - 1 < 5000 and lines.endswith(b"\n")
    frame = br.Study(path).games() if rows == "games.csv" else br.atlas(path).to_frame()
    assert frame.height == lines.count(b"\n") - 1


def test_threads_run_while_others_search():
    found = []
    searches = [
        threading.Thread(target=lambda: found.append(br.search(br.Position("chess"), nodes=50_000)))
        for _ in range(4)
    ]
    for search in searches:
        search.start()
    ticks, begun = 0, time.monotonic()
    while any(search.is_alive() for search in searches):
        ticks += 1
        time.sleep(0.001)
        assert time.monotonic() - begun < 60
    assert len(found) == 4 and ticks > 5


def _work(path):
    br.play("pmrc", path, setups="random:4", nodes=20, progress=False)
    # Without a data frame, as polars does not work in a child of a process that has used it.
    return len(_backrank.setup_statistics([path], None, 99, 0, 20)["setups"].splitlines()) - 1


def test_a_fork_works_on(tmp_path):
    assert _work(tmp_path / "parent") == 4
    with multiprocessing.get_context("fork").Pool(2) as pool:
        paths = [tmp_path / "one", tmp_path / "two"]
        assert pool.map_async(_work, paths).get(timeout=120) == [4, 4]


def test_the_package_and_an_example_are_typed():
    # By its name, as mypy takes a path below site-packages for another module than the one that is imported.
    for checks in (["-p", "backrank"], [Path(__file__).parent / "typed_example.py"]):
        checked = subprocess.run([sys.executable, "-m", "mypy", "--strict", *checks], capture_output=True, text=True)
        assert checked.returncode == 0, checked.stdout


def test_a_processor_that_lacks_instructions_is_told_so():
    qemu = shutil.which("qemu-x86_64")
    if platform.machine() != "x86_64":
        pytest.skip("this build runs on any processor of its kind")
    if qemu is None:
        # The gate has all that tests need.
        missing = pytest.fail if "BACKRANK_GATE" in os.environ else pytest.skip
        missing("there is no qemu-x86_64; `apt install qemu-user`")
    # QEMU plays a processor of 2008.
    command = [qemu, "-cpu", "Nehalem", sys.executable, "-c", "import backrank"]
    told = subprocess.run(command, capture_output=True, text=True, check=False)
    assert told.returncode == 1, told
    assert "built for newer processors; this one does not have avx" in told.stderr
