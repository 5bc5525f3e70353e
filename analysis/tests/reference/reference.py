"""Fits positions.csv with scikit-learn and statsmodels and writes what they find to reference.json.

    python3 -m venv .venv && .venv/bin/pip install -r requirements.txt
    .venv/bin/python reference.py

`cargo test -p backrank-analysis reference` holds our own numbers against it. positions.csv was made by

    backrank play pmrc -o runs/reference --setups random:400 --seed 3 --games 2 --nodes 60
    backrank values runs/reference --positions positions.csv
"""

import json
import pathlib

import numpy as np
import pandas as pd
import statsmodels.api as sm
from scipy.optimize import minimize
from scipy.special import expit
from sklearn.linear_model import LogisticRegression
from statsmodels.miscmodels.ordinal_model import OrderedModel

here = pathlib.Path(__file__).parent
positions = pd.read_csv(here / "positions.csv")
columns = list(positions.columns[4:])
found = {"columns": columns}


def named(numbers):
    return [float(number) for number in numbers]


# Logit of decided games: coefficients by scikit-learn, and errors clustered by game and by setup by statsmodels. Its
# correction for few observations, (N - 1) / (N - K), counts rows, not clusters, and is taken out again.
decided = positions[positions.outcome != 1]
x, won, weight = decided[columns].astype(float), (decided.outcome == 2).astype(int), decided.weight
fit = LogisticRegression(C=np.inf, solver="newton-cholesky", tol=1e-10, max_iter=1000)
fit.fit(x, won, sample_weight=weight)
found["decided"] = {"coefficients": named(fit.coef_[0]), "intercept": float(fit.intercept_[0])}
design = sm.add_constant(x)
for cluster in ["game", "setup"]:
    groups = decided[cluster].astype("category").cat.codes
    model = sm.GLM(won, design, family=sm.families.Binomial(), var_weights=weight)
    result = model.fit(cov_type="cluster", cov_kwds={"groups": groups}, tol=1e-12, maxiter=200)
    rows, numbers = design.shape
    correction = np.sqrt((rows - 1) / (rows - numbers))
    found["decided"][f"errors_by_{cluster}"] = named(result.bse[columns] / correction)

# Ordered logit: the likelihood written down anew, maximised by scipy, with the sandwich from its slopes by numerical
# differences.
x, outcome, weight = positions[columns].to_numpy(float), positions.outcome.to_numpy(), positions.weight.to_numpy()


def log_likelihoods(numbers):
    eta = x @ numbers[: len(columns)]
    lower, upper = expit(numbers[-2] - eta), expit(numbers[-1] - eta)
    chances = np.stack([lower, upper - lower, 1 - upper], axis=1)
    return np.log(chances[np.arange(len(outcome)), outcome])


def slopes(numbers, step=1e-5):
    """The slope of each row's likelihood: rows by numbers."""
    each = []
    for index in range(len(numbers)):
        ahead, behind = numbers.copy(), numbers.copy()
        ahead[index] += step
        behind[index] -= step
        each.append((log_likelihoods(ahead) - log_likelihoods(behind)) / (2 * step))
    return np.stack(each, axis=1) * weight[:, None]


start = np.concatenate([np.zeros(len(columns)), [-0.5, 0.5]])
best = minimize(
    lambda numbers: -(weight * log_likelihoods(numbers)).sum(),
    start,
    jac=lambda numbers: -slopes(numbers).sum(axis=0),
    method="BFGS",
    options={"gtol": 1e-6, "maxiter": 1000},
).x
curvature = np.stack(
    [
        -(slopes(best + step).sum(axis=0) - slopes(best - step).sum(axis=0)) / 2e-4
        for step in np.eye(len(best)) * 1e-4
    ]
)
bread = np.linalg.inv((curvature + curvature.T) / 2)
found["ordered"] = {"coefficients": named(best[:-2]), "cuts": named(best[-2:])}
for cluster in ["game", "setup"]:
    sums = pd.DataFrame(slopes(best)).groupby(positions[cluster].to_numpy()).sum().to_numpy()
    clusters = len(sums)
    spread = bread @ (sums.T @ sums) @ bread * clusters / (clusters - 1)
    found["ordered"][f"errors_by_{cluster}"] = named(np.sqrt(np.diag(spread))[: len(columns)])

# And statsmodels' own ordered logit, which takes no weights: on the first material of each game.
first = positions.groupby("game").first()
varying = [column for column in columns if first[column].std() > 0]
result = OrderedModel(first.outcome, first[varying].astype(float), distr="logit").fit(
    method="bfgs", gtol=1e-8, maxiter=1000, disp=False
)
found["ordered_first"] = {"columns": varying, "coefficients": named(result.params[varying])}

(here / "reference.json").write_text(json.dumps(found, indent=1) + "\n")
print(json.dumps(found, indent=1))
