"""Support: does the evidence state what the statement states?

    yes   every part is found in the passages
    no    the passages contradict it: another number or name in its place, a negation on one side, an opposite word
    idk   not mentioned, or too close to call, or in a script or language on which the judge was never measured

Word features, which can only speak for or only against support, give a probability; a second score, over the features
of conflict, tells contradicted from not mentioned. A small encoder reads the sentences and clauses of the statement
together with the evidence (`measurement`), and a decision over both gives the chances of the three verdicts. The
verdict names the passage and the span it rests on.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from ragstone.judges.local.matching import calculations, explanations, quantities, weekdays
from ragstone.judges.local.matching.evidence_index import EvidenceIndex, index_evidence
from ragstone.judges.local.measurement import AnalysedStatement, Measurement, measure
from ragstone.judges.local.model.decision import SHORT_EVIDENCE, Chances, decide
from ragstone.judges.local.model.features import StatementFeatures, contradiction_features, measure_statement
from ragstone.judges.local.model.weights import scorer, threshold
from ragstone.judges.local.text.languages import WordCount, count_words, why_not_judged

Answer = Literal["yes", "no", "idk"]
_ABOUT = 0.4
"""Share of a statement that a sentence must have to contradict it."""
_TOUCHED, _NEAR = 0.1, 0.2
"""Share of a sentence's content words, near matches included, that the evidence should have: short evidence as a whole,
longer evidence within three sentences, since it has some of the words of any sentence. With less, evidence supports
only a statement with a chance of `_FREE`: the encoder takes some claims about something else for free paraphrases.
"""
_FREE = 0.65
"""Chance of support that is required if the evidence has next to none of a sentence's content words."""
_OUTWEIGHED = {"number": 0.6, "name": 0.97, "word": 0.97, "opposite": 0.85, "negated": 0.7, "denied": 0.95}
"""Chance of support that outweighs a conflict, by kind of ground.

Of the outweighed conflicts on held-out texts, most with numbers and negations of the statement were supported all the
same, and some with opposites; names inserted by hand were not, nor numbers that were changed beside longer evidence.
"""
_CALCULATED = 0.75
"""The same beside longer evidence, of which a part is read, for numbers that can be calculated from others; the encoder
is as sure of numbers that cannot.
"""
_AGREED, _COPY = 0.45, 0.25
"""Chance of support that is required for yes beside longer evidence: with a yes by words, and if the statement is
nearly a copy.
"""
_NEARLY = 0.82
"""Chance of support by words from which on the statement is nearly a copy."""
_NOT_DENIED = 0.84
"""Chance of support by words from which on the encoder alone does not contradict the statement."""
_TURNED = 0.1
"""Highest chance of support of a statement that attributes a fact to another subject than the evidence does."""


class _Conflict(NamedTuple):
    """What contradicts a statement.

    Attributes:
        reason: the conflict in words.
        outweighed: the chance of support that outweighs the conflict; by default no chance does.
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
        span: position of the closest sentences in that passage, as (start, end), or None.
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
        by_words: judge by word features alone.
    """
    evidence = index_evidence(passages)
    words = count_words(*passages)
    analysed = [_analysed(statement, evidence, words) for statement in statements]
    known = iter(
        [] if by_words else measure([one for one in analysed if isinstance(one, AnalysedStatement)], evidence)
    )
    return [
        one if isinstance(one, Support) else _judge(one, evidence, None if by_words else next(known))
        for one in analysed
    ]


def _analysed(statement: str, evidence: EvidenceIndex, words: WordCount) -> AnalysedStatement | Support:
    """Return the analysed statement, or an idk verdict with the reason if it cannot be judged."""
    if not evidence.tokens:
        return _unknown("there is no evidence to judge by")
    if reason := why_not_judged(count_words(statement), words):
        return _unknown(reason)
    told = weekdays.restate_weekdays(
        quantities.restate_quantities(statement, evidence.sentence_texts), evidence.sentence_texts
    )
    reading = measure_statement(told, evidence)
    return (
        AnalysedStatement(told, reading)
        if reading.alignments
        else _unknown("the statement has no words to judge")
    )


def _judge(analysed: AnalysedStatement, evidence: EvidenceIndex, found: Measurement | None) -> Support:
    """Judge a statement by its measurement, or by word features alone without one."""
    reading = analysed.features
    passage, span = _place(reading, evidence)
    conflict = _conflict(analysed.statement, reading, evidence)
    if found is None:
        probability = scorer("support").probability(reading.values, reading.gaps)
        verdict, reason = _decide_by_words(probability, conflict, reading)
    else:
        chances = decide(found.scores, short=_is_short(evidence))
        verdict, reason = _decide(chances, conflict, reading, evidence)
        if found.doubtful_clause and verdict != "yes":
            reason += f'; in doubt: "{found.doubtful_clause}"'
        probability = min(chances.supported, _most(verdict, reading, evidence))
    if conflict and conflict.outweighed > 1:
        probability = min(probability, _TURNED)
    return Support(verdict, probability, passage, span, reason)


def _decide_by_words(
    probability: float, conflict: _Conflict | None, reading: StatementFeatures
) -> tuple[Answer, str]:
    if conflict:
        return "no", conflict.reason
    if probability >= threshold("yes"):
        return "yes", "the passage says so"
    missing = explanations.describe_missing_words(reading.alignments)
    if probability >= threshold("unsure"):
        return "idk", f"too close to call: {missing}"
    return "idk", f"not mentioned: {missing}"


def _conflict(statement: str, reading: StatementFeatures, evidence: EvidenceIndex) -> _Conflict | None:
    """Return the conflict of the statement with the evidence, None without one."""
    if day := weekdays.find_closed_day(statement, evidence.sentence_texts):
        return _Conflict(f'another day: the statement says "{day[0]}", the passage "{day[1]}"')
    if _told(reading) < _ABOUT:
        return None
    if reason := explanations.describe_exchange(
        reading.alignments, evidence
    ) or explanations.describe_replacement(reading.alignments, evidence):
        return _Conflict(reason)
    against = scorer("contradiction").probability(contradiction_features(reading.values))
    if against >= threshold("no") and (
        ground := explanations.find_counterevidence(reading.alignments, evidence)
    ):
        return _Conflict(ground.text, _outweighed(ground.kind, reading, evidence))
    reason = explanations.describe_displaced_name(reading.alignments, evidence)
    return _Conflict(reason, _OUTWEIGHED["name"]) if reason else None


def _outweighed(kind: str, reading: StatementFeatures, evidence: EvidenceIndex) -> float:
    """Return the chance of support that outweighs a ground; 1 for a ground that always stands."""
    if kind != "number" or _is_short(evidence):
        return _OUTWEIGHED[kind]
    return _CALCULATED if calculations.has_calculated_numbers(reading.alignments, evidence) else 1.0


def _decide(
    chances: Chances, conflict: _Conflict | None, reading: StatementFeatures, evidence: EvidenceIndex
) -> tuple[Answer, str]:
    if chances.supported >= _wanted(conflict, reading, evidence):
        return "yes", "the passage says so"
    if conflict:
        return "no", conflict.reason
    if chances.contradicted >= threshold("read_no") * (1 - chances.supported) and (
        against := _speaking_against(reading, evidence)
    ):
        return "no", against
    missing = explanations.describe_missing_words(reading.alignments)
    if chances.supported >= threshold("read_unsure") and not _apart(reading, evidence):
        return "idk", f"too close to call: {missing}"
    return "idk", f"not mentioned: {missing}"


def _wanted(conflict: _Conflict | None, reading: StatementFeatures, evidence: EvidenceIndex) -> float:
    """Return the chance of support that is required for yes."""
    least = conflict.outweighed if conflict else _unopposed(reading, evidence)
    return max(least, _FREE) if _apart(reading, evidence) else least


def _unopposed(reading: StatementFeatures, evidence: EvidenceIndex) -> float:
    """Return the chance of support that is required for yes if nothing contradicts the statement."""
    if _is_short(evidence) or (by_words := _by_words(reading)) < threshold("yes"):
        return threshold("read_yes")
    return _COPY if by_words >= _NEARLY else _AGREED


def _by_words(reading: StatementFeatures) -> float:
    """Return the chance of support by word features alone."""
    return scorer("support").probability(reading.values, reading.gaps)


def _most(verdict: Answer, reading: StatementFeatures, evidence: EvidenceIndex) -> float:
    """Return the highest probability that fits a verdict: below one half if it is not yes."""
    if verdict == "yes":
        return 1.0
    if verdict == "no" or _apart(reading, evidence):
        return threshold("read_unsure")
    return math.nextafter(threshold("read_yes"), 0)


def _speaking_against(reading: StatementFeatures, evidence: EvidenceIndex) -> str:
    """Return the reason against a statement, an empty text without one or if the statement is nearly a copy.

    Beside longer evidence, of which the encoder reads a part, the reason must be in words that conflict.
    """
    if _by_words(reading) >= _NOT_DENIED:
        return ""
    against = (
        explanations.describe_contradiction if _is_short(evidence) else explanations.describe_counterevidence
    )
    return against(reading.alignments, evidence)


def _is_short(evidence: EvidenceIndex) -> bool:
    return len(evidence.tokens) <= SHORT_EVIDENCE


def _apart(reading: StatementFeatures, evidence: EvidenceIndex) -> bool:
    """Whether the evidence has next to nothing of a sentence of the statement."""
    place, least = ("doc", _TOUCHED) if _is_short(evidence) else ("3", _NEAR)
    return min(found.soft_share[place] for found in reading.alignments) < least


def _told(reading: StatementFeatures) -> float:
    """Return the weight share of the statement that the closest sentence has."""
    return max(found.soft_share["1"] for found in reading.alignments)


def _unknown(reason: str) -> Support:
    return Support("idk", 0.0, None, None, reason)


def _place(reading: StatementFeatures, evidence: EvidenceIndex) -> tuple[int | None, tuple[int, int] | None]:
    """Return the passage and span of the best match of the statement's weightiest sentence."""
    main = max(reading.alignments, key=lambda found: float(found.weights @ found.match))
    if not main.match.any():
        return None, None
    row = evidence.tokens[main.best_window]
    sentence = int((evidence.sentence_starts <= main.best_window.start).sum()) - 1
    return int(evidence.passage_of_sentence[sentence]) + 1, (row[0].start, row[-1].end)
