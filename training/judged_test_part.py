"""Measure relevance and correctness on the test part of the judgements, which nothing was fitted or chosen on.

python -m training.judged_test_part     each run is a look: the model card tells how many there were
"""

from collections.abc import Callable

import numpy as np

from ragstone.judges.local.correctness import correctness
from ragstone.judges.local.relevance import answer_relevance
from training.claims import FOLDER
from training.judgements import Judgement, judgements
from training.measures import auroc, balanced_accuracy, interval

_ASKED: dict[str, Callable[[Judgement], float]] = {
    "relevance": lambda row: answer_relevance(row.question, row.text).score,
    "correctness": lambda row: correctness(row.question, row.text, row.expected).probability,
}


def main() -> None:
    """Print one line a task."""
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
