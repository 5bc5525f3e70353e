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
from scipy.optimize import minimize, minimize_scalar
from scipy.special import expit
from scipy.stats import chi2, t
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
    usual = (0.06 / deviation) ** 2 if deviation else 1.0
    prior = 2.0 * (np.log(usual) - usual)
    return best.x, curvature, -loss(best.x) - 0.5 * np.linalg.slogdet(curvature)[1] + prior


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

best = minimize_scalar(lambda deviation: -fit(deviation, effects, numbers)[2], bounds=(0.01, 0.6), options={"xatol": 1e-5})
deviation = best.x
numbers, curvature, _ = fit(deviation, effects, numbers)
spread = np.linalg.inv(curvature)[2:8, 2:8]
beta, errors, wide = numbers[2:8], np.sqrt(np.diag(spread)), t.ppf(0.975, freedom + 4)


def fieller(above, below):
    """The ratios at which above - ratio * below is `wide` errors from zero."""
    a = beta[below] ** 2 - wide**2 * spread[below, below]
    b = beta[above] * beta[below] - wide**2 * spread[above, below]
    c = beta[above] ** 2 - wide**2 * spread[above, above]
    return [(b - np.sqrt(b * b - a * c)) / a, (b + np.sqrt(b * b - a * c)) / a]


rook = KINDS.index("R")
found["mixed"] = {
    "deviation": deviation,
    "coefficients": list(beta),
    "errors": list(errors),
    "white": numbers[0],
    "half": numbers[1],
    "values": list(5 * beta / beta[rook]),
    "intervals": [[5 * end for end in fieller(kind, rook)] if kind != rook else [5, 5] for kind in range(6)],
}
(here / "imbalances.json").write_text(json.dumps(found, indent=1) + "\n")
print(json.dumps(found, indent=1))
