"""Fit the logistic lines of relevance, usefulness and correctness: from words and encoder to the chance of a yes.

    python -m training.chances           writes build/training/chances.npz and prints how well they decide

The data are judgements of held-out writers and, except for correctness, as many texts of other scenes; for
correctness also NQ-301, with models that saw no answer to the same question. For the printed figures, the line fitted
on half of the scenes judges the other half; the packaged line is fitted on all.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import chain

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from ragstone.judges.local.correctness import best_features, best_reading
from ragstone.judges.local.matching.evidence_index import index_evidence
from ragstone.judges.local.model.weights import YES, scorer
from ragstone.judges.local.relevance import log_odds, word_relevance
from ragstone.judges.local.text.tokens import tokens
from ragstone.judges.local.usefulness import words_score
from training.claims import HELD_OUT
from training.crossing import crossed
from training.judgements import Judgement, judgements
from training.labelled_data import read
from training.measures import auroc, balanced_accuracy, interval
from training.pairs import CROSSED
from training.paths import CHANCES, MODELS, folder

PENALTY = 1.0
FOREIGN = 0.4
"""Share of texts of other scenes in the weight of all that does not fit."""
Values = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Judged:
    """The rows of one task: scores by words and by the encoder, labels, and groups that must not be split.

    Attributes:
        words: score by words.
        read: log odds of the encoder.
        labels: 0 or 1.
        groups: scene or question of each row.
        foreign: whether the text belongs to another scene.
    """

    words: Values
    read: Values
    labels: NDArray[np.int64]
    groups: NDArray[np.str_]
    foreign: NDArray[np.bool_]


def relevance_values(row: Judgement) -> tuple[float, float]:
    """Return the scores by words and by the encoder of an answer beside its question."""
    asked, evidence = list(chain.from_iterable(tokens(row.question))), index_evidence([row.text])
    return word_relevance(asked, evidence), log_odds("relevance", row.question, asked, [evidence])[0]


def correctness_values(row: Judgement) -> tuple[float, float]:
    """Return the scores by words and by the encoder of an answer beside its reference."""
    words = scorer("correctness").score(best_features(row.question, row.text, [row.expected]))
    return words, best_reading(row.question, row.text, [row.expected])


def passage_values(row: Judgement) -> tuple[float, float]:
    """Return the scores by words and by the encoder of a passage beside its question."""
    asked, evidence = list(chain.from_iterable(tokens(row.question))), index_evidence([row.text])
    return word_relevance(asked, evidence), log_odds("usefulness", row.question, asked, [evidence])[0]


def usefulness_values(row: Judgement) -> tuple[float, float]:
    """Return the scores by words and by the encoder of a passage beside its question and the expected output."""
    return words_score(row.question, row.expected, row.text), passage_values(row)[1]


VALUES: dict[str, tuple[str, Callable[[Judgement], tuple[float, float]]]] = {
    "relevance": ("relevance", relevance_values),
    "correctness": ("correctness", correctness_values),
    "passage": ("usefulness", passage_values),
    "usefulness": ("usefulness", usefulness_values),
}
"""For each line, the task whose judgements it is fitted on, and the function that scores one."""
CROSSED_TOO = frozenset(("relevance", "passage", "usefulness"))
"""Lines that are also fitted on texts of other scenes; correctness separates those without being fitted on them."""


def known(task: str) -> list[Judgement]:
    """Return the judgements of a task by held-out writers, and as many of texts of other scenes, labelled no."""
    rows = [row for row in judgements() if row.writer in HELD_OUT and row.task == task]
    foreign = [
        replace(row, text=other.text, label="no", kind=CROSSED)
        for language in sorted({row.language for row in rows})
        for row, other in crossed(
            [row for row in rows if row.language == language], lambda row: row.id, lambda row: row.domain
        )
    ]
    return rows + foreign


def judged(name: str) -> Judged:
    """Return the rows of one line."""
    task, values = VALUES[name]
    rows = [row for row in known(task) if name in CROSSED_TOO or row.kind != CROSSED]
    table = np.array([values(row) for row in rows])
    labels = np.array([int(row.label == "yes") for row in rows])
    foreign = np.array([row.kind == CROSSED for row in rows])
    return Judged(table[:, 0], table[:, 1], labels, np.array([row.id for row in rows]), foreign)


def open_questions() -> Judged:
    """Return NQ-301: words by models that saw no answer to the same question."""
    rows = list(read("openqa_nq301"))
    with np.load(MODELS) as models:
        words = models["held_out.correctness"]
    readings = [best_reading(row["question"], row["text"], row["reference"]) for row in rows]
    labels = np.array([int(row["label"]) for row in rows])
    questions = np.array([row["question"] for row in rows])
    return Judged(words, np.array(readings), labels, questions, np.zeros(len(rows), np.bool_))


def fit(*parts: Judged) -> Values:
    """Return intercept and slopes, with equal weights of sets and labels; no slope may be negative."""
    words, read_, labels = (
        np.concatenate([getattr(p, f) for p in parts]) for f in ("words", "read", "labels")
    )
    weights = np.concatenate([_weights(part) for part in parts])
    weights *= len(labels) / weights.sum()
    rows = np.stack([np.ones(len(words)), words, np.clip(read_, -8, 8)], axis=1)

    def loss(at: Values) -> float:
        score = rows @ at
        return float(weights @ (np.logaddexp(0, score) - labels * score)) + PENALTY * float(at[1:] @ at[1:])

    return minimize(loss, np.zeros(3), bounds=[(None, None), (0, None), (0, None)], method="L-BFGS-B").x


def _weights(part: Judged) -> Values:
    """Return weights by which both labels count alike; texts of other scenes are a part of what does not fit."""
    kinds = (part.labels == 1, (part.labels == 0) & ~part.foreign, part.foreign)
    shares = (0.5, 0.5 * (1 - FOREIGN), 0.5 * FOREIGN) if part.foreign.any() else (0.5, 0.5, 0.0)
    found = np.zeros(len(part.labels))
    for rows, share in zip(kinds, shares, strict=True):
        found[rows] = share / max(rows.sum(), 1)
    return found


def chances(line: Values, rows: Judged) -> Values:
    """Return the chance of a yes for each row."""
    score = line[0] + line[1] * rows.words + line[2] * np.clip(rows.read, -8, 8)
    return 1 / (1 + np.exp(-score))


def halves(rows: Judged, parts: Sequence[Judged]) -> Values:
    """Return the chances of each row by a line that was fitted on the other half of the scenes of all parts."""
    half_of = {
        group: i % 2 for i, group in enumerate(sorted({*chain.from_iterable(p.groups for p in parts)}))
    }
    found = np.zeros(len(rows.labels))
    for half in (0, 1):
        line = fit(*(_where(part, [half_of[group] != half for group in part.groups]) for part in parts))
        own = [half_of[group] == half for group in rows.groups]
        found[own] = chances(line, _where(rows, own))
    return found


def _where(rows: Judged, taken: Sequence[bool]) -> Judged:
    return Judged(*(getattr(rows, field)[np.array(taken)] for field in Judged.__slots__))


def parts(name: str) -> dict[str, Judged]:
    """Return the rows that a line is fitted on, by their kind."""
    found = {name: judged(name)}
    return found | {"correctness, open questions": open_questions()} if name == "correctness" else found


def main() -> None:
    """Fit and write the lines."""
    folder()
    lines: dict[str, Values] = {}
    for name in VALUES:
        found = parts(name)
        lines[f"line.{name}"] = fit(*found.values())
        for kind, part in found.items():
            print(line_of(kind, part, halves(part, [*found.values()])), flush=True)
    np.savez(CHANCES, allow_pickle=False, **lines)


def line_of(name: str, part: Judged, found: Values) -> str:
    """Return the figures of the chances: for texts of the row's own scene, then for those of other scenes."""
    own = ~part.foreign
    right = (found >= YES) == (part.labels == 1)
    labels, groups, yes = part.labels[own], part.groups[own], found[own] >= YES
    low, high = interval(groups.tolist(), lambda rows: balanced_accuracy(labels[rows], yes[rows]))
    words, read_, both = (auroc(labels, values[own]) for values in (part.words, part.read, found))
    other = f"; of other scenes {right[part.foreign].mean():.3f} right" if part.foreign.any() else ""
    return (
        f"{name:28} {own.sum():5} rows: BA at {YES} {balanced_accuracy(labels, yes):.3f} [{low:.3f}, {high:.3f}], "
        f"accuracy {right[own].mean():.3f}, AUROC {both:.3f} (words alone {words:.3f}, encoder alone {read_:.3f})"
        f"{other}"
    )


if __name__ == "__main__":
    main()
