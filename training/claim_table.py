"""How the embedded judge decides claims: all together, beside words alone and overlap, then kind by kind."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ragstone.judges.local.support import support
from training.baseline import overlap
from training.claims import Claim
from training.measures import balanced_accuracy, best_threshold, interval

_LEAST = 10
"""Claims of a kind from which on it has a line."""


class WordsAlone(NamedTuple):
    """What the judge reached on the same claims when it decided by features of words, before it had an encoder.

    Attributes:
        balanced_accuracy: supported or not.
        three_way: share of the three verdicts that was right.
    """

    balanced_accuracy: float
    three_way: float


def claim_lines(name: str, rows: Sequence[Claim], before: WordsAlone) -> Iterator[str]:
    """Yield how claims are decided, with 95 % bootstrap intervals over contexts; then each kind of ten or more.

    Args:
        name: what the first line says.
        rows: the claims.
        before: of the judge by words alone, on the same claims.
    """
    labels = np.array([int(row.label == "yes") for row in rows])
    found = [support([row.text], row.passages)[0].verdict for row in rows]
    decided = np.array([verdict == "yes" for verdict in found])
    right = np.array([verdict == row.label for verdict, row in zip(found, rows, strict=True)])
    contexts = [f"{row.writer}:{row.id}" for row in rows]

    def balanced(at: NDArray[np.int64]) -> float:
        return balanced_accuracy(labels[at], decided[at])

    def three_way(at: NDArray[np.int64]) -> float:
        return float(right[at].mean())

    every = np.arange(len(rows))
    shown = [
        f"{title} {before_it:.3f} -> {statistic(every):.3f} [{low:.3f}, {high:.3f}]"
        for title, statistic, before_it in (
            ("balanced accuracy", balanced, before.balanced_accuracy),
            ("three-way", three_way, before.three_way),
        )
        for low, high in [interval(contexts, statistic)]
    ]
    shared = [overlap(row.text, " ".join(row.passages)) for row in rows]
    yield f"{name}, {len(rows)} claims: {', '.join(shown)}; {best_overlap(labels, shared)}"
    for kind, count in Counter(row.kind for row in rows).most_common():
        if count >= _LEAST:
            of = np.array([row.kind == kind for row in rows])
            yield (
                f"  {kind:24} {count:4}: supported or not {(decided == labels)[of].mean():.2f}, "
                f"three-way {right[of].mean():.2f}"
            )


def best_overlap(labels: NDArray[np.int64], shared: Sequence[float]) -> str:
    """Return the balanced accuracy of overlap at the threshold that is best for it on these very rows."""
    scores = np.array(shared)
    value = balanced_accuracy(labels, scores >= best_threshold(labels, scores))
    return f"overlap, at its best threshold, {value:.3f}"
