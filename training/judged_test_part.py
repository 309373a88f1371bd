"""Measure support, relevance and correctness on the test part, which nothing was fitted or chosen on.

python -m training.judged_test_part     each run is a look: the model card tells how many there were
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence

import numpy as np

from ragstone.judges.local.correctness import correctness
from ragstone.judges.local.relevance import answer_relevance
from ragstone.judges.local.support import support
from training.claims import FOLDER, Claim, claims
from training.judgements import Judgement, judgements
from training.measures import auroc, balanced_accuracy, interval

_LEAST = 10
"""Claims of a kind from which on its share is printed."""
_ASKED: dict[str, Callable[[Judgement], float]] = {
    "relevance": lambda row: answer_relevance(row.question, row.text).score,
    "correctness": lambda row: correctness(row.question, row.text, row.expected).probability,
}


def claim_lines(rows: Sequence[Claim]) -> Iterator[str]:
    """Yield how claims are decided: together, then each kind of ten or more."""
    labels = np.array([int(row.label == "yes") for row in rows])
    found = [support([row.text], row.passages)[0].verdict for row in rows]
    decided = np.array([verdict == "yes" for verdict in found])
    right = np.array([verdict == row.label for verdict, row in zip(found, rows, strict=True)])
    low, high = interval([row.id for row in rows], lambda at: balanced_accuracy(labels[at], decided[at]))
    yield (
        f"{'support':12} {len(rows):4} claims: balanced accuracy {balanced_accuracy(labels, decided):.3f} "
        f"[{low:.3f}, {high:.3f}], three-way {right.mean():.3f}"
    )
    for kind, count in Counter(row.kind for row in rows).most_common():
        if count >= _LEAST:
            of = np.array([row.kind == kind for row in rows])
            yield (
                f"  {kind:24} {count:4}: supported or not {(decided == labels)[of].mean():.2f}, "
                f"three-way {right[of].mean():.2f}"
            )


def main() -> None:
    """Print one line a task."""
    for line in claim_lines(list(claims(FOLDER / "test" / "claims"))):
        print(line)
    known = list(judgements(FOLDER / "test" / "judgements"))
    for task, ask in _ASKED.items():
        rows = [row for row in known if row.task == task]
        labels = np.array([int(row.label == "yes") for row in rows])
        scores = np.array([ask(row) for row in rows])
        decided = scores >= 0.5
        low, high = interval(
            [row.id for row in rows], lambda at, y=labels, d=decided: balanced_accuracy(y[at], d[at])
        )
        print(
            f"{task:12} {len(rows):4} judgements: balanced accuracy at 0.5 "
            f"{balanced_accuracy(labels, decided):.3f} [{low:.3f}, {high:.3f}], AUROC {auroc(labels, scores):.3f}"
        )


if __name__ == "__main__":
    main()
