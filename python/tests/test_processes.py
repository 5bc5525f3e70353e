"""What goes from one process to another, and what Ctrl-C ends."""

import copy
import multiprocessing
import pickle
import signal
import subprocess
import sys
import time

import backrank as br
import pytest

MINI = """name = "Mini"
source = "a test"

[board]
files = 5
ranks = 5

[pieces]
K = { name = "king", betza = "K", royal = true }
Q = { name = "queen", betza = "Q" }
R = { name = "rook", betza = "R" }
N = { name = "knight", betza = "N" }

[pawn]
double_step = false

[setup]
first_rank = "RNKNQ"
symmetry = "mirror"
"""


def objects(folder):
    """Something of each kind, with what must be the same of it."""
    file = folder / "mini.toml"
    file.write_text(MINI)
    mini = br.Variant(file)
    position = br.Position("pmrc", 6944)
    position.push("e2e4")
    position.push(position.legal_moves()[0])
    without = br.Position("pmrc", 0, adjustment=False)
    narrowed = br.Space("pmrc", numbering="lex").where(opposite_colours="B,B", between="K,R,R")
    independent = br.Space("double960")[12345]
    br.play(mini, folder / "study", setups="0..4", nodes=10)
    study = br.Study(folder / "study")

    def of_space(space):
        return (space.variant, len(space), space.constraints, space.numbering, space[len(space) // 2])

    def of_setup(setup):
        return (setup.variant, setup.id, setup.white, setup.black, setup.fen)

    def of_position(now):
        return (now.variant, now.fen, now.moves, now.legal_moves(), now.outcome)

    def of_result(result):
        return (result.best, result.depth, result.nodes, [(line.san, line.centipawns) for line in result.lines])

    yield from [(br.Variant("chess"), lambda variant: (variant.key, variant.text)), (mini, lambda variant: variant.text)]
    yield from [(space, of_space) for space in (br.Space("chess960"), br.Space(mini), narrowed)]
    yield from [(setup, of_setup) for setup in (br.Space("chess960")[518], br.Space(mini)[7], independent, br.Space("chess256")[77])]
    yield from [(now, of_position) for now in (position, without, br.Position(mini, 3))]
    yield br.search(position, nodes=2000, lines=2), of_result
    yield br.wilson(0.25, 100), lambda estimate: (estimate.value, estimate.low, estimate.high)
    yield study, lambda study: (study.path, study.variant, study.definition, len(study.games()))


def test_everything_can_be_pickled_and_copied(tmp_path):
    for made, what in objects(tmp_path):
        for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
            again = pickle.loads(pickle.dumps(made, protocol))
            assert type(again) is type(made) and what(again) == what(made), made
        assert what(copy.deepcopy(made)) == what(made)
    # A list of setups does not hold the text of their game as many times.
    assert len(pickle.dumps(br.Space("pmrc")[:100])) < 100 * 200
    with pytest.raises(ValueError, match="this version has no game `nonsense`"):
        br._pickling.variant("nonsense", None)
    with pytest.raises(ValueError, match="does not hold first ranks of this game"):
        br._pickling.setup(br.Variant("chess"), b"RNBQKB", b"RNBQKB", 0)


def best(position):
    return position, br.search(position, nodes=500).best


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_positions_go_to_other_processes_and_back(method):
    positions = [br.Position("chess960", setup) for setup in br.Space("chess960").random(4, seed=1)]
    with multiprocessing.get_context(method).Pool(2) as pool:
        found = pool.map(best, positions)
    assert found == [best(position) for position in positions]


@pytest.mark.parametrize("work", ["br.Position('chess').perft(60)", "br.Space('pmrc').random(10**8)"])
def test_ctrl_c_ends_what_takes_long(work):
    script = f"""
import backrank as br
print("begun", flush=True)
try:
    {work}
except KeyboardInterrupt:
    print("interrupted")
"""
    process = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "begun\n"
    time.sleep(0.5)
    begin = time.monotonic()
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=60)
    assert out == "interrupted\n" and time.monotonic() - begin < 20


def test_what_has_no_room_is_not_begun():
    with pytest.raises(MemoryError, match="1000000000000000 setups take more memory than there is"):
        br.Space("pmrc").random(10**15)
    assert br.Space("pmrc").random(0) == [] and br.Position("chess").perft(4) == 197281
