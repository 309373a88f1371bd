"""Measure support, relevance, usefulness and correctness on the test part, on which nothing was fitted or chosen.

python -m training.judged_test_part      each run is a look at the test part; the model card counts them

"a -> b" compares the judge that used words alone, before it had an encoder, with the current one.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from ragstone.judges.local.correctness import correctness
from ragstone.judges.local.relevance import answer_relevance, passage_relevance
from ragstone.judges.local.support import support
from ragstone.judges.local.usefulness import usefulness
from training.baseline import overlap
from training.chances import MIN_YES
from training.claim_table import WordsAlone, best_overlap, claim_lines
from training.claims import FOLDER, Claim, claims
from training.crossing import crossed
from training.judgements import Judgement, judgements
from training.measures import auroc, balanced_accuracy, interval

_WORDS_ALONE = WordsAlone(0.531, 0.418)


class _VerdictKind(NamedTuple):
    """One measured kind of verdict.

    Attributes:
        task: task of the judgements.
        score: returns the score of a judgement.
        overlap_text: returns the text whose words the overlap counts.
        words_alone: balanced accuracy at 0.5 of the judge that used words alone.
    """

    task: str
    score: Callable[[Judgement], float]
    overlap_text: Callable[[Judgement], str]
    words_alone: float


_VERDICT_KINDS = {
    "relevance": _VerdictKind(
        "relevance",
        lambda row: answer_relevance(row.question, row.text).probability,
        lambda row: row.question,
        0.538,
    ),
    "correctness": _VerdictKind(
        "correctness",
        lambda row: correctness(row.question, row.text, row.expected).probability,
        lambda row: row.expected,
        0.609,
    ),
    "passage": _VerdictKind(
        "usefulness",
        lambda row: passage_relevance(row.question, [row.text])[0].probability,
        lambda row: row.question,
        0.526,
    ),
    "usefulness": _VerdictKind(
        "usefulness",
        lambda row: usefulness(row.question, row.expected, [row.text])[0].probability,
        lambda row: row.expected,
        0.683,
    ),
}


def crossed_line(rows: Sequence[Claim]) -> str:
    """Return the figures of claims judged by the passages of another context."""
    pairs = crossed([row for row in rows if row.language == "en"], lambda row: row.id, lambda row: row.domain)
    verdicts = Counter(support([row.text], other.passages)[0].verdict for row, other in pairs)
    return f"  beside another context: {verdicts['yes']} supported, {verdicts['no']} contradicted of {verdicts.total()}"


def judgement_lines(all_rows: Sequence[Judgement], name: str) -> Iterator[str]:
    """Yield the figures of the judgements, and of those with a text of another scene."""
    kind = _VERDICT_KINDS[name]
    rows = [row for row in all_rows if row.task == kind.task]
    labels = np.array([int(row.label == "yes") for row in rows])
    scores = np.array([kind.score(row) for row in rows])
    predicted = scores >= MIN_YES
    low, high = interval(
        [row.id for row in rows], lambda indices: balanced_accuracy(labels[indices], predicted[indices])
    )
    yield (
        f"{name}, {len(rows)} judgements: balanced accuracy at {MIN_YES} {kind.words_alone:.3f} -> "
        f"{balanced_accuracy(labels, predicted):.3f} [{low:.3f}, {high:.3f}], AUROC {auroc(labels, scores):.3f}; "
        f"{best_overlap(labels, [overlap(kind.overlap_text(row), row.text) for row in rows])}"
    )
    english = [row for row in rows if row.language == "en"]
    pairs = crossed(english, lambda row: row.id, lambda row: row.domain)
    foreign_yes = [kind.score(replace(row, text=other.text)) >= MIN_YES for row, other in pairs]
    yield f"  of texts of other scenes {sum(foreign_yes)} of {len(foreign_yes)} taken for right"


def lines() -> Iterator[str]:
    """Yield the figures of claims and of each kind of verdict, and those of texts of different contexts."""
    claim_rows = list(claims(FOLDER / "test" / "claims"))
    yield from claim_lines("the project's own test part", claim_rows, _WORDS_ALONE)
    yield crossed_line(claim_rows)
    all_rows = list(judgements(FOLDER / "test" / "judgements"))
    for name in _VERDICT_KINDS:
        yield from judgement_lines(all_rows, name)


def main() -> None:
    """Print the lines."""
    for line in lines():
        print(line, flush=True)


if __name__ == "__main__":
    main()
