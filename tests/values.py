#!/usr/bin/env python3
"""Fits the shipped games at odds anew, without a line of ours, and holds `backrank values` against it.

    tests/values.py target/release/backrank [PART...]

Reads the games.csv of each part of data/pmrc-2026 (default: some of them) and nothing else: an ordered logit of all games with an
effect of each imbalance, design effects of the pairs, errors clustered by imbalance and by setup, and integration over the deviation
of the imbalances, with numerical derivatives throughout. Of small parts the fit without these effects is held against statsmodels.
Of the first, what pieces are worth beside others is fitted anew as well, by the covariance of all imbalances, and of the second the
pair of bishops.
"""

import csv
import gzip
import json
import re
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

import numpy as np
from scipy.optimize import brentq
from scipy.special import expit
from scipy.stats import norm, t
from statsmodels.miscmodels.ordinal_model import OrderedModel

DATA = Path(__file__).resolve().parent.parent / "data" / "pmrc-2026"
PARTS = ["network-net", "net", "strength/10000", "small"]
# Statsmodels takes its time.
SMALL = 13_000
STEP = 1e-3
# How far values, and ends of intervals, may be apart: in units, and as a part of the value.
CLOSE = {"value": (1e-3, 1e-4), "low": (3e-3, 5e-4), "high": (3e-3, 5e-4)}


def count(side, kinds):
    found = re.findall(r"(\d*)([A-Z])", side)
    return np.array([sum(int(number or 1) for number, kind in found if kind == wanted) for wanted in kinds])


def read(part, kinds):
    """For each imbalance, its pairs: the setup, and the outcomes of the side that is ahead, as White and as Black."""
    pairs = defaultdict(list)
    for path in sorted((DATA / part).glob("*/games.csv.gz")):
        with gzip.open(path, "rt") as file:
            games = list(csv.DictReader(file))
        for one, two in zip(games[::2], games[1::2]):
            assert int(one["game"]) + 1 == int(two["game"])
            seen = []
            for game in (one, two):
                # White lacks what is before the colon, Black what is after it.
                lacks, other = (count(side, kinds) for side in game["odds"].split(":"))
                outcome = {"1-0": 2, "1/2-1/2": 1, "0-1": 0}[game["result"]]
                seen.append((tuple(other - lacks), outcome))
            named = max(seen[0][0], seen[1][0])
            as_white, as_black = seen if seen[0][0] == named else reversed(seen)
            pairs[named].append((one["white_rank"] + one["black_rank"], as_white[1], 2 - as_black[1]))
    return pairs


def log_likelihood(eta, half):
    """Of loss, draw and win."""
    return np.stack([np.log(expit(-half - eta)), np.log(expit(half - eta) - expit(-half - eta)), np.log(expit(eta - half))])


def each_pair(eta, white, half):
    """Of the nine outcomes of a pair."""
    return (log_likelihood(eta + white, half)[:, None] + log_likelihood(eta - white, half)[None, :]).reshape(9, *np.shape(eta))


def derivatives(function, at):
    """The value, gradient and matrix of second derivatives of functions of three numbers, one for each row."""
    move = np.eye(3) * STEP
    value = lambda *by: function(*(at[k] + sum(b[k] for b in by) for k in range(3)))
    middle = value()
    ahead, behind = [value(m) for m in move], [value(-m) for m in move]
    gradient = np.stack([(a - b) / (2 * STEP) for a, b in zip(ahead, behind)])
    second = np.empty((3, 3, len(middle)))
    for i in range(3):
        second[i, i] = (ahead[i] - 2 * middle + behind[i]) / STEP**2
        for j in range(i):
            corners = value(move[i], move[j]) - value(move[i], -move[j]) - value(-move[i], move[j]) + value(-move[i], -move[j])
            second[i, j] = second[j, i] = corners / (4 * STEP**2)
    return middle, gradient, second


class Network:
    def __init__(self, pairs, kinds):
        self.x = np.array(list(pairs), float)[:, : len(kinds)]
        self.pairs = list(pairs.values())
        self.counts = np.array([np.bincount([3 * a + b for _, a, b in row], minlength=9) for row in self.pairs], float).T
        self.effects = np.ones(len(self.x))

    def rows(self, eta, white, half):
        return (self.counts * each_pair(eta, white, half)).sum(0) / self.effects

    def fit(self, deviation, start):
        """White's advantage, half the distance of the cut-points, the values, and each imbalance's effect divided by the deviation."""
        n, p = self.x.shape
        # What moves the three numbers of each row.
        design = np.zeros((3, n, 2 + p + n))
        design[0, :, 2 : 2 + p], design[0, :, 2 + p :] = self.x, deviation * np.eye(n)
        design[1, :, 0] = design[2, :, 1] = 1
        penalty = np.diag(np.r_[np.zeros(2 + p), np.ones(n)])
        now = start.copy()
        for _ in range(60):
            at = np.stack([design[k] @ now for k in range(3)])
            value, gradient, second = derivatives(self.rows, at)
            slope = sum(gradient[k] @ design[k] for k in range(3)) - penalty @ now
            curve = penalty - sum(design[i].T @ (second[i, j][:, None] * design[j]) for i in range(3) for j in range(3))
            step = np.linalg.solve(curve, slope)
            # Far from the maximum a whole step may be too long.
            now = now + step * min(1, 0.5 / abs(step[: 2 + p]).max())
            if abs(step).max() < 1e-7:
                break
        return now, curve, design, value.sum() - 0.5 * (now[2 + p :] ** 2).sum()

    def design_effects(self, additive):
        p = self.x.shape[1]
        eta = self.x @ additive[2 : 2 + p]
        log = lambda eta: each_pair(eta, additive[0], additive[1])
        up, middle, down = log(eta + STEP), log(eta), log(eta - STEP)
        slope, bend = (up - down) / (2 * STEP), -(up - 2 * middle + down) / STEP**2
        number = self.counts.sum(0)
        mean = (self.counts * slope).sum(0) / number
        squares = (self.counts * (slope - mean) ** 2).sum(0)
        curve = (self.counts * bend).sum(0) / number
        pooled = squares.sum() / ((number - 1) * curve).sum()
        self.effects = (squares / curve + 20 * pooled) / (number - 1 + 20)

    def setups(self, now, deviation):
        """For two imbalances, the sum over setups of the products of their scores, and the number of setups."""
        p = self.x.shape[1]
        eta = self.x @ now[2 : 2 + p] + deviation * now[2 + p :]
        log = lambda eta: each_pair(eta, now[0], now[1])
        slope = (log(eta + STEP) - log(eta - STEP)) / (2 * STEP)
        names = {setup: at for at, setup in enumerate(sorted({setup for row in self.pairs for setup, _, _ in row}))}
        scores = np.zeros((len(names), len(self.pairs)))
        for row, pairs in enumerate(self.pairs):
            found = np.array([slope[3 * a + b, row] for _, a, b in pairs])
            np.add.at(scores[:, row], [names[setup] for setup, _, _ in pairs], (found - found.mean()) / self.effects[row])
        products = scores.T @ scores
        np.fill_diagonal(products, 0)
        shared = (np.count_nonzero(scores, axis=1) > 1).any()
        return (products if shared and len(names) >= 10 else None), len(names)


def refit(pairs, kinds):
    network = Network(pairs, kinds)
    n, p = network.x.shape
    additive, *_ = network.fit(0.0, np.r_[0, 0.3, np.full(p, 0.3), np.zeros(n)])
    plain = additive
    network.design_effects(additive)
    additive, *_ = network.fit(0.0, additive)
    elo = 400 / np.log(10) * 4 * expit(additive[1]) * expit(-additive[1])
    now, fits = additive.copy(), []
    for deviation in np.geomspace(1, 150, 81) / elo:
        now, curve, design, log = network.fit(deviation, now)
        density = log - 0.5 * np.linalg.slogdet(curve)[1] + np.log(deviation) - 0.5 * (deviation * elo / 30) ** 2
        fits.append((density, deviation, now.copy(), np.linalg.inv(curve), design))
    density = np.array([fit[0] for fit in fits])
    weights = np.exp(density - density.max())
    weights /= weights.sum()
    products, setups = network.setups(fits[weights.argmax()][2], fits[weights.argmax()][1])
    parts = []
    for weight, (_, _, now, inverse, design) in zip(weights, fits):
        if weight < 1e-7:
            continue
        spread = inverse[2 : 2 + p, 2 : 2 + p]
        if products is not None:
            moved = inverse[2 : 2 + p] @ design[0].T
            spread = spread + setups / (setups - 1) * moved @ products @ moved.T
            values, vectors = np.linalg.eigh(spread)
            wider = t.ppf(0.975, setups - 1) / norm.ppf(0.975)
            spread = wider**2 * (vectors * np.maximum(values, 0)) @ vectors.T
        parts.append((weight, now[2 : 2 + p], spread))
    return plain, parts


def value(parts, kind, unit):
    beta = sum(weight * of for weight, of, _ in parts)
    ratio = beta[kind] / beta[unit]

    def negative(r):
        x = np.zeros(len(beta))
        x[kind] += 1
        x[unit] -= r
        return sum(weight * norm.cdf(-(x @ of) / np.sqrt(x @ spread @ x)) for weight, of, spread in parts)

    low, high = (brentq(lambda r: negative(r) - share, ratio - 2, ratio + 2) for share in (0.025, 0.975))
    return {"value": 5 * ratio, "low": 5 * low, "high": 5 * high}


def beside(pairs, kinds, unit):
    """What pieces are worth where all are there, and where both sides lack four pawns, in the unit: without the errors of setups."""
    network = Network(pairs, kinds)
    n, p = network.x.shape
    additive, *_ = network.fit(0.0, np.r_[0, 0.3, np.full(p, 0.3), np.zeros(n)])
    network.design_effects(additive)
    additive, *_ = network.fit(0.0, additive)
    beta = additive[2 : 2 + p]
    # What each imbalance shows by itself: a step from the sum of values, and its variance.
    log = lambda eta: (network.counts * each_pair(eta, additive[0], additive[1])).sum(0)
    eta = network.x @ beta
    up, middle, down = log(eta + STEP), log(eta), log(eta - STEP)
    bend = -(up - 2 * middle + down) / STEP**2
    own, variance = eta + (up - down) / (2 * STEP) / bend, network.effects / bend
    scale = np.sqrt(np.outer(beta, beta)) / beta[unit]
    first, second = np.maximum(network.x, 0), np.maximum(-network.x, 0)
    upper = [(i, j) for i in range(p) for j in range(i, p)]

    def lines(first, second):
        """The interactions of pieces of the same side, where these are missing from the other side and from the own."""
        of = lambda i, j: (second[..., i] * second[..., j] - first[..., i] * first[..., j]) * scale[i, j] * (0.5 if i == j else 1)
        return np.stack([of(i, j) for i, j in upper], -1)

    z, x = lines(first, second), network.x
    elo = 400 / np.log(10) * 4 * expit(additive[1]) * expit(-additive[1])
    fits = []
    for deviation in np.geomspace(0.5, 80, 24) / elo:
        for shrinkage in np.geomspace(0.25, 60, 24) / elo:
            covariance = np.diag(variance + deviation**2) + shrinkage**2 * z @ z.T
            inverse = np.linalg.inv(covariance)
            information = x.T @ inverse @ x
            values = np.linalg.solve(information, x.T @ inverse @ own)
            left = own - x @ values
            density = -0.5 * (np.linalg.slogdet(covariance)[1] + np.linalg.slogdet(information)[1] + left @ inverse @ left)
            density += np.log(deviation * shrinkage) - 0.5 * (deviation * elo / 30) ** 2 - 0.5 * (shrinkage * elo / 15) ** 2
            fits.append((density, values, shrinkage**2 * z.T @ inverse @ left))
    weights = np.exp([fit[0] - max(fit[0] for fit in fits) for fit in fits])
    values, shrunk = (sum(weight * fit[k] for weight, fit in zip(weights, fits)) / weights.sum() for k in (1, 2))
    found = []
    for lacking in (np.zeros(p), 4.0 * (np.arange(p) == kinds.index("P"))):
        more = np.eye(p) + lacking
        worth = values + lines(more, np.tile(lacking, (p, 1))) @ shrunk
        found.append(dict(zip(kinds, 5 * worth / worth[unit])))
    return found


def with_pair(pairs, kinds):
    """Each imbalance by whether bishops start on both colours, where they and their pair are kinds of their own."""
    found, bishop = defaultdict(list), kinds.index("B")
    for difference, of in pairs.items():
        for setup, *outcomes in of:
            white = setup[: len(setup) // 2]
            on_both = (white.index("B") + white.rindex("B")) % 2
            elsewhere = [0 if on_both and kind == bishop else number for kind, number in enumerate(difference)]
            # No two sides of these games both lack bishops.
            ahead = difference[bishop] * on_both
            found[(*elsewhere, ahead, np.sign(ahead), on_both)].append((setup, *outcomes))
    return found


def by_statsmodels(pairs):
    rows = [(x, a, b) for x, of in pairs.items() for _, a, b in of]
    x = np.array([np.r_[x, side] for x, a, b in rows for side in (1, -1)], float)
    y = np.array([outcome for _, a, b in rows for outcome in (a, b)])
    # Symmetric cut-points: every game is seen from either side.
    found = OrderedModel(np.r_[y, 2 - y], np.r_[x, -x], distr="logit").fit(method="bfgs", gtol=1e-7, maxiter=500, disp=False)
    return found.params[: x.shape[1] - 1]


def main():
    backrank, parts = Path(sys.argv[1]).resolve(), sys.argv[2:] or PARTS
    for part in parts:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "values.csv"
            subprocess.run([backrank, "values", "-q", DATA / part, "--csv", path], check=True, stdout=subprocess.DEVNULL)
            with open(path, encoding="utf-8") as file:
                ours = {row["piece"]: row for row in csv.DictReader(file) if row["method"] == "imbalances"}
        kinds = list(ours)
        pairs = read(part, kinds)
        plain, fitted = refit(pairs, kinds)
        if 2 * sum(map(len, pairs.values())) < SMALL:
            theirs = by_statsmodels(pairs)
            assert np.allclose(plain[2 : 2 + len(kinds)], theirs, rtol=2e-3), f"{part}: {plain[2:2 + len(kinds)]} and {theirs} by statsmodels"
        for at, kind in enumerate(kinds):
            if kind == "R":
                continue
            found = value(fitted, at, kinds.index("R"))
            for key, (apart, relative) in CLOSE.items():
                our = float(ours[kind][key])
                assert abs(our - found[key]) < apart + relative * abs(our), f"{part}, {kind}: {key} is {our}, and {found[key]} by an independent fit"
        if part == PARTS[0]:
            printed = subprocess.run([backrank, "values", "-q", DATA / part, "--without", "4P", "--json"], check=True, capture_output=True)
            others = beside(pairs, kinds, kinds.index("R"))
            rows = json.loads(printed.stdout)["pieces"]
            assert [row["piece"] for row in rows] == kinds
            for row in rows:
                for key, found in zip(("full", "without"), others):
                    our, theirs = row[key]["value"], found[row["piece"]]
                    assert abs(our - theirs) < 0.02, f"{part}, {row['piece']}: {key} is {our}, and {theirs} by an independent fit"
        if part == PARTS[1]:
            printed = subprocess.run([backrank, "values", "-q", DATA / part, "--by", "bishops", "--json"], check=True, capture_output=True)
            pair, more = json.loads(printed.stdout)[0]["pair"], [*kinds, "B of two", "B+B"]
            _, fitted = refit(with_pair(pairs, kinds), more)
            for name, kind in (("value", "B+B"), ("single", "B of two")):
                found = value(fitted, more.index(kind), more.index("R"))
                for key, (apart, relative) in CLOSE.items():
                    our = pair[name][key]
                    assert abs(our - found[key]) < apart + relative * abs(our), f"{part}, {kind}: {key} is {our}, and {found[key]} by an independent fit"
        games = 2 * sum(map(len, pairs.values()))
        print(f"{part}: {len(kinds) - 1} values of {games:,} games at {len(pairs)} imbalances are those of an independent fit")


if __name__ == "__main__":
    main()
