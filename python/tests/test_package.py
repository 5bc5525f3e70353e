"""The package as its users know it: spaces, positions, search, studies, errors, threads and forks."""

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import backrank as br
import polars as pl
import pytest
from backrank import _backrank


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


def test_wrong_input_is_a_value_error_with_a_sentence():
    for wrong, says in [
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


def test_ctrl_c_ends_it_and_the_study_goes_on(tmp_path):
    script = f"""
import backrank as br
try:
    br.play("pmrc", {str(tmp_path / "study")!r}, setups="random:5000", nodes=2000, progress=lambda d, a: print(d, flush=True))
except KeyboardInterrupt:
    print("interrupted")
"""
    process = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    while int(process.stdout.readline()) < 2:
        pass
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=60)
    assert out.endswith("interrupted\n")
    played = br.Study(tmp_path / "study").games().height
    assert 2 <= played < 5000


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
    return len(_backrank.setups([path], 99, 0).splitlines()) - 1


def test_a_fork_works_on(tmp_path):
    assert _work(tmp_path / "parent") == 4
    with multiprocessing.get_context("fork").Pool(2) as pool:
        paths = [tmp_path / "one", tmp_path / "two"]
        assert pool.map_async(_work, paths).get(timeout=120) == [4, 4]


def test_an_example_is_typed():
    example = Path(__file__).parent / "typed_example.py"
    checked = subprocess.run([sys.executable, "-m", "mypy", "--strict", example], capture_output=True, text=True)
    assert checked.returncode == 0, checked.stdout
