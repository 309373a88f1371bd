"""Measure support, relevance, usefulness and correctness on the test part, which nothing was fitted or chosen on.

python -m training.judged_test_part              each run is a look: the model card tells how many there were
python -m training.judged_test_part looked_at    the test part before it, which was looked at while rules were set
"""

import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from ragstone.judges.local.correctness import correctness
from ragstone.judges.local.model.weights import YES
from ragstone.judges.local.relevance import answer_relevance, passage_relevance
from ragstone.judges.local.support import support
from ragstone.judges.local.usefulness import usefulness
from training.claims import FOLDER, Claim, claims
from training.crossing import crossed
from training.judgements import Judgement, judgements
from training.measures import auroc, balanced_accuracy, interval

_LEAST = 10
"""Claims of a kind from which on its share is printed."""
_ASKED: dict[str, tuple[str, Callable[[Judgement], float]]] = {
    "relevance": ("relevance", lambda row: answer_relevance(row.question, row.text).score),
    "correctness": ("correctness", lambda row: correctness(row.question, row.text, row.expected).probability),
    "passage": ("usefulness", lambda row: passage_relevance(row.question, [row.text])[0].score),
    "usefulness": ("usefulness", lambda row: usefulness(row.question, row.expected, [row.text])[0].score),
}
"""Of each verdict, the task of its judgements, and what gives it."""


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


def crossed_line(rows: Sequence[Claim]) -> str:
    """Return how claims are decided beside the passages of another context."""
    pairs = crossed([row for row in rows if row.language == "en"], lambda row: row.id, lambda row: row.domain)
    found = Counter(support([row.text], other.passages)[0].verdict for row, other in pairs)
    return (
        f"  beside another context: {found['yes']} supported, {found['no']} contradicted of {found.total()}"
    )


def judgement_lines(known: Sequence[Judgement], name: str) -> Iterator[str]:
    """Yield how judgements are decided, and those with a text of another scene."""
    task, ask = _ASKED[name]
    rows = [row for row in known if row.task == task]
    labels = np.array([int(row.label == "yes") for row in rows])
    scores = np.array([ask(row) for row in rows])
    decided = scores >= YES
    low, high = interval([row.id for row in rows], lambda at: balanced_accuracy(labels[at], decided[at]))
    yield (
        f"{name:12} {len(rows):4} judgements: balanced accuracy at {YES} "
        f"{balanced_accuracy(labels, decided):.3f} [{low:.3f}, {high:.3f}], AUROC {auroc(labels, scores):.3f}"
    )
    english = [row for row in rows if row.language == "en"]
    pairs = crossed(english, lambda row: row.id, lambda row: row.domain)
    foreign = [ask(replace(row, text=other.text)) >= YES for row, other in pairs]
    yield f"  of texts of other scenes {sum(foreign)} of {len(foreign)} taken for right"


def main() -> None:
    """Print one line a task, and what is said of texts that do not belong together."""
    part = FOLDER / (sys.argv[1] if len(sys.argv) > 1 else "test")
    rows = list(claims(part / "claims"))
    for line in claim_lines(rows):
        print(line)
    print(crossed_line(rows))
    known = list(judgements(part / "judgements"))
    for name in _ASKED:
        for line in judgement_lines(known, name):
            print(line, flush=True)


if __name__ == "__main__":
    main()
