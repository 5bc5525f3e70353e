#!/usr/bin/env python3
"""Trains a network for every game.

    engine/nets/general/train.py DIR -o general.net

make.sh, beside it, has the steps by which the shipped one was made, from the positions in DIR on.

The accumulator of a network is a sum of rows, one for each piece on its square. Here a perceptron computes the rows of a game from
descriptions of its pieces, which the Rust program writes, so that there is one definition of them. What the network says is added to
the score by the engine's weights, or to that part of it that follows from material, piece-square tables, pawns and kings alone (--on).
It learns from what the engine's weights say of positions (--weights-part of each batch), and from what quiet positions of games came
to. Games whose keys --unseen names are only tested.

To the row of the perceptron are added tables of squares: pawns and kings have their own, and each kind has shares in others, which
follow from its description. Without them the rows of a kind cannot tell its squares apart finely enough.

A batch has positions of several games. For each of them the rows are computed, positions sum them up, and what the loss says of the
rows goes back through the perceptron. The optimiser is Adam, its rate falls by a cosine. Where memory comes from the GNU C library,
MALLOC_MMAP_THRESHOLD_=4000000000 MALLOC_TRIM_THRESHOLD_=8000000000 in the environment make it a fifth faster.
"""

import argparse
import contextlib
import fnmatch
import json
import math
import time
from pathlib import Path

import numba
import numpy as np

HIDDEN = 128
BUCKETS = 8
WIDTH = 96
# The tables of pawns and kings, then those that every kind has a share of.
TABLES = 4
MIXED = 16
MIXER = 64
TABLE_SQUARES = 100
QA, QB, MAX_OUTPUT = 255, 64, 127
MAX_ROW = 127 / 64
AVERAGED = 0.99
# What the last layer of the perceptron is multiplied by: thirty rows are summed up, and a step of the optimiser must not move that sum
# by more than a part of what a neuron is clipped to.
GAIN = 0.02
# The same for shares in tables.
SHARE = 0.15


class Game:
    """The positions of a game, and what describes its pieces."""

    def __init__(self, folders, key):
        self.key = key
        folders = [folder for folder in folders if (folder / f"{key}.positions").exists()]
        data = (folders[0] / f"{key}.game").read_bytes()
        planes, squares, of_kind, of_square, of_place = np.frombuffer(data, "<u4", 5).astype(int)
        at = 20

        def take(kind, *shape):
            nonlocal at
            array = np.frombuffer(data, kind, math.prod(shape), at).reshape(shape)
            at += array.nbytes
            return array

        self.kinds = take("<f4", planes, of_kind)
        self.squares = take("<f4", squares, of_square)
        self.places = take("<f4", planes, squares, of_place)
        self.table = take("<i4", planes)
        self.cells = take("<i4", squares)
        # Beyond the last cell squares share one.
        self.shares_cells = len(set(self.cells)) < len(self.cells)
        # The share of each plane in the tables of pawns and kings.
        self.own = np.eye(TABLES + 1, TABLES, dtype=np.float32)[np.where(self.table < 0, TABLES, self.table)]
        self.rows = planes * squares
        paths = [folder / f"{key}.positions" for folder in folders]
        width = int(np.fromfile(paths[0], "<u4", 1)[0])
        record = np.dtype(
            [
                ("number", "u1"), ("bucket", "u1"), ("of_game", "u1"), ("result", "u1"),
                ("structure", "<i2"), ("score", "<i2"), ("value", "<u2"), ("inputs", "<u2", (2, width)),
            ]
        )
        self.positions = np.concatenate([np.fromfile(path, record, offset=4) for path in paths])
        # What is only tested is of games of its own, for the positions of one are alike.
        held_out = len(self.positions) // 20
        order = np.arange(len(self.positions))
        self.test, train = order[-held_out:], order[:-held_out]
        of_game = self.positions["of_game"] == 1
        self.all = train
        self.quiet, self.quiet_test = (some[of_game[some]] for some in (train, self.test))

    def keep_for_tests(self):
        """Nothing is learnt from it: all of its positions are for tests."""
        self.test, self.quiet_test = (np.concatenate(parts) for parts in [(self.all, self.test), (self.quiet, self.quiet_test)])


class Perceptron:
    """The perceptron of the rows, with its gradient."""

    def __init__(self, game, rng):
        of_kind, of_square, of_place = game.kinds.shape[1], game.squares.shape[1], game.places.shape[2]
        def normal(*shape, size):
            return (rng.standard_normal(shape) * size).astype(np.float32)
        first = 1 / math.sqrt(20)
        self.parameters = {
            "of_kind": normal(of_kind, WIDTH, size=first),
            "of_square": normal(of_square, WIDTH, size=first),
            "of_place": normal(of_place, WIDTH, size=first),
            "first_bias": np.zeros(WIDTH, np.float32),
            "second": normal(WIDTH, WIDTH, size=math.sqrt(2 / WIDTH)),
            "second_bias": np.zeros(WIDTH, np.float32),
            "row": normal(WIDTH, HIDDEN, size=1 / math.sqrt(WIDTH)),
            "mixer": normal(of_kind, MIXER, size=first),
            "mixer_bias": np.zeros(MIXER, np.float32),
            "mix": normal(MIXER, MIXED, size=1 / math.sqrt(MIXER)),
            "tables": normal(TABLES + MIXED, TABLE_SQUARES, HIDDEN, size=0.02),
            "bias": np.full(HIDDEN, 0.3, np.float32),
            "output": normal(BUCKETS, 2, HIDDEN, size=1 / math.sqrt(2 * HIDDEN)),
            "output_bias": np.zeros(BUCKETS, np.float32),
        }

    def forward(self, games):
        """The rows of games, one after the other, and what the gradient needs."""
        p = self.parameters
        kinds = np.concatenate([game.kinds for game in games]) @ p["of_kind"] + p["first_bias"]
        first, plane = [], 0
        for game in games:
            of_square = game.squares @ p["of_square"]
            n = len(game.kinds)
            of_place = game.places.reshape(-1, game.places.shape[2]) @ p["of_place"]
            layer = of_place.reshape(n, -1, WIDTH) + kinds[plane : plane + n, None] + of_square[None]
            first.append(layer.reshape(-1, WIDTH))
            plane += n
        first = np.maximum(np.concatenate(first), 0)
        second = np.maximum(first @ p["second"] + p["second_bias"], 0)
        rows = GAIN * (second @ p["row"])
        kept, at = [], 0
        for game in games:
            mixer = np.maximum(game.kinds @ p["mixer"] + p["mixer_bias"], 0)
            shares = np.concatenate([game.own, SHARE * (mixer @ p["mix"])], 1)
            tables = p["tables"][:, game.cells].reshape(TABLES + MIXED, -1)
            rows[at : at + game.rows] += (shares @ tables).reshape(-1, HIDDEN)
            kept.append((mixer, shares, tables))
            at += game.rows
        return rows, (first, second, kept)

    def backward(self, games, kept, slope):
        """The gradient of the parameters, from that of the rows."""
        p, (first, second, of_tables) = self.parameters, kept
        gradient = {"row": GAIN * (second.T @ slope)}
        for name in ("mixer", "mixer_bias", "mix", "tables"):
            gradient[name] = np.zeros_like(p[name])
        at = 0
        for game, (mixer, shares, tables) in zip(games, of_tables):
            part = slope[at : at + game.rows].reshape(len(game.kinds), -1)
            of_cells = (shares.T @ part).reshape(TABLES + MIXED, -1, HIDDEN)
            if game.shares_cells:
                np.add.at(gradient["tables"], (slice(None), game.cells), of_cells)
            else:
                gradient["tables"][:, game.cells] += of_cells
            of_shares = SHARE * (part @ tables[TABLES:].T)
            gradient["mix"] += mixer.T @ of_shares
            of_mixer = (of_shares @ p["mix"].T) * (mixer > 0)
            gradient["mixer"] += game.kinds.T @ of_mixer
            gradient["mixer_bias"] += of_mixer.sum(0)
            at += game.rows
        of_second = slope @ (GAIN * p["row"]).T
        of_second *= second > 0
        gradient["second"] = first.T @ of_second
        gradient["second_bias"] = of_second.sum(0)
        of_first = of_second @ p["second"].T
        of_first *= first > 0
        gradient["of_place"] = np.zeros_like(p["of_place"])
        gradient["of_square"] = np.zeros_like(p["of_square"])
        gradient["of_kind"] = np.zeros_like(p["of_kind"])
        gradient["first_bias"] = np.zeros_like(p["first_bias"])
        at = 0
        for game in games:
            part = of_first[at : at + game.rows]
            n = len(game.kinds)
            gradient["of_place"] += game.places.reshape(-1, game.places.shape[2]).T @ part
            by_plane = part.reshape(n, -1, WIDTH)
            of_kinds = by_plane.sum(1)
            gradient["of_square"] += game.squares.T @ by_plane.sum(0)
            gradient["of_kind"] += game.kinds.T @ of_kinds
            gradient["first_bias"] += of_kinds.sum(0)
            at += game.rows
        return gradient


@numba.njit(parallel=True, fastmath=True, cache=True)
def positions_of_games(
    starts, row_starts, rows, number, bucket, base, target, inputs, bias, output, output_bias, scale, slope, result, with_slope
):
    """The outputs of positions and the gradients of rows, biases and output weights; each game is the work of one thread."""
    games = len(starts) - 1
    bias_slope = np.zeros((games, HIDDEN), np.float32)
    output_slope = np.zeros((games, BUCKETS, 2, HIDDEN), np.float32)
    output_bias_slope = np.zeros((games, BUCKETS), np.float32)
    losses = np.zeros(games, np.float64)
    for game in numba.prange(games):
        first_row = row_starts[game]
        hidden = np.empty((2, HIDDEN), np.float32)
        back = np.empty(HIDDEN, np.float32)
        loss = 0.0
        for at in range(starts[game], starts[game + 1]):
            n = number[at]
            weights = output[bucket[at]]
            out = output_bias[bucket[at]]
            for side in range(2):
                for k in range(HIDDEN):
                    hidden[side, k] = bias[k]
                i = 0
                while i + 4 <= n:
                    one, two = rows[first_row + inputs[at, side, i]], rows[first_row + inputs[at, side, i + 1]]
                    three, four = rows[first_row + inputs[at, side, i + 2]], rows[first_row + inputs[at, side, i + 3]]
                    for k in range(HIDDEN):
                        hidden[side, k] += (one[k] + two[k]) + (three[k] + four[k])
                    i += 4
                while i < n:
                    one = rows[first_row + inputs[at, side, i]]
                    for k in range(HIDDEN):
                        hidden[side, k] += one[k]
                    i += 1
                part = np.float32(0.0)
                for k in range(HIDDEN):
                    clipped = min(max(hidden[side, k], np.float32(0.0)), np.float32(1.0))
                    part += clipped * clipped * weights[side, k]
                out += part
            # The network's unit is a scale of centipawns.
            x = out + base[at] / scale
            result[at] = out
            p = 1.0 / (1.0 + math.exp(-x))
            loss += -(target[at] * math.log(p + 1e-9) + (1 - target[at]) * math.log(1 - p + 1e-9))
            if with_slope:
                error = np.float32(p - target[at])
                output_bias_slope[game, bucket[at]] += error
                for side in range(2):
                    of_output = output_slope[game, bucket[at], side]
                    for k in range(HIDDEN):
                        h = hidden[side, k]
                        clipped = min(max(h, np.float32(0.0)), np.float32(1.0))
                        of_output[k] += error * clipped * clipped
                        inside = np.float32(1.0) if (h > 0 and h < 1) else np.float32(0.0)
                        back[k] = inside * error * weights[side, k] * 2 * clipped
                    for k in range(HIDDEN):
                        bias_slope[game, k] += back[k]
                    for i in range(n):
                        of_row = slope[first_row + inputs[at, side, i]]
                        for k in range(HIDDEN):
                            of_row[k] += back[k]
        losses[game] = loss
    return bias_slope, output_slope, output_bias_slope, losses


class Trainer:
    def __init__(self, games, scale, base, results_part, seed):
        self.games = games
        self.scale = scale
        self.base = base
        self.results_part = results_part
        self.rng = np.random.default_rng(seed)
        self.perceptron = Perceptron(games[0], self.rng)
        self.means = {name: np.zeros_like(value) for name, value in self.perceptron.parameters.items()}
        self.squares = {name: np.zeros_like(value) for name, value in self.perceptron.parameters.items()}
        # A mean of the last parameters is better than the last ones, at any time of the training.
        self.average = {name: value.copy() for name, value in self.perceptron.parameters.items()}
        self.steps = 0

    def run(self, games, chosen, by_weights, with_slope=True, rows=None):
        """The gradient of a batch, and the outputs."""
        p = self.perceptron.parameters
        kept = None
        if rows is None:
            rows, kept = self.perceptron.forward(games)
        starts = np.cumsum([0] + [len(one) for one in chosen])
        row_starts = np.cumsum([0] + [game.rows for game in games])
        width = max(game.positions["inputs"].shape[2] for game in games)
        total = starts[-1]
        inputs = np.zeros((total, 2, width), np.uint16)
        columns = {name: np.empty(total, kind) for name, kind in
                   [("number", np.uint8), ("bucket", np.uint8), ("base", np.float32), ("target", np.float32), ("score", np.float32)]}
        for game, one, own, start in zip(games, chosen, by_weights, starts):
            records = game.positions[one]
            end = start + len(one)
            inputs[start:end, :, : records["inputs"].shape[2]] = records["inputs"]
            for name in ("number", "bucket", "score"):
                columns[name][start:end] = records[name]
            columns["base"][start:end] = records["structure" if self.base == "structure" else "score"]
            columns["target"][start:end] = np.where(
                own, 1 / (1 + np.exp(-records["score"] / self.scale)), self.outcome(records)
            )
        slope = np.zeros_like(rows) if with_slope else rows
        outputs = np.empty(total, np.float32)
        bias, output, output_bias, losses = positions_of_games(
            starts, row_starts, rows, columns["number"], columns["bucket"], columns["base"], columns["target"], inputs,
            p["bias"], p["output"], p["output_bias"], np.float32(self.scale), slope, outputs, with_slope,
        )
        if not with_slope:
            return outputs, columns, losses.sum() / total
        slope /= total
        gradient = self.perceptron.backward(games, kept, slope)
        gradient["bias"] = bias.sum(0) / total
        gradient["output"] = output.sum(0) / total
        gradient["output_bias"] = output_bias.sum(0) / total
        return gradient, losses.sum() / total

    def outcome(self, records):
        """What games came to."""
        return self.results_part * records["result"] / 2 + (1 - self.results_part) * records["value"] / 65535

    def step(self, gradient, rate):
        self.steps += 1
        first, second = 1 - 0.9**self.steps, 1 - 0.999**self.steps
        for name, value in self.perceptron.parameters.items():
            g, m, s = gradient[name], self.means[name], self.squares[name]
            m += 0.1 * (g - m)
            s += 0.001 * (g * g - s)
            value -= (rate / first) * m / (np.sqrt(s / second) + 1e-8)
        np.clip(self.perceptron.parameters["output"], -MAX_ROW, MAX_ROW, out=self.perceptron.parameters["output"])
        kept = min(AVERAGED, self.steps / (self.steps + 10))
        for name, value in self.perceptron.parameters.items():
            self.average[name] += (1 - kept) * (value - self.average[name])

    @contextlib.contextmanager
    def averaged(self):
        """Has the mean parameters in place of the last ones."""
        last, self.perceptron.parameters = self.perceptron.parameters, self.average
        yield
        self.perceptron.parameters = last

    def batch(self, games_a_batch, of_each, weights_part):
        picks = self.rng.choice(len(self.games), games_a_batch, replace=False)
        games = [self.games[pick] for pick in picks]
        chosen, by_weights = [], []
        for game in games:
            from_weights = of_each if not len(game.quiet) else round(of_each * weights_part)
            one = game.all[self.rng.integers(len(game.all), size=from_weights)]
            if from_weights < of_each:
                one = np.concatenate([one, game.quiet[self.rng.integers(len(game.quiet), size=of_each - from_weights)]])
            chosen.append(one)
            by_weights.append(np.arange(of_each) < from_weights)
        return games, chosen, by_weights

    def error(self, game, most=20_000, rows=None):
        """The mean error against the weights in centipawns where these say less than 600, the standard deviation of what they say
        there, and the loss in predicting the results of games from quiet positions by the network and by the weights."""
        chosen = game.test[:most]
        outputs, columns, _ = self.run([game], [chosen], [np.ones(len(chosen), bool)], False, rows)
        score = outputs * self.scale + columns["base"]
        near = np.abs(columns["score"]) < 600
        difference = (score - columns["score"])[near]
        quiet = game.quiet_test
        loss, loss_by_weights = float("nan"), float("nan")
        if len(quiet):
            target = game.positions["result"][quiet] / 2
            outputs, of_quiet, _ = self.run([game], [quiet], [np.ones(len(quiet), bool)], False, rows)

            def cross_entropy(score):
                p = np.clip(1 / (1 + np.exp(-score / self.scale)), 1e-6, 1 - 1e-6)
                return float(-(target * np.log(p) + (1 - target) * np.log(1 - p)).mean())

            loss = cross_entropy(outputs * self.scale + of_quiet["base"])
            loss_by_weights = cross_entropy(of_quiet["score"])
        return {
            "mean": float(np.abs(difference).mean()),
            "rms": float(np.sqrt((difference**2).mean())),
            "base_rms": float(np.sqrt(((columns["base"] - columns["score"])[near] ** 2).mean())),
            "deviation": float(columns["score"][near].std()),
            "loss": loss,
            "loss_by_weights": loss_by_weights,
        }

    def write(self, path):
        """The network in whole numbers."""
        p = self.perceptron.parameters
        # The smallest scale at which the weights of the output fit makes them the finest.
        factor = min(1.0, max(np.abs(p["output"]).max() * QB / MAX_OUTPUT, 1e-3))
        scale = max(1, round(self.scale * factor))
        factor = scale / self.scale
        sizes = [p["of_kind"].shape[0], p["of_square"].shape[0], p["of_place"].shape[0], WIDTH, MIXER, TABLES, MIXED, HIDDEN, BUCKETS]
        data = bytearray(f"backrank general net 2: {' '.join(map(str, sizes))}, {scale}, on {self.base}\n".encode())
        names = ("of_kind", "of_square", "of_place", "first_bias", "second", "second_bias", "row", "mixer", "mixer_bias", "mix", "tables")
        for name in names:
            matrix = p[name] * {"row": np.float32(GAIN), "mix": np.float32(SHARE)}.get(name, np.float32(1))
            unit = np.float32(max(np.abs(matrix).max(), 1e-6) / 32_767)
            data += unit.tobytes() + np.round(matrix / unit).clip(-32_767, 32_767).astype("<i2").tobytes()
        data += np.round(p["bias"] * QA).astype("<i2").tobytes()
        for bucket in range(BUCKETS):
            weights = np.round(p["output"][bucket] / factor * QB).clip(-MAX_OUTPUT, MAX_OUTPUT)
            data += weights.astype("<i2").tobytes()
            data += np.int32(round(float(p["output_bias"][bucket] / factor * QA * QB))).tobytes()
        path.write_bytes(bytes(data))


def main():
    parser = argparse.ArgumentParser(description="Train a network for every game.")
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--steps", type=int, default=4400)
    parser.add_argument("--rate", type=float, default=0.002)
    parser.add_argument("--games", type=int, default=8, help="games a batch")
    parser.add_argument("--positions", type=int, default=6144, help="positions of each")
    parser.add_argument("--weights-part", type=float, default=1.0, help="the part that learns from the weights")
    parser.add_argument("--results-part", type=float, default=0.5,
                        help="the part that results have in what a game came to, beside TD(λ) returns")
    parser.add_argument("--on", choices=["structure", "weights"], default="structure", help="what its score is added to")
    parser.add_argument("--scale", type=float, default=450.0)
    parser.add_argument("--start", type=Path, help="parameters to begin with, which a run writes beside its network")
    parser.add_argument("--unseen", default="random-9???,held-out-*", help="games that are only tested: patterns of their keys")
    parser.add_argument("--report", type=int, default=500)
    args = parser.parse_args()
    keys = sorted({path.stem for folder in args.folders for path in folder.glob("*.positions")})
    is_unseen = {key: any(fnmatch.fnmatchcase(key, pattern) for pattern in args.unseen.split(",")) for key in keys}
    games = [Game(args.folders, key) for key in keys]
    learnt = [game for game in games if not is_unseen[game.key]]
    others = [game for game in games if is_unseen[game.key]]
    for game in others:
        game.keep_for_tests()
    print(f"{len(learnt)} games, {sum(len(game.all) for game in learnt):,} positions, "
          f"{sum(len(game.quiet) for game in learnt):,} quiet ones", flush=True)
    trainer = Trainer(learnt, args.scale, args.on, args.results_part, 0)
    if args.start:
        with np.load(args.start) as known:
            for name, value in trainer.perceptron.parameters.items():
                value[...] = known[name]
                trainer.average[name][...] = known[name]
    shown = learnt[:: max(1, len(learnt) // 10)]
    began, losses = time.time(), []
    for step in range(1, args.steps + 1):
        rate = args.rate * (1 + math.cos(math.pi * step / args.steps)) / 2
        gradient, one = trainer.run(*trainer.batch(args.games, args.positions, args.weights_part))
        trainer.step(gradient, rate)
        losses.append(one)
        if step % args.report == 0 or step == args.steps:
            def mean(games):
                errors = [trainer.error(game, 2000) for game in games]
                return " ".join(f"{np.mean([error[column] for error in errors]):.{digits}f}" for column, digits in
                                [("rms", 1), ("loss", 4), ("loss_by_weights", 4)]) if games else "-"
            with trainer.averaged():
                trainer.write(args.output)
                np.savez(args.output.with_suffix(".npz"), **trainer.perceptron.parameters)
                print(f"step {step}: loss {np.mean(losses):.5f}, error {mean(shown)}, unseen {mean(others)}, "
                      f"{step * args.games * args.positions / (time.time() - began):,.0f} positions a second", flush=True)
            losses = []
    with trainer.averaged():
        report = {game.key: trainer.error(game) for game in games}
    args.output.with_suffix(".json").write_text(json.dumps(report, indent=1))
    for name, some in (("seen", learnt), ("unseen", others)):
        if some:
            columns = {column: np.mean([report[game.key][column] for game in some]) for column in report[some[0].key]}
            print(name, {column: round(float(value), 4) for column, value in columns.items()})


if __name__ == "__main__":
    main()
