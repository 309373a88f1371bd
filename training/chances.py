"""Fit the lines of relevance and correctness: from words and encoder to the chance of a yes.

    python -m training.chances           writes build/training/chances.npz and prints how well they decide

On the judgements of held-out writers; correctness on NQ-301 besides, by models that saw no answer to the same question.
Half of the scenes fit the line that judges the other half; the line that ships is fitted on all.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from ragstone.judges.local.correctness import best_features, best_reading
from ragstone.judges.local.matching.alignment import align, reading_window
from ragstone.judges.local.matching.evidence_index import index_evidence
from ragstone.judges.local.model.encoder import read_pair
from ragstone.judges.local.model.weights import scorer
from ragstone.judges.local.relevance import measure
from ragstone.judges.local.text.tokens import tokens
from training.claims import HELD_OUT
from training.judgements import Judgement, judgements
from training.labelled_data import read
from training.measures import auroc, balanced_accuracy
from training.paths import CHANCES, MODELS, folder

PENALTY = 1.0
Values = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Judged:
    """The rows of one task: scores by words and by the encoder, labels and what may not be split.

    Attributes:
        words: score by words.
        read: log odds of the encoder.
        labels: 0 or 1.
        groups: scene or question of each row.
    """

    words: Values
    read: Values
    labels: NDArray[np.int64]
    groups: NDArray[np.str_]


def relevance_values(row: Judgement) -> tuple[float, float]:
    """Return words and encoder for an answer beside its question."""
    asked, evidence = list(chain.from_iterable(tokens(row.question))), index_evidence([row.text])
    found = align(asked, evidence)
    if found is None:
        return 0.0, -8.0
    window = reading_window(found, evidence)
    return measure(asked, evidence)[0], read_pair("relevance", "", row.question, window)[0]


def correctness_values(row: Judgement) -> tuple[float, float]:
    """Return words and encoder for an answer beside its reference."""
    words = scorer("correctness").score(best_features(row.question, row.text, [row.expected]))
    return words, best_reading(row.question, row.text, [row.expected])


VALUES: dict[str, tuple[str, Callable[[Judgement], tuple[float, float]]]] = {
    "relevance": ("relevance", relevance_values),
    "correctness": ("correctness", correctness_values),
}
"""Of each line, the task whose judgements it is fitted on, and what is measured on one."""


def judged(name: str) -> Judged:
    """Return the rows of the held-out writers for one line."""
    task, values = VALUES[name]
    rows = [row for row in judgements() if row.writer in HELD_OUT and row.task == task]
    table = np.array([values(row) for row in rows])
    labels = np.array([int(row.label == "yes") for row in rows])
    return Judged(table[:, 0], table[:, 1], labels, np.array([row.id for row in rows]))


def open_questions() -> Judged:
    """Return NQ-301: words by models that saw no answer to the same question."""
    rows = list(read("openqa_nq301"))
    with np.load(MODELS) as models:
        words = models["held_out.correctness"]
    readings = [best_reading(row["question"], row["text"], row["reference"]) for row in rows]
    labels = np.array([int(row["label"]) for row in rows])
    return Judged(words, np.array(readings), labels, np.array([row["question"] for row in rows]))


def fit(*parts: Judged) -> Values:
    """Return intercept and slopes, each set and label counting alike; no slope may be negative."""
    words, read_, labels = (
        np.concatenate([getattr(p, f) for p in parts]) for f in ("words", "read", "labels")
    )
    weights = np.concatenate([np.where(p.labels == 1, 0.5 / p.labels.mean(), 0.5 / (1 - p.labels.mean()))
                              / len(p.labels) for p in parts])  # fmt: skip
    weights *= len(labels) / weights.sum()
    rows = np.stack([np.ones(len(words)), words, np.clip(read_, -8, 8)], axis=1)

    def loss(at: Values) -> float:
        score = rows @ at
        return float(weights @ (np.logaddexp(0, score) - labels * score)) + PENALTY * float(at[1:] @ at[1:])

    return minimize(loss, np.zeros(3), bounds=[(None, None), (0, None), (0, None)], method="L-BFGS-B").x


def chances(line: Values, rows: Judged) -> Values:
    """Return the chance of a yes for each row."""
    score = line[0] + line[1] * rows.words + line[2] * np.clip(rows.read, -8, 8)
    return 1 / (1 + np.exp(-score))


def halves(rows: Judged) -> Values:
    """Return the chances of each row by a line that was fitted on the other half of the scenes."""
    _, codes = np.unique(rows.groups, return_inverse=True)
    found = np.zeros(len(rows.labels))
    for half in (0, 1):
        own = codes % 2 == half
        rest = Judged(*(getattr(rows, field)[~own] for field in Judged.__slots__))
        found[own] = chances(fit(rest), Judged(*(getattr(rows, field)[own] for field in Judged.__slots__)))
    return found


def known() -> Iterator[tuple[str, Judged]]:
    """Yield the name of each line with rows that it is fitted on."""
    for name in VALUES:
        yield name, judged(name)
    yield "correctness, open questions", open_questions()


def main() -> None:
    """Fit and keep the lines."""
    folder()
    parts: dict[str, list[Judged]] = {}
    for name, part in known():
        parts.setdefault(name.split(",")[0], []).append(part)
        found = halves(part)
        print(
            f"{name:26} {len(part.labels):5}  AUROC words {auroc(part.labels, part.words):.3f} encoder "
            f"{auroc(part.labels, part.read):.3f} both {auroc(part.labels, found):.3f}  BA at 0.5 "
            f"{balanced_accuracy(part.labels, found >= 0.5):.3f}  accuracy "
            f"{((found >= 0.5) == part.labels).mean():.3f}",
            flush=True,
        )
    np.savez(CHANCES, allow_pickle=False, **{f"line.{name}": fit(*own) for name, own in parts.items()})


if __name__ == "__main__":
    main()
