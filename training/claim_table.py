"""Table of the embedded judge's verdicts on claims: overall, beside words alone and overlap, then by kind."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ragstone.judges.local.support import support
from training.baseline import overlap
from training.claims import Claim
from training.measures import balanced_accuracy, best_threshold, interval

_LEAST = 10
"""Least number of claims of a kind for a line of its own."""


class WordsAlone(NamedTuple):
    """Figures of the judge on the same claims when it used word features only, before it had an encoder.

    Measured at commit 241fc7a, whose code has been removed.

    Attributes:
        balanced_accuracy: balanced accuracy of supported or not.
        three_way: share of correct three-way verdicts.
    """

    balanced_accuracy: float
    three_way: float


class Decided(NamedTuple):
    """The verdicts on some claims, each of shape (claims,).

    Attributes:
        labels: 1 for a claim that is supported, else 0.
        supported: whether the judge decides that it is supported.
        right: whether its verdict is the correct one of three.
    """

    labels: NDArray[np.int64]
    supported: NDArray[np.bool_]
    right: NDArray[np.bool_]


def claim_lines(name: str, rows: Sequence[Claim], before: WordsAlone) -> Iterator[str]:
    """Yield the accuracy on claims, with 95 % bootstrap intervals over contexts; then that of each kind of ten or more.

    Args:
        name: label of the first line.
        rows: the claims.
        before: figures of the judge that used words alone, on the same claims.
    """
    found = decided(rows)
    shown = [
        f"{title} {past:.3f} -> {figure}"
        for title, past, figure in zip(
            ("balanced accuracy", "three-way"), before, figures(rows, found), strict=True
        )
    ]
    shared = [overlap(row.text, " ".join(row.passages)) for row in rows]
    yield f"{name}, {len(rows)} claims: {', '.join(shown)}; {best_overlap(found.labels, shared)}"
    for kind, count in Counter(row.kind for row in rows).most_common():
        if count >= _LEAST:
            of = np.array([row.kind == kind for row in rows])
            right = found.supported == found.labels
            yield (
                f"  {kind:24} {count:4}: supported or not {right[of].mean():.2f}, "
                f"three-way {found.right[of].mean():.2f}"
            )


def decided(rows: Sequence[Claim]) -> Decided:
    """Judge each claim by itself."""
    verdicts = [support([row.text], row.passages)[0].verdict for row in rows]
    return Decided(
        labels=np.array([int(row.label == "yes") for row in rows]),
        supported=np.array([verdict == "yes" for verdict in verdicts]),
        right=np.array([verdict == row.label for verdict, row in zip(verdicts, rows, strict=True)]),
    )


def figures(rows: Sequence[Claim], found: Decided) -> tuple[str, str]:
    """Return balanced accuracy of "supported or not" and the share of right verdicts, each with its interval."""
    contexts = [f"{row.writer}:{row.id}" for row in rows]
    every = np.arange(len(rows))

    def balanced(at: NDArray[np.int64]) -> float:
        return balanced_accuracy(found.labels[at], found.supported[at])

    def three_way(at: NDArray[np.int64]) -> float:
        return float(found.right[at].mean())

    def told(statistic: Callable[[NDArray[np.int64]], float]) -> str:
        low, high = interval(contexts, statistic)
        return f"{statistic(every):.3f} [{low:.3f}, {high:.3f}]"

    return told(balanced), told(three_way)


def best_overlap(labels: NDArray[np.int64], shared: Sequence[float]) -> str:
    """Return the balanced accuracy of overlap at its best threshold on the same rows."""
    scores = np.array(shared)
    value = balanced_accuracy(labels, scores >= best_threshold(labels, scores))
    return f"overlap, at its best threshold, {value:.3f}"
