"""Models with sign constraints: a logistic regression plus the mean of small monotone trees.

Unconstrained models learn artefacts of the data sets (in edited summaries, more overlap means edited) and are worse
than word overlap on an unseen set. So each feature has a sign, and the score may only increase in that direction.

The support model is the mean of two models. One is fitted to all sets as if they were one. The other has a constant for
each set, so that it learns the difference of supported and unsupported within a set, not that of dialogue and news. The
first is better on edited texts, the second on long contexts and dialogue.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
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
        directions: weight of each feature of missing words, which is added to the score.
    """

    intercept: float
    slopes: Values
    boosters: tuple[lightgbm.Booster, ...]
    directions: Values | None = None

    def scores(self, features: Values, gaps: NDArray[np.float32] | None = None) -> Values:
        """Return one score per row."""
        trees = (np.asarray(booster.predict(features, raw_score=True)) for booster in self.boosters)
        total = self.intercept + features @ self.slopes
        total += sum(trees, np.zeros(len(features))) / max(len(self.boosters), 1)
        return total if self.directions is None or gaps is None else total + gaps @ self.directions

    def scorer(self, scale: float = 1.0, shift: float = 0.0) -> Scorer:
        """Return the model as the package evaluates it."""
        return Scorer(self.intercept, self.slopes, self.directions, _forest(self.boosters), scale, shift)


def fit(
    features: Values,
    labels: Values,
    weights: Values,
    signs: NDArray[np.int64],
    *,
    sets: NDArray[np.int64] | None = None,
    seeds: Sequence[int] = _SEEDS,
    line_weight: float = 0.25,
) -> tuple[Fitted, Values]:
    """Fit a logistic regression and trees with constrained signs, and return them with the constant of each row.

    Args:
        features: shape (rows, features).
        labels: 0 or 1 of each row.
        weights: weight of each row.
        signs: sign of each feature.
        sets: the set of each row; each set gets a constant, which is not part of the model.
        seeds: seeds, one for each forest.
        line_weight: weight of the logistic regression relative to the trees.
    """
    set_codes = np.zeros(len(labels), np.int64) if sets is None else sets
    constants, slopes = _fit_line(features, labels, weights, signs, set_codes)
    row_constants = constants[set_codes]
    init_score = None if sets is None else row_constants
    boosters = tuple(_fit_trees(features, labels, weights, signs, seed, init_score) for seed in seeds)
    mean_constant = float(weights @ row_constants / weights.sum())
    intercept = line_weight * mean_constant if sets is None else mean_constant
    return Fitted(intercept, line_weight * slopes, boosters), np.zeros(
        len(labels)
    ) if sets is None else row_constants - mean_constant


def with_directions(
    model: Fitted, row_constants: Values, table: Table, weights: Values, penalty: float = 200.0
) -> Fitted:
    """Fit a penalised logistic regression on missing words, with the model's score and the row constants as offset."""
    offset, gaps = model.scores(table.features) + row_constants, table.gaps.astype(float)

    def loss(directions: Values) -> tuple[float, Values]:
        score = gaps @ directions + offset
        gradient = weights * (1 / (1 + np.exp(-score)) - table.labels)
        cost = weights @ (np.logaddexp(0, score) - table.labels * score) + penalty * directions @ directions
        return float(cost), gaps.T @ gradient + 2 * penalty * directions

    best = minimize(loss, np.zeros(gaps.shape[1]), jac=True, method="L-BFGS-B", options={"maxiter": 100}).x
    return replace(model, directions=best)


def mean_of(first: Fitted, second: Fitted) -> Fitted:
    """Return the mean of two models with equally many trees."""
    if first.directions is None or second.directions is None or len(first.boosters) != len(second.boosters):
        raise ValueError("only models of one shape have a mean")
    return Fitted(
        (first.intercept + second.intercept) / 2,
        (first.slopes + second.slopes) / 2,
        (*first.boosters, *second.boosters),
        (first.directions + second.directions) / 2,
    )


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


def _fit_line(  # noqa: PLR0917  (a fit has many inputs)
    features: Values,
    labels: Values,
    weights: Values,
    signs: NDArray[np.int64],
    sets: NDArray[np.int64],
    penalty: float = 5.0,
) -> tuple[Values, Values]:
    """Return the constant of each set, unconstrained, and the slopes, penalised and constrained by their signs."""
    scales = features.std(axis=0) + 1e-3
    scaled = features * signs / scales
    set_count = int(sets.max()) + 1

    def loss(parameters: Values) -> tuple[float, Values]:
        constants, slopes = parameters[:set_count], parameters[set_count:]
        score = scaled @ slopes + constants[sets]
        chance = 1 / (1 + np.exp(-score))
        cost = weights @ (np.logaddexp(0, score) - labels * score) + penalty * slopes @ slopes
        gradient = weights * (chance - labels)
        return float(cost), np.concatenate(
            [
                np.bincount(sets, gradient, set_count).astype(np.float64),
                scaled.T @ gradient + 2 * penalty * slopes,
            ]
        )

    bounds = [*[(None, None)] * set_count, *[(0, None)] * features.shape[1]]
    best = minimize(loss, np.zeros(len(bounds)), jac=True, method="L-BFGS-B", bounds=bounds).x
    return best[:set_count], best[set_count:] * signs / scales


def _fit_trees(  # noqa: PLR0917  (likewise)
    features: Values,
    labels: Values,
    weights: Values,
    signs: NDArray[np.int64],
    seed: int,
    init_score: Values | None,
) -> lightgbm.Booster:
    options = {
        "objective": "binary", "num_leaves": 7, "learning_rate": 0.05, "min_data_in_leaf": 60, "lambda_l2": 5,
        "feature_fraction": 0.5, "bagging_fraction": 0.7, "bagging_freq": 1, "verbose": -1, "num_threads": 1,
        "monotone_constraints": signs.tolist(), "seed": seed, "deterministic": True,
    }  # fmt: skip
    return lightgbm.train(
        options, lightgbm.Dataset(features, labels, weight=weights, init_score=init_score), _ROUNDS
    )


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
