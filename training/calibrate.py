"""Fit thresholds and probabilities on scores of sets that the scoring model never saw.

    python -m training.calibrate         writes build/training/calibration.npz

One logistic curve maps scores to probabilities for all left-out sets together, with equal weights, so that
probabilities are comparable across text styles. The deviation of each set from it is printed and listed in the model
card.
"""

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from training.labelled_data import TRAINED
from training.measures import balance, best_threshold
from training.paths import CALIBRATION, MODELS
from training.prepare import OPEN_QUESTIONS
from training.tables import Table, load

UNSURE_WIDTH = 0.12
"""Width of the band of probability below "yes" in which the judge says that it is unsure."""
NO_PRECISION = 0.75
Values = NDArray[np.float64]


def fit_curve(scores: Values, labels: Values, weights: Values) -> tuple[float, float]:
    """Return the scale and shift of the logistic curve with the best likelihood."""

    def loss(coefficients: Values) -> float:
        score = coefficients[0] * scores + coefficients[1]
        return float(weights @ (np.logaddexp(0, score) - labels * score))

    scale, shift = minimize(loss, np.array([1.0, 0.0]), method="Nelder-Mead").x
    return float(scale), float(shift)


def probability(scores: Values, line: tuple[float, float]) -> Values:
    """Map scores to probabilities."""
    return 1 / (1 + np.exp(-(line[0] * scores + line[1])))


def left_out(prefix: str) -> tuple[list[Table], list[Values]]:
    """Return the training split of each set with the scores of the model that never saw the set."""
    tables = load()
    with np.load(MODELS) as models:
        masks = [~tables[name].test for name in TRAINED]
        scores = [models[f"{prefix}.{name}"][mask] for name, mask in zip(TRAINED, masks, strict=True)]
        return [tables[name].where(mask) for name, mask in zip(TRAINED, masks, strict=True)], scores


def _balanced_weights(tables: list[Table], column: str) -> Values:
    """Return weights that are equal for all sets and for both labels of a set."""
    return np.concatenate([balance(getattr(table, column)) for table in tables])


def main() -> None:
    """Fit all thresholds and print each set's deviation from the common curve."""
    tables, scores = left_out("held_out")
    pooled, labels = np.concatenate(scores), np.concatenate([t.labels for t in tables])
    weights = _balanced_weights(tables, "labels")
    line = fit_curve(pooled, labels.astype(float), weights)
    yes_threshold = best_threshold(labels, probability(pooled, line), weights)
    arrays: dict[str, NDArray[np.generic]] = {
        "support.line": np.array(line),
        "threshold.yes": np.array(yes_threshold),
        "threshold.unsure": np.array(max(yes_threshold - UNSURE_WIDTH, 0.0)),
    }
    for table, score in zip(tables, scores, strict=True):
        chance = probability(score, line)
        mean_probability = chance @ _balanced_weights([table], "labels")
        print(
            f"{table.name:24} mean probability {mean_probability:.3f} where one half of the rows is supported"
        )
    arrays |= _contradiction() | _correctness()
    np.savez(CALIBRATION, allow_pickle=False, **arrays)
    print({key: value.tolist() for key, value in arrays.items()})


def _contradiction() -> dict[str, NDArray[np.generic]]:
    """Fit the threshold of "no", from which three in four rows are contradicted. Sets with such rows weigh equally."""
    tables, scores = left_out("held_out_no")
    indices = [i for i, table in enumerate(tables) if (table.contradicted == 1).any()]
    masks = [tables[i].contradicted >= 0 for i in indices]
    labelled_tables = [tables[i].where(mask) for i, mask in zip(indices, masks, strict=True)]
    pooled = np.concatenate([scores[i][mask] for i, mask in zip(indices, masks, strict=True)])
    labels = np.concatenate([table.contradicted for table in labelled_tables])
    weights = _balanced_weights(labelled_tables, "contradicted")
    line = fit_curve(pooled, labels.astype(float), weights)
    chance = probability(pooled, line)
    grid = np.unique(np.round(chance, 3))
    precise = [
        t
        for t in grid
        if weights[(chance >= t) & (labels == 1)].sum() >= NO_PRECISION * weights[chance >= t].sum()
    ]
    return {"contradiction.line": np.array(line), "threshold.no": np.array(min(precise, default=grid[-1]))}


def _correctness() -> dict[str, NDArray[np.generic]]:
    """Fit the curve of the word features alone; the decision is fitted in `training.chances`."""
    table = load()[OPEN_QUESTIONS]
    with np.load(MODELS) as models:
        scores = models["held_out.correctness"]
    return {"correctness.line": np.array(fit_curve(scores, table.labels.astype(float), np.ones(len(scores))))}


if __name__ == "__main__":
    main()
