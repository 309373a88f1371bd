"""Fitting under sign constraints: a logistic line and small monotone trees, averaged.

Unconstrained models learn artefacts of the data sets (in edited summaries, more overlap means edited) and
are worse than word overlap on an unseen set. So each feature may only act in the direction of its sign.

The support model is the mean of two: one is fitted to all sets as if they were one, the other has a constant for each
set, so that it learns the difference of supported and unsupported within a set, not that of dialogue and
news. The first is better on edited texts, the second on long contexts and dialogue.
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
    """A line and its trees over the same features.

    Attributes:
        intercept: of the line.
        slopes: of the line.
        boosters: the trees.
        directions: contribution of missing words to the score of both.
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
    line: float = 0.25,
) -> tuple[Fitted, Values]:
    """Fit a line and trees whose features keep their signs, and return them with the constant of each row.

    Args:
        features: shape (rows, features).
        labels: 0 or 1 of each row.
        weights: weight of each row.
        signs: sign of each feature.
        sets: the set of each row; each set gets a constant, which is not part of the model.
        seeds: seeds, one for each forest.
        line: weight of the line relative to the trees.
    """
    codes = np.zeros(len(labels), np.int64) if sets is None else sets
    constants, slopes = _line(features, labels, weights, signs, codes)
    own = constants[codes]
    start = None if sets is None else own
    boosters = tuple(_trees(features, labels, weights, signs, seed, start) for seed in seeds)
    mean = float(weights @ own / weights.sum())
    common = line * mean if sets is None else mean
    return Fitted(common, line * slopes, boosters), np.zeros(len(labels)) if sets is None else own - mean


def with_directions(
    model: Fitted, own: Values, table: Table, weights: Values, penalty: float = 200.0
) -> Fitted:
    """Fit a shrunken logistic line for missing words on top of a model's score and the constant of each row."""
    offset, gaps = model.scores(table.features) + own, table.gaps.astype(float)

    def loss(at: Values) -> tuple[float, Values]:
        score = gaps @ at + offset
        slope = weights * (1 / (1 + np.exp(-score)) - table.labels)
        cost = weights @ (np.logaddexp(0, score) - table.labels * score) + penalty * at @ at
        return float(cost), gaps.T @ slope + 2 * penalty * at

    best = minimize(loss, np.zeros(gaps.shape[1]), jac=True, method="L-BFGS-B", options={"maxiter": 100}).x
    return replace(model, directions=best)


def mean_of(one: Fitted, other: Fitted) -> Fitted:
    """Return the mean of two models with equally many trees."""
    if one.directions is None or other.directions is None or len(one.boosters) != len(other.boosters):
        raise ValueError("only models of one shape have a mean")
    return Fitted(
        (one.intercept + other.intercept) / 2,
        (one.slopes + other.slopes) / 2,
        (*one.boosters, *other.boosters),
        (one.directions + other.directions) / 2,
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


def _line(  # noqa: PLR0917  (a fit has many inputs)
    features: Values,
    labels: Values,
    weights: Values,
    signs: NDArray[np.int64],
    sets: NDArray[np.int64],
    penalty: float = 5.0,
) -> tuple[Values, Values]:
    """Return the unconstrained constant of each set, and the slopes, shrunken and constrained by their signs."""
    spread = features.std(axis=0) + 1e-3
    scaled = features * signs / spread
    count = int(sets.max()) + 1

    def loss(at: Values) -> tuple[float, Values]:
        constants, slopes = at[:count], at[count:]
        score = scaled @ slopes + constants[sets]
        chance = 1 / (1 + np.exp(-score))
        cost = weights @ (np.logaddexp(0, score) - labels * score) + penalty * slopes @ slopes
        slope = weights * (chance - labels)
        return float(cost), np.concatenate(
            [np.bincount(sets, slope, count).astype(np.float64), scaled.T @ slope + 2 * penalty * slopes]
        )

    bounds = [*[(None, None)] * count, *[(0, None)] * features.shape[1]]
    best = minimize(loss, np.zeros(len(bounds)), jac=True, method="L-BFGS-B", bounds=bounds).x
    return best[:count], best[count:] * signs / spread


def _trees(  # noqa: PLR0917  (likewise)
    features: Values,
    labels: Values,
    weights: Values,
    signs: NDArray[np.int64],
    seed: int,
    start: Values | None,
) -> lightgbm.Booster:
    options = {
        "objective": "binary", "num_leaves": 7, "learning_rate": 0.05, "min_data_in_leaf": 60, "lambda_l2": 5,
        "feature_fraction": 0.5, "bagging_fraction": 0.7, "bagging_freq": 1, "verbose": -1, "num_threads": 1,
        "monotone_constraints": signs.tolist(), "seed": seed, "deterministic": True,
    }  # fmt: skip
    return lightgbm.train(
        options, lightgbm.Dataset(features, labels, weight=weights, init_score=start), _ROUNDS
    )


def _forest(boosters: Sequence[lightgbm.Booster]) -> Forest | None:
    """Flatten all trees into arrays; each leaf is its own child, so that every walk has the same length."""
    trees = [
        _flatten(tree["tree_structure"]) for booster in boosters for tree in booster.dump_model()["tree_info"]
    ]
    if not trees:
        return None
    width = max(len(tree) for tree in trees)
    table = np.zeros((len(trees), width, 5))
    for i, tree in enumerate(trees):
        table[i, : len(tree)] = tree
    whole = table.astype(np.int64)
    depth = max(
        _depth(tree["tree_structure"]) for booster in boosters for tree in booster.dump_model()["tree_info"]
    )
    return Forest(
        whole[..., 0], table[..., 1], whole[..., 2], whole[..., 3], table[..., 4] / len(boosters), depth
    )


def _flatten(node: dict[str, Any]) -> list[tuple[float, float, float, float, float]]:
    rows: list[tuple[float, float, float, float, float]] = []

    def visit(node: dict[str, Any]) -> int:
        at = len(rows)
        rows.append((0, 0, at, at, float(node.get("leaf_value", 0.0))))
        if "split_feature" in node:
            left, right = visit(node["left_child"]), visit(node["right_child"])
            rows[at] = (float(node["split_feature"]), float(node["threshold"]), left, right, 0.0)
        return at

    visit(node)
    return rows


def _depth(node: dict[str, Any]) -> int:
    return 1 + max(_depth(node["left_child"]), _depth(node["right_child"])) if "split_feature" in node else 0
