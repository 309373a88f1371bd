"""Fit the three models on the training split, and once more without each set, for honest scores.

    python -m training.train             writes build/training/models.npz

Every human-labelled set is left out once (with all synthetic pairs made from it, and all rows that share a
context with it): thresholds and probabilities are fixed on the scores of the left-out rows.
"""

from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor

import numpy as np
from numpy.typing import NDArray

from ragstone.judges.local import correctness
from ragstone.judges.local.model.features import CONTRADICTION_NAMES, SIGNS, contradiction_features
from ragstone.judges.local.model.weights import Scorer
from training.fit import Fitted, fit, mean_of, row_weights, with_directions
from training.labelled_data import TRAINED
from training.paths import MODELS
from training.prepare import ANSWERS, OPEN_QUESTIONS
from training.tables import Table, join, load

SYNTHETIC_SHARE = 0.15
"""Weight of a synthetic pair relative to a human-labelled row of a set of the same size."""
PROCESSES = 2
SUPPORT_SIGNS = np.concatenate([SIGNS, SIGNS])
CONTRADICTION_SIGNS = np.ones(len(CONTRADICTION_NAMES), np.int64)


def training_tables(without: str | None = None) -> list[Table]:
    """Return the training split of every set but one, without the contexts of that one."""
    tables = load()
    held = set(tables[without].groups) if without else set()
    kept = [tables[name].where(~tables[name].test) for name in TRAINED if name != without]
    kept.append(tables["synthetic"].where(~np.char.startswith(tables["synthetic"].kinds, f"{without}.")))
    return [table.where(~np.isin(table.groups, list(held))) for table in kept]


def fit_support(tables: Sequence[Table]) -> Fitted:
    """Fit the support model on some tables; the last holds the synthetic pairs."""
    weights = row_weights(tables)
    weights[len(weights) - len(tables[-1].labels) :] *= SYNTHETIC_SHARE
    joined, codes = join(tables), _codes(tables)
    models: list[Fitted] = []
    for sets, seeds in ((None, (1, 2)), (codes, (3, 4))):
        model, own = fit(
            joined.features, joined.labels.astype(float), weights, SUPPORT_SIGNS, sets=sets, seeds=seeds
        )
        models.append(with_directions(model, own, joined, weights))
    return mean_of(*models)


def _codes(tables: Sequence[Table]) -> NDArray[np.int64]:
    """Return a number for the set of each row; synthetic pairs made from different sets are sets of their own."""
    names = [f"{table.name}|{kind.split('.')[0]}" for table in tables for kind in table.kinds.tolist()]
    return np.unique(names, return_inverse=True)[1].astype(np.int64)


def fit_contradiction(tables: Sequence[Table]) -> Fitted:
    """Fit the contradiction model, contradicted against all else, on the rows that label it."""
    known = [table.where(table.contradicted >= 0) for table in tables]
    known = [table for table in known if len(table.labels)]
    labels = np.concatenate([table.contradicted for table in known]).astype(float)
    features = np.array([contradiction_features(row) for row in join(known).features])
    return fit(features, labels, row_weights(known), CONTRADICTION_SIGNS)[0]


def fit_correctness(tables: Sequence[Table]) -> Fitted:
    """Fit the correctness model: on answers to open questions and on this project's own."""
    joined = join(tables)
    labels = joined.labels.astype(float)
    return fit(joined.features, labels, row_weights(tables), correctness.SIGNS, line=0.5)[0]


def correctness_out_of_fold(table: Table, others: Sequence[Table], folds: int = 20) -> NDArray[np.float64]:
    """Return scores of models that saw no answer to the same question, each fold of the questions left out."""
    parts = np.array([int(group[8:16], 16) % folds for group in table.groups])
    scores = np.zeros(len(table.labels))
    for part in np.unique(parts):
        own = parts == part
        scores[own] = fit_correctness([table.where(~own), *others]).scores(table.features[own])
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
    conflicts = np.array([contradiction_features(row) for row in table.features])
    return fit_support(others).scores(table.features, table.gaps), fit_contradiction(others).scores(conflicts)


def main() -> None:
    """Fit all models and write them with the left-out scores."""
    kept: dict[str, NDArray[np.generic]] = {}
    with ProcessPoolExecutor(PROCESSES) as pool:
        for name, (scores, against) in zip(TRAINED, pool.map(left_out, TRAINED), strict=True):
            kept |= {f"held_out.{name}": scores, f"held_out_no.{name}": against}
            print(f"fitted without {name}", flush=True)
    everything = training_tables()
    support = fit_support(everything)
    questions, answers = load()[OPEN_QUESTIONS], load()[ANSWERS]
    kept["held_out.correctness"] = correctness_out_of_fold(questions, [answers])
    kept |= pack("support", support.scorer())
    kept |= pack("contradiction", fit_contradiction(everything).scorer())
    kept |= pack("correctness", fit_correctness([questions, answers]).scorer())
    np.savez_compressed(MODELS, allow_pickle=False, **kept)


if __name__ == "__main__":
    main()
