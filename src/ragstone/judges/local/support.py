"""Support: does the evidence state what the statement states?

    yes   every part is found in the passages
    no    the passages contradict it: another number or name in its place, a negation on one side, an opposite word
    idk   not mentioned, or too close to call, or in a script on which the judge was never measured

Word features, which can only speak for or only against support, give a probability; a second score, over the features
of conflict, tells contradicted from not mentioned. Beside short evidence a small encoder reads each sentence of the
statement together with it, and a decision over both gives the chances of the three verdicts. The verdict names the
passage and the span it rests on.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from ragstone.judges.local.matching import explanations, quantities, weekdays
from ragstone.judges.local.matching.alignment import Alignment, reading_window
from ragstone.judges.local.matching.evidence_index import EvidenceIndex, index_evidence
from ragstone.judges.local.model.decision import SHORT, Chances, Measured, decide, summary
from ragstone.judges.local.model.encoder import read_pair
from ragstone.judges.local.model.features import StatementFeatures, contradiction_features, measure_statement
from ragstone.judges.local.model.weights import scorer, threshold
from ragstone.judges.local.text.tokens import latin

Answer = Literal["yes", "no", "idk"]
_ABOUT = 0.4
"""Share of a statement that a sentence must have before it can be said to contradict it."""
_TOUCHED = 0.1
"""Share of a sentence's telling words, those nearly found included, without which short evidence cannot support it.

The encoder has learnt from texts on one subject alone: it takes a claim about something else for a free paraphrase.
"""
_OUTWEIGHED = {"number": 0.8, "name": 0.9, "word": 0.9, "opposite": 0.9, "negated": 0.8, "denied": 0.95}
"""Of each kind of ground, the chance of support from which on it is only a seeming conflict.

Of what outweighed them on held-out texts, most numbers and negations of the statement were supported all the same;
names and opposites that were put in by hand were not.
"""
_TURNED = 0.1
"""Chance of support that is left to a statement that says of one what the evidence says of another."""
_COPIED = (-4.0, -4.0, 4.0)
"""Outputs for a sentence that stands in the evidence word for word."""


class _Conflict(NamedTuple):
    """What contradicts a statement.

    Attributes:
        reason: in words.
        outweighed: the chance of support from which on it is only a seeming one; none is enough by default.
    """

    reason: str
    outweighed: float = math.inf


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


def support(statements: Sequence[str], passages: Sequence[str], *, by_words: bool = False) -> list[Support]:
    """Judge each statement against all passages together: one verdict per statement, in order.

    A verdict depends on its statement and the passages alone, never on the other statements.

    Args:
        statements: what is judged.
        passages: the evidence.
        by_words: judge by word features also where the evidence is short.
    """
    evidence = index_evidence(passages)
    readable = latin("".join(passages))
    return [_judge(statement, evidence, readable=readable, by_words=by_words) for statement in statements]


def _judge(statement: str, evidence: EvidenceIndex, *, readable: bool, by_words: bool) -> Support:
    if not evidence.tokens:
        return _unknown("there is no evidence to judge by")
    if not (readable and latin(statement)):
        return _unknown("not judged: the embedded judge reads Latin script only")
    told = weekdays.restated(quantities.restated(statement, evidence.texts), evidence.texts)
    reading = measure_statement(told, evidence)
    if not reading.alignments:
        return _unknown("the statement has no words to judge")
    passage, span = _place(reading, evidence)
    conflict = _conflict(told, reading, evidence)
    if len(evidence.tokens) <= SHORT and not by_words:
        chances = decide(measured(told, reading, evidence))
        verdict, reason = _decide_short(chances, conflict, reading, evidence)
        at_most = threshold("short_unsure") if verdict == "no" or _apart(reading) else 1.0
        probability = min(chances.supported, at_most)
    else:
        probability = scorer("support").probability(reading.values, reading.gaps)
        verdict, reason = _decide(probability, conflict, reading)
    if conflict and conflict.outweighed > 1:
        probability = min(probability, _TURNED)
    return Support(verdict, probability, passage, span, reason)


def _decide(probability: float, conflict: _Conflict | None, reading: StatementFeatures) -> tuple[Answer, str]:
    if conflict:
        return "no", conflict.reason
    if probability >= threshold("yes"):
        return "yes", "the passage says so"
    missing = explanations.missing(reading.alignments)
    if probability >= threshold("unsure"):
        return "idk", f"too close to call: {missing}"
    return "idk", f"not mentioned: {missing}"


def _conflict(statement: str, reading: StatementFeatures, evidence: EvidenceIndex) -> _Conflict | None:
    """Return which words of the evidence contradict the statement."""
    if day := weekdays.closed_then(statement, evidence.texts):
        return _Conflict(f'another day: the statement says "{day[0]}", the passage "{day[1]}"')
    if _told(reading) < _ABOUT:
        return None
    if reason := explanations.turned(reading.alignments, evidence):
        return _Conflict(reason)
    against = scorer("contradiction").probability(contradiction_features(reading.values))
    if against >= threshold("no") and (ground := explanations.ground_against(reading.alignments, evidence)):
        return _Conflict(ground.text, _OUTWEIGHED[ground.kind])
    reason = explanations.displacing(reading.alignments, evidence)
    return _Conflict(reason, _OUTWEIGHED["name"]) if reason else None


def measured(statement: str, reading: StatementFeatures, evidence: EvidenceIndex) -> Measured:
    """Return what the decision on a statement beside short evidence rests on."""
    outputs = [
        _read(found, text, evidence)
        for found, text in zip(
            reading.alignments, _texts(statement, reading.alignments, evidence), strict=True
        )
    ]
    words = scorer("support").score(reading.values, reading.gaps)
    conflict = scorer("contradiction").score(contradiction_features(reading.values))
    return Measured(words, conflict, *summary(outputs))


def _texts(statement: str, alignments: Sequence[Alignment], evidence: EvidenceIndex) -> Iterator[str]:
    """Yield what the encoder reads of each aligned part: up to where the next one begins, its numbers made comparable.

    The encoder compares numbers piece by piece and does not count: 100 days beside "75 days or more" is read as 75.
    """
    starts = [found.row[0].start for found in alignments]
    for found, end in zip(alignments, [*starts[1:], len(statement)], strict=True):
        text, at = "", found.row[0].start
        for i, token in enumerate(found.row):
            bound = explanations.bound_of(found, i, evidence) if token.number else None
            if bound is not None:
                text, at = text + statement[at : token.start] + bound.word, token.end
        yield (text + statement[at:end]).strip()


def _read(found: Alignment, text: str, evidence: EvidenceIndex) -> tuple[float, ...]:
    """Return the encoder's three outputs for one sentence; a sentence of the evidence itself needs no reading."""
    plain = _plain(text)
    if any(_plain(sentence) == plain for sentence in evidence.texts):
        return _COPIED
    return read_pair("support", "", text, reading_window(found, evidence))


def _plain(text: str) -> str:
    return " ".join(text.casefold().split()).strip(" .!")


def _decide_short(
    chances: Chances, conflict: _Conflict | None, reading: StatementFeatures, evidence: EvidenceIndex
) -> tuple[Answer, str]:
    wanted = conflict.outweighed if conflict else threshold("short_yes")
    if chances.supported >= wanted and not _apart(reading):
        return "yes", "the passage says so"
    if conflict:
        return "no", conflict.reason
    if chances.contradicted >= threshold("short_no") * (1 - chances.supported):
        return "no", explanations.contradicting(reading.alignments, evidence)
    missing = explanations.missing(reading.alignments)
    if chances.supported >= threshold("short_unsure") and not _apart(reading):
        return "idk", f"too close to call: {missing}"
    return "idk", f"not mentioned: {missing}"


def _apart(reading: StatementFeatures) -> bool:
    """Whether the evidence has next to nothing of a sentence of the statement."""
    return min(found.soft["doc"] for found in reading.alignments) < _TOUCHED


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
