"""Fit the three models on the training split, and refit them without each set for held-out scores.

    python -m training.train             writes build/training/models.npz

Every human-labelled set is left out once, with all synthetic pairs made from it and all rows that share a context with
it. Thresholds and probabilities are fitted on the scores of the left-out rows.
"""

from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor

import numpy as np
from numpy.typing import NDArray

from ragstone.judges.local import correctness
from ragstone.judges.local.model.features import CONTRADICTION_NAMES, FEATURE_SIGNS, contradiction_features
from ragstone.judges.local.model.weights import Scorer
from training.fit import Fitted, fit, mean_of, row_weights, with_directions
from training.labelled_data import TRAINED
from training.paths import MODELS
from training.prepare import ANSWERS, OPEN_QUESTIONS
from training.tables import Table, join, load

SYNTHETIC_SHARE = 0.15
"""Weight of a synthetic pair relative to a human-labelled row of a set of the same size."""
PROCESSES = 2
SUPPORT_SIGNS = np.concatenate([FEATURE_SIGNS, FEATURE_SIGNS])
CONTRADICTION_SIGNS = np.ones(len(CONTRADICTION_NAMES), np.int64)


def training_tables(without: str | None = None) -> list[Table]:
    """Return the training split of every set but one, without the contexts of that one."""
    tables = load()
    held_out_groups = set(tables[without].groups) if without else set()
    selected = [tables[name].where(~tables[name].test) for name in TRAINED if name != without]
    selected.append(tables["synthetic"].where(~np.char.startswith(tables["synthetic"].kinds, f"{without}.")))
    return [table.where(~np.isin(table.groups, list(held_out_groups))) for table in selected]


def fit_support(tables: Sequence[Table]) -> Fitted:
    """Fit the support model on some tables; the last holds the synthetic pairs."""
    weights = row_weights(tables)
    weights[len(weights) - len(tables[-1].labels) :] *= SYNTHETIC_SHARE
    joined, set_codes = join(tables), _set_codes(tables)
    models: list[Fitted] = []
    for sets, seeds in ((None, (1, 2)), (set_codes, (3, 4))):
        model, row_constants = fit(
            joined.features, joined.labels.astype(float), weights, SUPPORT_SIGNS, sets=sets, seeds=seeds
        )
        models.append(with_directions(model, row_constants, joined, weights))
    return mean_of(*models)


def _set_codes(tables: Sequence[Table]) -> NDArray[np.int64]:
    """Return a code for the set of each row. Synthetic pairs made from different sets are different sets."""
    names = [f"{table.name}|{kind.split('.')[0]}" for table in tables for kind in table.kinds.tolist()]
    return np.unique(names, return_inverse=True)[1].astype(np.int64)


def fit_contradiction(tables: Sequence[Table]) -> Fitted:
    """Fit the contradiction model, contradicted against all else, on the rows that label it."""
    labelled = [table.where(table.contradicted >= 0) for table in tables]
    labelled = [table for table in labelled if len(table.labels)]
    labels = np.concatenate([table.contradicted for table in labelled]).astype(float)
    features = np.array([contradiction_features(row) for row in join(labelled).features])
    return fit(features, labels, row_weights(labelled), CONTRADICTION_SIGNS)[0]


def fit_correctness(tables: Sequence[Table]) -> Fitted:
    """Fit the correctness model: on answers to open questions and on this project's own."""
    joined = join(tables)
    labels = joined.labels.astype(float)
    return fit(joined.features, labels, row_weights(tables), correctness.FEATURE_SIGNS, line_weight=0.5)[0]


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
        f"{name}.line": np.array([model.scale, model.shift, model.intercept]),
        f"{name}.slopes": model.slopes,
    }
    if model.directions is not None:
        arrays[f"{name}.directions"] = model.directions
    if model.forest:
        for field in ("feature", "left", "right"):
            arrays[f"{name}.{field}"] = getattr(model.forest, field).astype(np.int16)
        for field in ("bound", "value"):
            arrays[f"{name}.{field}"] = getattr(model.forest, field)
        arrays[f"{name}.depth"] = np.array(model.forest.depth)
    return arrays


def left_out(name: str) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the scores of support and of contradiction for one set, by models that never saw it."""
    others, table = training_tables(without=name), load()[name]
    features = np.array([contradiction_features(row) for row in table.features])
    return fit_support(others).scores(table.features, table.gaps), fit_contradiction(others).scores(features)


def main() -> None:
    """Fit all models and write them with the held-out scores."""
    arrays: dict[str, NDArray[np.generic]] = {}
    with ProcessPoolExecutor(PROCESSES) as pool:
        for name, (scores, contradiction_scores) in zip(TRAINED, pool.map(left_out, TRAINED), strict=True):
            arrays |= {f"held_out.{name}": scores, f"held_out_no.{name}": contradiction_scores}
            print(f"fitted without {name}", flush=True)
    all_tables = training_tables()
    support = fit_support(all_tables)
    questions, answers = load()[OPEN_QUESTIONS], load()[ANSWERS]
    arrays["held_out.correctness"] = correctness_out_of_fold(questions, [answers])
    arrays |= pack("support", support.scorer())
    arrays |= pack("contradiction", fit_contradiction(all_tables).scorer())
    arrays |= pack("correctness", fit_correctness([questions, answers]).scorer())
    np.savez_compressed(MODELS, allow_pickle=False, **arrays)


if __name__ == "__main__":
    main()
