"""Support: does the evidence state what the statement states?

    yes   every part is found in the passages
    no    the passages contradict it: another number or name in its place, a negation on one side, an opposite word
    idk   not mentioned, or too close to call, or in a script on which the judge was never measured

A small model whose features can only speak for or only against support gives a probability; a second one, over the
features of conflict, tells contradicted from not mentioned. The verdict names the passage and the span it rests on.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from ragstone.judges.local.matching import explanations
from ragstone.judges.local.matching.evidence_index import EvidenceIndex, index_evidence
from ragstone.judges.local.model.features import StatementFeatures, contradiction_features, measure_statement
from ragstone.judges.local.model.weights import scorer, threshold
from ragstone.judges.local.text.tokens import latin

Answer = Literal["yes", "no", "idk"]
_ABOUT = 0.4
"""Share of a statement that a sentence must have before it can be said to contradict it."""


@dataclass(frozen=True, slots=True)
class Support:
    """The verdict on one statement.

    Attributes:
        verdict: yes (supported), no (contradicted) or idk (not mentioned, or unsure).
        probability: that a careful reader finds every part of the statement in the passages, 0 to 1.
        passage: 1-based number of the passage it rests on, or None.
        span: where in that passage the closest sentences stand, as (start, end), or None.
        reason: why, in a few words.
    """

    verdict: Answer
    probability: float
    passage: int | None
    span: tuple[int, int] | None
    reason: str


def support(statements: Sequence[str], passages: Sequence[str]) -> list[Support]:
    """Judge each statement against all passages together: one verdict per statement, in order.

    A verdict depends on its statement and the passages alone, never on the other statements.
    """
    evidence = index_evidence(passages)
    readable = latin("".join(passages))
    return [_judge(statement, evidence, readable=readable) for statement in statements]


def _judge(statement: str, evidence: EvidenceIndex, *, readable: bool) -> Support:
    if not evidence.tokens:
        return _unknown("there is no evidence to judge by")
    if not (readable and latin(statement)):
        return _unknown("not judged: the embedded judge reads Latin script only")
    reading = measure_statement(statement, evidence)
    if not reading.alignments:
        return _unknown("the statement has no words to judge")
    probability = scorer("support").probability(reading.values, reading.gaps)
    verdict, reason = _decide(probability, reading, evidence)
    passage, span = _place(reading, evidence)
    return Support(verdict, probability, passage, span, reason)


def _decide(probability: float, reading: StatementFeatures, evidence: EvidenceIndex) -> tuple[Answer, str]:
    if _told(reading) >= _ABOUT:
        against = scorer("contradiction").probability(contradiction_features(reading.values))
        conflict = explanations.against(reading.alignments, evidence) if against >= threshold("no") else ""
        if conflict := conflict or explanations.displacing(reading.alignments, evidence):
            return "no", conflict
    if probability >= threshold("yes"):
        return "yes", "the passage says so"
    missing = explanations.missing(reading.alignments)
    if probability >= threshold("unsure"):
        return "idk", f"too close to call: {missing}"
    return "idk", f"not mentioned: {missing}"


def _told(reading: StatementFeatures) -> float:
    """Return how much of the statement the closest sentence has, by weight."""
    return max(found.soft["1"] for found in reading.alignments)


def _unknown(reason: str) -> Support:
    return Support("idk", 0.0, None, None, reason)


def _place(reading: StatementFeatures, evidence: EvidenceIndex) -> tuple[int | None, tuple[int, int] | None]:
    """Return the passage and span of the best match of the statement's weightiest sentence."""
    main = max(reading.alignments, key=lambda found: float(found.weights @ found.best))
    if not main.best.any():
        return None, None
    row = evidence.tokens[main.window]
    sentence = int((evidence.starts <= main.window.start).sum()) - 1
    return int(evidence.passage[sentence]) + 1, (row[0].start, row[-1].end)
