"""Models with sign constraints: a logistic regression plus the mean of small monotone trees.

Unconstrained models learn artefacts of the data sets and are worse than word overlap on an unseen set. So each feature
has a sign, and the score may only increase in that direction.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import lightgbm
import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from ragstone.judges.local.model.weights import Forest, Scorer
from training.tables import Table

Values = NDArray[np.float64]
_ROUNDS = 150
_SEEDS = (1, 2, 3, 4)


@dataclass(frozen=True, slots=True, eq=False)
class Fitted:
    """A logistic regression and trees over the same features.

    Attributes:
        intercept: intercept of the regression.
        slopes: slopes of the regression.
        boosters: the trees.
    """

    intercept: float
    slopes: Values
    boosters: tuple[lightgbm.Booster, ...]

    def scores(self, features: Values) -> Values:
        """Return one score per row."""
        trees = (np.asarray(booster.predict(features, raw_score=True)) for booster in self.boosters)
        total = self.intercept + features @ self.slopes
        return total + sum(trees, np.zeros(len(features))) / max(len(self.boosters), 1)

    def scorer(self) -> Scorer:
        """Return the model as the package evaluates it."""
        return Scorer(self.intercept, self.slopes, _forest(self.boosters))


def fit(
    features: Values,
    labels: Values,
    weights: Values,
    signs: NDArray[np.int64],
    *,
    seeds: Sequence[int] = _SEEDS,
    line_weight: float = 0.25,
) -> Fitted:
    """Fit a logistic regression and trees with constrained signs.

    Args:
        features: shape (rows, features).
        labels: 0 or 1 of each row.
        weights: weight of each row.
        signs: sign of each feature.
        seeds: seeds, one for each forest.
        line_weight: weight of the logistic regression relative to the trees.
    """
    intercept, slopes = _fit_line(features, labels, weights, signs)
    boosters = tuple(_fit_trees(features, labels, weights, signs, seed) for seed in seeds)
    return Fitted(line_weight * intercept, line_weight * slopes, boosters)


def row_weights(tables: Sequence[Table]) -> Values:
    """Return row weights: their sum in a set is proportional to the root of its size, and equal for both its labels."""
    parts: list[Values] = []
    for table in tables:
        share = table.labels.mean()
        total = len(table.labels) ** 0.5
        if 0 < share < 1:
            parts.append(
                np.where(table.labels == 1, 0.5 / share, 0.5 / (1 - share)) * total / len(table.labels)
            )
        else:
            parts.append(np.full(len(table.labels), total / len(table.labels)))
    weights = np.concatenate(parts)
    return weights / weights.mean()


def _fit_line(
    features: Values, labels: Values, weights: Values, signs: NDArray[np.int64], penalty: float = 5.0
) -> tuple[float, Values]:
    """Return the intercept, unconstrained, and the slopes, penalised and constrained by their signs."""
    scales = features.std(axis=0) + 1e-3
    scaled = features * signs / scales

    def loss(parameters: Values) -> tuple[float, Values]:
        slopes = parameters[1:]
        score = scaled @ slopes + parameters[0]
        cost = weights @ (np.logaddexp(0, score) - labels * score) + penalty * slopes @ slopes
        gradient = weights * (1 / (1 + np.exp(-score)) - labels)
        return float(cost), np.concatenate([[gradient.sum()], scaled.T @ gradient + 2 * penalty * slopes])

    bounds = [(None, None), *[(0, None)] * features.shape[1]]
    best = minimize(loss, np.zeros(len(bounds)), jac=True, method="L-BFGS-B", bounds=bounds).x
    return float(best[0]), best[1:] * signs / scales


def _fit_trees(
    features: Values, labels: Values, weights: Values, signs: NDArray[np.int64], seed: int
) -> lightgbm.Booster:
    options = {
        "objective": "binary", "num_leaves": 7, "learning_rate": 0.05, "min_data_in_leaf": 60, "lambda_l2": 5,
        "feature_fraction": 0.5, "bagging_fraction": 0.7, "bagging_freq": 1, "verbose": -1, "num_threads": 1,
        "monotone_constraints": signs.tolist(), "seed": seed, "deterministic": True,
    }  # fmt: skip
    return lightgbm.train(options, lightgbm.Dataset(features, labels, weight=weights), _ROUNDS)


def _forest(boosters: Sequence[lightgbm.Booster]) -> Forest | None:
    """Flatten all trees into arrays. Each leaf is its own child, so that every path has the same length."""
    trees = [
        _flatten(tree["tree_structure"]) for booster in boosters for tree in booster.dump_model()["tree_info"]
    ]
    if not trees:
        return None
    width = max(len(tree) for tree in trees)
    table = np.zeros((len(trees), width, 5))
    for i, tree in enumerate(trees):
        table[i, : len(tree)] = tree
    ints = table.astype(np.int64)
    depth = max(
        _depth(tree["tree_structure"]) for booster in boosters for tree in booster.dump_model()["tree_info"]
    )
    return Forest(
        ints[..., 0], table[..., 1], ints[..., 2], ints[..., 3], table[..., 4] / len(boosters), depth
    )


def _flatten(node: dict[str, Any]) -> list[tuple[float, float, float, float, float]]:
    rows: list[tuple[float, float, float, float, float]] = []

    def visit(node: dict[str, Any]) -> int:
        index = len(rows)
        rows.append((0, 0, index, index, float(node.get("leaf_value", 0.0))))
        if "split_feature" in node:
            left, right = visit(node["left_child"]), visit(node["right_child"])
            rows[index] = (float(node["split_feature"]), float(node["threshold"]), left, right, 0.0)
        return index

    visit(node)
    return rows


def _depth(node: dict[str, Any]) -> int:
    return 1 + max(_depth(node["left_child"]), _depth(node["right_child"])) if "split_feature" in node else 0
