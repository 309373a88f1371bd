"""Usefulness: was a passage of help for arriving at the expected output?

A passage is useful when it supports a part of the expected output that answers the question: for each
statement of the expected output the weight of its words that the passage has, discounted by those that the
question gave away already.
"""

from collections.abc import Sequence
from itertools import chain

from ragstone.judges.local.matching.alignment import MOST_WORDS, TOO_LONG, align, rows_of
from ragstone.judges.local.matching.evidence_index import EvidenceIndex, index_evidence
from ragstone.judges.local.model.weights import threshold
from ragstone.judges.local.relevance import Relevance, measure
from ragstone.judges.local.statements import statements
from ragstone.judges.local.text.tokens import WordToken, latin, tokens

_ANSWER = 0.7
"""Share of the score that the expected output decides; the question decides the rest."""


def usefulness(question: str, expected_output: str, passages: Sequence[str]) -> list[Relevance]:
    """Judge each passage: one verdict per passage, in order, each independent of the other passages."""
    asked = list(chain.from_iterable(tokens(question)))
    known = {token.stem for token in asked}
    if len(asked) > MOST_WORDS:
        return [Relevance("idk", 0.0, TOO_LONG) for _ in passages]
    rows = (list(chain.from_iterable(tokens(part.text))) for part in statements(expected_output))
    parts = [piece for row in rows for piece in rows_of(row)]
    readable = latin(question + expected_output)
    return [_judge(asked, known, parts, text, readable=readable and latin(text)) for text in passages]


def _judge(
    asked: list[WordToken], known: set[str], parts: list[list[WordToken]], text: str, *, readable: bool
) -> Relevance:
    if not readable:
        return Relevance("idk", 0.0, "not judged: the embedded judge reads Latin script only")
    evidence = index_evidence([text])
    helped = max((_helped(part, known, evidence) for part in parts), default=0.0)
    score = _ANSWER * helped + (1 - _ANSWER) * measure(asked, evidence)[0]
    if score >= threshold("useful"):
        return Relevance("yes", score, "it holds what the expected output says")
    if score >= threshold("useless"):
        return Relevance("idk", score, "it holds a part of what the expected output says")
    return Relevance("no", score, "it does not hold what the expected output says")


def _helped(part: list[WordToken], known: set[str], evidence: EvidenceIndex) -> float:
    """Return how much of one statement the passage gives, beyond what the question says."""
    fresh = [token for token in part if token.stem not in known]
    new = align(fresh, evidence) if fresh else None
    whole = align(part, evidence)
    if whole is None:
        return 0.0
    return whole.soft["3"] if new is None else (new.soft["3"] + whole.soft["3"]) / 2
