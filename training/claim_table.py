"""Coverage and accuracy of the embedded judge on claims: overall, compared with words and overlap, then by kind."""

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
        probabilities: of support.
        decided: whether the judge decides.
        right: whether its verdict is right about supported or not.
        correct: whether its three-way verdict is correct.
    """

    labels: NDArray[np.int64]
    probabilities: NDArray[np.float64]
    decided: NDArray[np.bool_]
    right: NDArray[np.bool_]
    correct: NDArray[np.bool_]


def claim_lines(name: str, rows: Sequence[Claim], words_alone: WordsAlone) -> Iterator[str]:
    """Yield coverage and accuracy on claims, with 95 % bootstrap intervals over contexts; then those of each kind.

    Args:
        name: label of the first line.
        rows: the claims.
        words_alone: figures of the judge that used words alone, on the same claims.
    """
    verdicts = judge_claims(rows)
    overlaps = [overlap(row.text, " ".join(row.passages)) for row in rows]
    yield (
        f"{name}, {len(rows)} claims: {figures(rows, verdicts)}; balanced accuracy by words alone "
        f"{words_alone.balanced_accuracy:.3f}; {best_overlap(verdicts.labels, overlaps)}"
    )
    for kind, count in Counter(row.kind for row in rows).most_common():
        if count >= _MIN_CLAIMS:
            of_kind = np.array([row.kind == kind for row in rows])
            decided = of_kind & verdicts.decided
            right, correct = (
                f"{values[decided].mean():.2f}" if decided.any() else "-"
                for values in (verdicts.right, verdicts.correct)
            )
            yield f"  {kind:24} {count:4}: decided {decided.sum():4}, right {right}, three-way {correct}"


def judge_claims(rows: Sequence[Claim]) -> Verdicts:
    """Judge each claim by itself."""
    results = [support([row.text], row.passages)[0] for row in rows]
    pairs = list(zip(results, rows, strict=True))
    return Verdicts(
        labels=np.array([int(row.label == "yes") for row in rows]),
        probabilities=np.array([result.probability for result in results]),
        decided=np.array([result.verdict != "undecided" for result in results]),
        right=np.array([(result.verdict == "yes") == (row.label == "yes") for result, row in pairs]),
        correct=np.array([result.verdict == row.label for result, row in pairs]),
    )


def figures(rows: Sequence[Claim], verdicts: Verdicts) -> str:
    """Return coverage, accuracy where the judge decides, and balanced accuracy if it decided on all, with intervals."""
    contexts = [f"{row.writer}:{row.id}" for row in rows]
    all_rows = np.arange(len(rows))

    def where_decided(values: NDArray[np.bool_]) -> Callable[[NDArray[np.int64]], float]:
        return lambda indices: float(values[indices[verdicts.decided[indices]]].mean())

    def formatted(statistic: Callable[[NDArray[np.int64]], float]) -> str:
        low, high = interval(contexts, statistic)
        return f"{statistic(all_rows):.3f} [{low:.3f}, {high:.3f}]"

    def forced(indices: NDArray[np.int64]) -> float:
        return balanced_accuracy(verdicts.labels[indices], verdicts.probabilities[indices] >= 0.5)

    return (
        f"decided {verdicts.decided.mean():.3f}, right {formatted(where_decided(verdicts.right))}, "
        f"three-way {formatted(where_decided(verdicts.correct))}; forced, balanced accuracy {formatted(forced)}"
    )


def best_overlap(labels: NDArray[np.int64], overlaps: Sequence[float]) -> str:
    """Return the balanced accuracy of overlap at its best threshold on the same rows."""
    scores = np.array(overlaps)
    value = balanced_accuracy(labels, scores >= best_threshold(labels, scores))
    return f"overlap, at its best threshold, {value:.3f}"
