"""Fit logistic regressions for relevance, usefulness and correctness on the scores of word features and encoder.

    python -m training.chances           writes build/training/chances.npz and prints their accuracy

The models return the probability of a yes. The data are judgements by held-out writers and, except for correctness, as
many texts of other scenes. The data for correctness include NQ-301, scored by models that saw no answer to the same
question. The printed figures are cross-fitted: the model fitted on half of the scenes judges the other half. The
packaged model is fitted on all scenes.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import chain

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from ragstone.judges.local.correctness import best_features, encoder_log_odds
from ragstone.judges.local.matching.evidence_index import index_evidence
from ragstone.judges.local.model.weights import scorer
from ragstone.judges.local.relevance import log_odds, word_relevance
from ragstone.judges.local.usefulness import word_score
from ragstone.text.tokens import tokens
from training.claims import HELD_OUT
from training.crossing import crossed
from training.judgements import Judgement, judgements
from training.labelled_data import read
from training.measures import auroc, balanced_accuracy, interval
from training.pairs import CROSSED
from training.paths import CHANCES, MODELS, folder

PENALTY = 1.0
MIN_YES = 0.5
"""Probability at which the printed accuracy decides, without abstention."""
FOREIGN_SHARE = 0.4
"""Share of texts of other scenes in the total weight of rows labelled no."""
Values = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class ScoredRows:
    """The rows of one task: word and encoder scores, labels, and groups that must not be split.

    Attributes:
        words: score of the word features.
        read: log odds by the encoder.
        labels: 0 or 1.
        groups: scene or question of each row.
        foreign: whether the text belongs to another scene.
    """

    words: Values
    read: Values
    labels: NDArray[np.int64]
    groups: NDArray[np.str_]
    foreign: NDArray[np.bool_]


def relevance_scores(row: Judgement) -> tuple[float, float]:
    """Return the word and encoder scores of an answer beside its question."""
    query, evidence = list(chain.from_iterable(tokens(row.question))), index_evidence([row.text])
    return word_relevance(query, evidence), log_odds("relevance", row.question, query, [evidence])[0]


def correctness_scores(row: Judgement) -> tuple[float, float]:
    """Return the word and encoder scores of an answer beside its reference."""
    words = scorer("correctness").score(best_features(row.question, row.text, [row.expected]))
    return words, encoder_log_odds(row.question, row.text, [row.expected])


def passage_scores(row: Judgement) -> tuple[float, float]:
    """Return the word and encoder scores of a passage beside its question."""
    query, evidence = list(chain.from_iterable(tokens(row.question))), index_evidence([row.text])
    return word_relevance(query, evidence), log_odds("usefulness", row.question, query, [evidence])[0]


def usefulness_scores(row: Judgement) -> tuple[float, float]:
    """Return the word and encoder scores of a passage beside its question and the expected output."""
    return word_score(row.question, row.expected, row.text), passage_scores(row)[1]


SCORERS: dict[str, tuple[str, Callable[[Judgement], tuple[float, float]]]] = {
    "relevance": ("relevance", relevance_scores),
    "correctness": ("correctness", correctness_scores),
    "passage": ("usefulness", passage_scores),
    "usefulness": ("usefulness", usefulness_scores),
}
"""For each model, the task whose judgements it is fitted on, and the function that scores a judgement."""
FITTED_ON_CROSSED = frozenset(("relevance", "passage", "usefulness"))
"""Models that are also fitted on texts of other scenes. Correctness separates those without being fitted on them."""


def held_out_judgements(task: str) -> list[Judgement]:
    """Return the judgements of a task by held-out writers, and as many texts of other scenes, labelled no."""
    rows = [row for row in judgements() if row.writer in HELD_OUT and row.task == task]
    foreign = [
        replace(row, text=other.text, label="no", kind=CROSSED)
        for language in sorted({row.language for row in rows})
        for row, other in crossed(
            [row for row in rows if row.language == language], lambda row: row.id, lambda row: row.domain
        )
    ]
    return rows + foreign


def scored_rows(name: str) -> ScoredRows:
    """Return the rows of one model."""
    task, score = SCORERS[name]
    rows = [row for row in held_out_judgements(task) if name in FITTED_ON_CROSSED or row.kind != CROSSED]
    table = np.array([score(row) for row in rows])
    labels = np.array([int(row.label == "yes") for row in rows])
    foreign = np.array([row.kind == CROSSED for row in rows])
    return ScoredRows(table[:, 0], table[:, 1], labels, np.array([row.id for row in rows]), foreign)


def open_questions() -> ScoredRows:
    """Return NQ-301, with word scores of models that saw no answer to the same question."""
    rows = list(read("openqa_nq301"))
    with np.load(MODELS) as models:
        word_scores = models["held_out.correctness"]
    encoder_scores = [encoder_log_odds(row["question"], row["text"], row["reference"]) for row in rows]
    labels = np.array([int(row["label"]) for row in rows])
    questions = np.array([row["question"] for row in rows])
    return ScoredRows(word_scores, np.array(encoder_scores), labels, questions, np.zeros(len(rows), np.bool_))


def fit(*sets: ScoredRows) -> Values:
    """Return intercept and slopes, with equal weights for sets and for labels. Slopes are not negative."""
    word_scores, encoder_scores, labels = (
        np.concatenate([getattr(p, f) for p in sets]) for f in ("words", "read", "labels")
    )
    weights = np.concatenate([_weights(part) for part in sets])
    weights *= len(labels) / weights.sum()
    design = np.stack([np.ones(len(word_scores)), word_scores, np.clip(encoder_scores, -8, 8)], axis=1)

    def loss(coefficients: Values) -> float:
        score = design @ coefficients
        return float(weights @ (np.logaddexp(0, score) - labels * score)) + PENALTY * float(
            coefficients[1:] @ coefficients[1:]
        )

    return minimize(loss, np.zeros(3), bounds=[(None, None), (0, None), (0, None)], method="L-BFGS-B").x


def _weights(rows: ScoredRows) -> Values:
    """Return row weights with equal sums for both labels; texts of other scenes are a share of the rows labelled no."""
    masks = (rows.labels == 1, (rows.labels == 0) & ~rows.foreign, rows.foreign)
    shares = (0.5, 0.5 * (1 - FOREIGN_SHARE), 0.5 * FOREIGN_SHARE) if rows.foreign.any() else (0.5, 0.5, 0.0)
    weights = np.zeros(len(rows.labels))
    for mask, share in zip(masks, shares, strict=True):
        weights[mask] = share / max(mask.sum(), 1)
    return weights


def chances(coefficients: Values, rows: ScoredRows) -> Values:
    """Return the probability of a yes for each row."""
    score = coefficients[0] + coefficients[1] * rows.words + coefficients[2] * np.clip(rows.read, -8, 8)
    return 1 / (1 + np.exp(-score))


def cross_fitted_chances(rows: ScoredRows, sets: Sequence[ScoredRows]) -> Values:
    """Return the probability of each row by a model that was fitted on the other half of the scenes of all sets."""
    half_by_group = {
        group: i % 2 for i, group in enumerate(sorted({*chain.from_iterable(p.groups for p in sets)}))
    }
    estimates = np.zeros(len(rows.labels))
    for half in (0, 1):
        coefficients = fit(
            *(_select(part, [half_by_group[group] != half for group in part.groups]) for part in sets)
        )
        in_half = [half_by_group[group] == half for group in rows.groups]
        estimates[in_half] = chances(coefficients, _select(rows, in_half))
    return estimates


def _select(rows: ScoredRows, kept: Sequence[bool]) -> ScoredRows:
    return ScoredRows(*(getattr(rows, field)[np.array(kept)] for field in ScoredRows.__slots__))


def fitting_sets(name: str) -> dict[str, ScoredRows]:
    """Return the sets of rows that a model is fitted on, by their label in the report."""
    sets = {name: scored_rows(name)}
    return sets | {"correctness, open questions": open_questions()} if name == "correctness" else sets


def main() -> None:
    """Fit and write the models."""
    folder()
    coefficients: dict[str, Values] = {}
    for name in SCORERS:
        sets = fitting_sets(name)
        coefficients[f"line.{name}"] = fit(*sets.values())
        for label, rows in sets.items():
            print(report_line(label, rows, cross_fitted_chances(rows, [*sets.values()])), flush=True)
    np.savez(CHANCES, allow_pickle=False, **coefficients)


def report_line(name: str, rows: ScoredRows, estimates: Values) -> str:
    """Return the figures of the probabilities for texts of the row's own scene, then for texts of other scenes."""
    same_scene = ~rows.foreign
    correct = (estimates >= MIN_YES) == (rows.labels == 1)
    labels, groups, predicted = (
        rows.labels[same_scene],
        rows.groups[same_scene],
        estimates[same_scene] >= MIN_YES,
    )
    low, high = interval(
        groups.tolist(), lambda indices: balanced_accuracy(labels[indices], predicted[indices])
    )
    word_auroc, encoder_auroc, combined_auroc = (
        auroc(labels, values[same_scene]) for values in (rows.words, rows.read, estimates)
    )
    foreign_figure = (
        f"; of other scenes {correct[rows.foreign].mean():.3f} right" if rows.foreign.any() else ""
    )
    return (
        f"{name:28} {same_scene.sum():5} rows: BA at {MIN_YES} {balanced_accuracy(labels, predicted):.3f} "
        f"[{low:.3f}, {high:.3f}], accuracy {correct[same_scene].mean():.3f}, AUROC {combined_auroc:.3f} "
        f"(words alone {word_auroc:.3f}, encoder alone {encoder_auroc:.3f})"
        f"{foreign_figure}"
    )


if __name__ == "__main__":
    main()
