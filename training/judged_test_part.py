"""Measure support, relevance, usefulness and correctness on the test part, on which nothing was fitted or chosen.

python -m training.judged_test_part      each run is a look: the model card tells how many there were

"a -> b" is the judge that used words alone, before it had an encoder, and the current one.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from ragstone.judges.local.correctness import correctness
from ragstone.judges.local.model.weights import YES
from ragstone.judges.local.relevance import answer_relevance, passage_relevance
from ragstone.judges.local.support import support
from ragstone.judges.local.usefulness import usefulness
from training.baseline import overlap
from training.claim_table import WordsAlone, best_overlap, claim_lines
from training.claims import FOLDER, Claim, claims
from training.crossing import crossed
from training.judgements import Judgement, judgements
from training.measures import auroc, balanced_accuracy, interval

_BEFORE = WordsAlone(0.531, 0.418)


class _Asked(NamedTuple):
    """One measured kind of verdict.

    Attributes:
        task: task of the judgements.
        ask: returns the score.
        beside: the text whose words the overlap counts.
        before: balanced accuracy at 0.5 of the judge that used words alone.
    """

    task: str
    ask: Callable[[Judgement], float]
    beside: Callable[[Judgement], str]
    before: float


_ASKED = {
    "relevance": _Asked(
        "relevance",
        lambda row: answer_relevance(row.question, row.text).score,
        lambda row: row.question,
        0.538,
    ),
    "correctness": _Asked(
        "correctness",
        lambda row: correctness(row.question, row.text, row.expected).probability,
        lambda row: row.expected,
        0.609,
    ),
    "passage": _Asked(
        "usefulness",
        lambda row: passage_relevance(row.question, [row.text])[0].score,
        lambda row: row.question,
        0.526,
    ),
    "usefulness": _Asked(
        "usefulness",
        lambda row: usefulness(row.question, row.expected, [row.text])[0].score,
        lambda row: row.expected,
        0.683,
    ),
}


def crossed_line(rows: Sequence[Claim]) -> str:
    """Return the figures of claims judged by the passages of another context."""
    pairs = crossed([row for row in rows if row.language == "en"], lambda row: row.id, lambda row: row.domain)
    found = Counter(support([row.text], other.passages)[0].verdict for row, other in pairs)
    return (
        f"  beside another context: {found['yes']} supported, {found['no']} contradicted of {found.total()}"
    )


def judgement_lines(known: Sequence[Judgement], name: str) -> Iterator[str]:
    """Yield the figures of the judgements, and of those with a text of another scene."""
    asked = _ASKED[name]
    rows = [row for row in known if row.task == asked.task]
    labels = np.array([int(row.label == "yes") for row in rows])
    scores = np.array([asked.ask(row) for row in rows])
    decided = scores >= YES
    low, high = interval([row.id for row in rows], lambda at: balanced_accuracy(labels[at], decided[at]))
    yield (
        f"{name}, {len(rows)} judgements: balanced accuracy at {YES} {asked.before:.3f} -> "
        f"{balanced_accuracy(labels, decided):.3f} [{low:.3f}, {high:.3f}], AUROC {auroc(labels, scores):.3f}; "
        f"{best_overlap(labels, [overlap(asked.beside(row), row.text) for row in rows])}"
    )
    english = [row for row in rows if row.language == "en"]
    pairs = crossed(english, lambda row: row.id, lambda row: row.domain)
    foreign = [asked.ask(replace(row, text=other.text)) >= YES for row, other in pairs]
    yield f"  of texts of other scenes {sum(foreign)} of {len(foreign)} taken for right"


def lines() -> Iterator[str]:
    """Yield one line per task, and the figures of texts that do not belong together."""
    rows = list(claims(FOLDER / "test" / "claims"))
    yield from claim_lines("the project's own test part", rows, _BEFORE)
    yield crossed_line(rows)
    known = list(judgements(FOLDER / "test" / "judgements"))
    for name in _ASKED:
        yield from judgement_lines(known, name)


def main() -> None:
    """Print the lines."""
    for line in lines():
        print(line, flush=True)


if __name__ == "__main__":
    main()
