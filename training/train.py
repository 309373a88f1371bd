"""Fit the model of correctness by words, and refit it without each question for held-out scores.

python -m training.train             writes build/training/models.npz
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ragstone.judges.local import correctness
from ragstone.judges.local.model.weights import Scorer
from training.fit import Fitted, fit, row_weights
from training.paths import MODELS
from training.prepare import ANSWERS, OPEN_QUESTIONS
from training.tables import Table, join, load


def fit_correctness(tables: Sequence[Table]) -> Fitted:
    """Fit the correctness model: on answers to open questions and on this project's own."""
    joined = join(tables)
    labels = joined.labels.astype(float)
    return fit(joined.features, labels, row_weights(tables), correctness.FEATURE_SIGNS, line_weight=0.5)


def correctness_out_of_fold(table: Table, others: Sequence[Table], folds: int = 20) -> NDArray[np.float64]:
    """Return scores of models that saw no answer to the same question, each fold of the questions left out."""
    fold_of_row = np.array([int(group[8:16], 16) % folds for group in table.groups])
    scores = np.zeros(len(table.labels))
    for fold in np.unique(fold_of_row):
        in_fold = fold_of_row == fold
        scores[in_fold] = fit_correctness([table.where(~in_fold), *others]).scores(table.features[in_fold])
    return scores


def pack(name: str, model: Scorer) -> dict[str, NDArray[np.generic]]:
    """Return a scorer as named arrays, as the package reads them."""
    arrays: dict[str, NDArray[np.generic]] = {
        f"{name}.intercept": np.array(model.intercept),
        f"{name}.slopes": model.slopes,
    }
    if model.forest:
        for field in ("feature", "left", "right"):
            arrays[f"{name}.{field}"] = getattr(model.forest, field).astype(np.int16)
        for field in ("bound", "value"):
            arrays[f"{name}.{field}"] = getattr(model.forest, field)
        arrays[f"{name}.depth"] = np.array(model.forest.depth)
    return arrays


def main() -> None:
    """Fit the model and write it with the held-out scores."""
    questions, answers = load()[OPEN_QUESTIONS], load()[ANSWERS]
    arrays: dict[str, NDArray[np.generic]] = {
        "held_out.correctness": correctness_out_of_fold(questions, [answers])
    }
    arrays |= pack("correctness", fit_correctness([questions, answers]).scorer())
    np.savez_compressed(MODELS, allow_pickle=False, **arrays)


if __name__ == "__main__":
    main()
