"""Fits imbalances.csv anew, without a line of ours, and writes what it finds to imbalances.json.

    python3 -m venv .venv && .venv/bin/pip install -r requirements.txt
    .venv/bin/python imbalances.py

`cargo test -p backrank-analysis reference` holds our own numbers against it. imbalances.csv has pairs of games of `pmrc` at
1,000 nodes a move, by the odds and the outcomes of the side that has what stands before the colon: in the game in which it
is White, and in the other one. The plain ordered logit is by statsmodels; the one with an effect of each imbalance is
written down here, with numerical derivatives throughout.
"""

import json
import pathlib
import re

import numpy as np
import pandas as pd
from scipy.optimize import brentq, minimize
from scipy.special import expit
from scipy.stats import chi2, norm
from statsmodels.miscmodels.ordinal_model import OrderedModel

KINDS = "PNBRMQ"
here = pathlib.Path(__file__).parent
pairs = pd.read_csv(here / "imbalances.csv")
names = list(dict.fromkeys(pairs.odds))


def side(text):
    found = [(int(number or 1), kind) for number, kind in re.findall(r"(\d*)([A-Z])", text)]
    return np.array([sum(number for number, kind in found if kind == wanted) for wanted in KINDS])


design = np.array([np.subtract(*[side(text) for text in name.split(":")]) for name in names], float)
row = pairs.odds.map(names.index).to_numpy()
outcomes, count = pairs[["as_white", "as_black"]].to_numpy(), pairs.pairs.to_numpy(float)

# Each game a row, for statsmodels, which has two thresholds and no intercept; White's advantage is the last column.
games = [
    (np.append(design[i], sign), outcome)
    for i, both, number in zip(row, outcomes, pairs.pairs)
    for sign, outcome in zip([1, -1], both)
    for _ in range(number)
]
x, y = np.array([game[0] for game in games]), np.array([game[1] for game in games])
# Symmetric thresholds: every game is seen from either side.
plain = OrderedModel(np.concatenate([y, 2 - y]), np.concatenate([x, -x]), distr="logit")
plain = plain.fit(method="bfgs", gtol=1e-9, maxiter=2000, disp=False)
found = {"kinds": list(KINDS), "plain": {"coefficients": list(plain.params[:6]), "white": plain.params[6]}}


def logs(eta, half):
    """The log-likelihood of loss, draw and win at each η."""
    lower, upper = expit(-half - eta), expit(half - eta)
    return np.log(np.stack([lower, upper - lower, 1 - upper], axis=-1))


def each_pair(eta, white, half):
    """The log-likelihood of each line of the file, per pair; η by imbalance."""
    lines = np.arange(len(row))
    return logs(eta[row] + white, half)[lines, outcomes[:, 0]] + logs(eta[row] - white, half)[lines, outcomes[:, 1]]


def log_likelihoods(eta, white, half):
    """By imbalance."""
    return np.bincount(row, count * each_pair(eta, white, half))


def hessian(function, at, step=1e-3):
    size = len(at)
    result, unit = np.empty((size, size)), np.eye(size) * step
    for i in range(size):
        for j in range(i + 1):
            corners = [
                one * other * function(at + one * unit[i] + other * unit[j]) for one in (1, -1) for other in (1, -1)
            ]
            result[i, j] = result[j, i] = sum(corners) / (4 * step * step)
    return result


def fit(deviation, effects, start):
    def loss(numbers):
        white, half, beta, z = numbers[0], abs(numbers[1]), numbers[2:8], numbers[8:]
        eta = design @ beta + deviation * z
        return -(log_likelihoods(eta, white, half) / effects).sum() + 0.5 * (z @ z)

    best = minimize(loss, start, method="BFGS", options={"gtol": 1e-7, "maxiter": 5000})
    curvature = hessian(loss, best.x)
    for _ in range(3):
        slope = np.array([(loss(best.x + e) - loss(best.x - e)) / 2e-4 for e in np.eye(len(best.x)) * 1e-4])
        best.x = best.x - np.linalg.solve(curvature, slope)
    curvature = hessian(loss, best.x)
    return best.x, curvature, -loss(best.x) - 0.5 * np.linalg.slogdet(curvature)[1]


# Design effects at the additive fit: the variance of the pairs' slopes by η divided by the mean curvature.
numbers, _, _ = fit(0.0, np.ones(len(names)), np.concatenate([[0.0, 0.3], np.full(6, 0.5), np.zeros(len(names))]))
eta, white, half = design @ numbers[2:8], numbers[0], numbers[1]
step = 1e-4
up, here_, down = (each_pair(eta + by, white, half) for by in (step, 0.0, -step))
slope, bend = (up - down) / (2 * step), -(up - 2 * here_ + down) / step**2
total = np.bincount(row, count)
mean = np.bincount(row, count * slope) / total
squares = np.bincount(row, count * (slope - mean[row]) ** 2)
curve = np.bincount(row, count * bend) / total
pooled = squares.sum() / ((total - 1) * curve).sum()
effects = (squares / curve + 20 * pooled) / (total - 1 + 20)

numbers, curvature, _ = fit(0.0, effects, numbers)
eta = design @ numbers[2:8]
white, half = numbers[0], numbers[1]
by_row = [log_likelihoods(eta + by, white, half) for by in (step, 0.0, -step)]
slope, bend = (by_row[0] - by_row[2]) / (2 * step), -(by_row[0] - 2 * by_row[1] + by_row[2]) / step**2
statistic, freedom = (slope**2 / (bend * effects)).sum(), len(names) - 6
found["additive"] = {"chi_square": statistic, "p_value": chi2.sf(statistic, freedom)}

# The fit at each deviation from 1 to 150 Elo in equal ratios, weighed by the likelihood of the deviation and a half-normal prior.
slope = expit(half) * expit(-half)
elo = 400 / np.log(10) * 4 * slope
fits = []
for deviation in np.geomspace(1, 150, 61) / elo:
    numbers, curvature, log = fit(deviation, effects, numbers)
    spread = np.linalg.inv(curvature)[2:8, 2:8]
    prior = np.log(deviation) - 0.5 * (deviation * elo / 30) ** 2
    fits.append((log + prior, deviation, numbers[:8], spread))
logs_ = np.array([one[0] for one in fits])
weights = np.exp(logs_ - logs_.max())
weights /= weights.sum()
points, spreads = np.array([one[2] for one in fits]), [one[3] for one in fits]
beta = weights @ points[:, 2:]
cumulative = np.cumsum(weights) - weights / 2
deviation = np.exp(np.interp(0.5, cumulative, np.log([one[1] for one in fits])))


def fieller(above, below):
    """The ratios r at which above - r * below is negative with a probability of 2.5 and 97.5 %."""

    def negative(r):
        x = np.zeros(6)
        x[above] += 1
        x[below] -= r
        return sum(w * norm.cdf(-(x @ point[2:]) / np.sqrt(x @ spread @ x)) for w, point, spread in zip(weights, points, spreads))

    ratio = beta[above] / beta[below]
    return [brentq(lambda r: negative(r) - share, ratio - 3, ratio + 3) for share in (0.025, 0.975)]


rook = KINDS.index("R")
found["mixed"] = {
    "deviation": deviation,
    "coefficients": list(beta),
    "white": weights @ points[:, 0],
    "half": points[weights.argmax(), 1],
    "values": list(5 * beta / beta[rook]),
    "intervals": [[5 * end for end in fieller(kind, rook)] if kind != rook else [5, 5] for kind in range(6)],
}
(here / "imbalances.json").write_text(json.dumps(found, indent=1) + "\n")
print(json.dumps(found, indent=1))
