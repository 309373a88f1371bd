"""Accuracy of the embedded judge on claims: overall, compared with words alone and with overlap, then by kind."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ragstone.judges.local.support import support
from training.baseline import overlap
from training.claims import Claim
from training.measures import balanced_accuracy, best_threshold, interval

_MIN_CLAIMS = 10
"""Minimum number of claims of a kind for a line of its own."""


class WordsAlone(NamedTuple):
    """Figures of the judge on the same claims when it used word features only, before it had an encoder.

    Measured at commit 241fc7a, whose code has been removed.

    Attributes:
        balanced_accuracy: balanced accuracy of supported or not.
        three_way: share of correct three-way verdicts.
    """

    balanced_accuracy: float
    three_way: float


class Verdicts(NamedTuple):
    """The verdicts on some claims, each of shape (claims,).

    Attributes:
        labels: 1 for a claim that is supported, else 0.
        supported: whether the judge decides that it is supported.
        correct: whether its three-way verdict is correct.
    """

    labels: NDArray[np.int64]
    supported: NDArray[np.bool_]
    correct: NDArray[np.bool_]


def claim_lines(name: str, rows: Sequence[Claim], words_alone: WordsAlone) -> Iterator[str]:
    """Yield the accuracy on claims, with 95 % bootstrap intervals over contexts; then that of each kind of ten or more.

    Args:
        name: label of the first line.
        rows: the claims.
        words_alone: figures of the judge that used words alone, on the same claims.
    """
    verdicts = judge_claims(rows)
    compared = [
        f"{title} {earlier:.3f} -> {figure}"
        for title, earlier, figure in zip(
            ("balanced accuracy", "three-way"), words_alone, figures(rows, verdicts), strict=True
        )
    ]
    overlaps = [overlap(row.text, " ".join(row.passages)) for row in rows]
    yield f"{name}, {len(rows)} claims: {', '.join(compared)}; {best_overlap(verdicts.labels, overlaps)}"
    for kind, count in Counter(row.kind for row in rows).most_common():
        if count >= _MIN_CLAIMS:
            of_kind = np.array([row.kind == kind for row in rows])
            correct = verdicts.supported == verdicts.labels
            yield (
                f"  {kind:24} {count:4}: supported or not {correct[of_kind].mean():.2f}, "
                f"three-way {verdicts.correct[of_kind].mean():.2f}"
            )


def judge_claims(rows: Sequence[Claim]) -> Verdicts:
    """Judge each claim by itself."""
    verdicts = [support([row.text], row.passages)[0].verdict for row in rows]
    return Verdicts(
        labels=np.array([int(row.label == "yes") for row in rows]),
        supported=np.array([verdict == "yes" for verdict in verdicts]),
        correct=np.array([verdict == row.label for verdict, row in zip(verdicts, rows, strict=True)]),
    )


def figures(rows: Sequence[Claim], verdicts: Verdicts) -> tuple[str, str]:
    """Return balanced accuracy of "supported or not" and three-way accuracy, each with its interval."""
    contexts = [f"{row.writer}:{row.id}" for row in rows]
    all_rows = np.arange(len(rows))

    def balanced(indices: NDArray[np.int64]) -> float:
        return balanced_accuracy(verdicts.labels[indices], verdicts.supported[indices])

    def three_way(indices: NDArray[np.int64]) -> float:
        return float(verdicts.correct[indices].mean())

    def formatted(statistic: Callable[[NDArray[np.int64]], float]) -> str:
        low, high = interval(contexts, statistic)
        return f"{statistic(all_rows):.3f} [{low:.3f}, {high:.3f}]"

    return formatted(balanced), formatted(three_way)


def best_overlap(labels: NDArray[np.int64], overlaps: Sequence[float]) -> str:
    """Return the balanced accuracy of overlap at its best threshold on the same rows."""
    scores = np.array(overlaps)
    value = balanced_accuracy(labels, scores >= best_threshold(labels, scores))
    return f"overlap, at its best threshold, {value:.3f}"
