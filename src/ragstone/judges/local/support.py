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
from ragstone.judges.local.model.decision import MAX_SHORT_EVIDENCE, VerdictProbabilities, decide
from ragstone.judges.local.model.features import StatementFeatures, contradiction_features, measure_statement
from ragstone.judges.local.model.weights import scorer, threshold
from ragstone.judges.local.uniform_texts import on_uniform_texts
from ragstone.text.languages import WordCount, count_words, why_not_judged

Answer = Literal["yes", "no", "idk"]
_MIN_CONFLICT_SHARE = 0.4
"""Minimum weight share of a statement that one evidence sentence must have to contradict it."""
_MIN_OVERLAP_SHORT, _MIN_OVERLAP_LONG = 0.1, 0.2
"""Minimum share of a sentence's content words, near matches included, that the evidence should have.

Short evidence is taken as a whole; longer evidence within three sentences, since all of it has some of the words of
any sentence. Below the minimum, a yes requires a chance of support of `_MIN_SUPPORT_LOW_OVERLAP`: the encoder takes
some claims about something else for free paraphrases.
"""
_MIN_SUPPORT_LOW_OVERLAP = 0.65
"""Chance of support that is required for yes if the evidence has next to none of a sentence's content words."""
_MIN_SUPPORT_BY_CONFLICT = {
    "number": 0.6,
    "name": 0.97,
    "word": 0.97,
    "opposite": 0.85,
    "negated": 0.7,
    "denied": 0.95,
}
"""Chance of support that outweighs a conflict, by kind of ground.

Of the outweighed conflicts on held-out texts, most statements with numbers and negations were supported all the same,
and some with opposites. Statements with names inserted by hand were not, nor those with numbers that were changed
beside longer evidence.
"""
_MIN_SUPPORT_CALCULATED = 0.75
"""Chance of support that outweighs a conflict of numbers beside longer evidence, of which the encoder reads a part, if
the numbers can be calculated from others. The encoder is as sure of numbers that cannot, so for these no chance does.
"""
_MIN_SUPPORT_WORDS_AGREE, _MIN_SUPPORT_NEAR_COPY = 0.45, 0.25
"""Chance of support that is required for yes beside longer evidence: if the word features alone say yes, and if the
statement is nearly a copy.
"""
_NEAR_COPY_THRESHOLD = 0.82
"""Chance of support by word features alone from which on the statement is nearly a copy."""
_NOT_CONTRADICTED_THRESHOLD = 0.84
"""Chance of support by word features alone from which on the encoder cannot by itself contradict the statement."""
_MAX_PROBABILITY_CERTAIN_CONFLICT = 0.1
"""Maximum chance of support of a statement with a conflict that nothing outweighs, such as a fact that it attributes to
another subject than the evidence does.
"""


class _Conflict(NamedTuple):
    """What contradicts a statement.

    Attributes:
        reason: the conflict in words.
        min_support: the chance of support that outweighs the conflict; by default no chance does.
    """

    reason: str
    min_support: float = math.inf


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


@on_uniform_texts
def support(statements: Sequence[str], passages: Sequence[str], *, by_words: bool = False) -> list[Support]:
    """Judge each statement against all passages together: one verdict per statement, in order.

    A verdict depends on its statement and the passages alone, never on the other statements.

    Args:
        statements: what is judged.
        passages: the evidence.
        by_words: judge by word features alone.
    """
    evidence = index_evidence(passages)
    evidence_words = count_words(*passages)
    analysed = [_analyse(statement, evidence, evidence_words) for statement in statements]
    measurements = iter(
        []
        if by_words
        else measure([item for item in analysed if isinstance(item, AnalysedStatement)], evidence)
    )
    return [
        item
        if isinstance(item, Support)
        else _judge(item, evidence, None if by_words else next(measurements))
        for item in analysed
    ]


def _analyse(
    statement: str, evidence: EvidenceIndex, evidence_words: WordCount
) -> AnalysedStatement | Support:
    """Return the analysed statement, or an idk verdict with the reason if it cannot be judged."""
    if not evidence.tokens:
        return _unknown("there is no evidence to judge by")
    if reason := why_not_judged(count_words(statement), evidence_words):
        return _unknown(reason)
    restated = weekdays.restate_weekdays(
        quantities.restate_quantities(statement, evidence.sentence_texts), evidence.sentence_texts
    )
    features = measure_statement(restated, evidence)
    return (
        AnalysedStatement(restated, features)
        if features.alignments
        else _unknown("the statement has no words to judge")
    )


def _judge(analysed: AnalysedStatement, evidence: EvidenceIndex, measurement: Measurement | None) -> Support:
    """Judge a statement by its measurement, or by word features alone without one."""
    features = analysed.features
    passage, span = _locate_match(features, evidence)
    conflict = _find_conflict(analysed.statement, features, evidence)
    if measurement is None:
        probability = scorer("support").probability(features.values, features.gaps)
        verdict, reason = _decide_by_words(probability, conflict, features)
    else:
        chances = decide(measurement.scores, short=_is_short(evidence))
        verdict, reason = _decide(chances, conflict, features, evidence)
        if measurement.doubtful_clause and verdict != "yes":
            reason += f'; in doubt: "{measurement.doubtful_clause}"'
        probability = min(chances.supported, _max_probability(verdict, features, evidence))
    if conflict and conflict.min_support > 1:
        probability = min(probability, _MAX_PROBABILITY_CERTAIN_CONFLICT)
    return Support(verdict, probability, passage, span, reason)


def _decide_by_words(
    probability: float, conflict: _Conflict | None, features: StatementFeatures
) -> tuple[Answer, str]:
    if conflict:
        return "no", conflict.reason
    if probability >= threshold("yes"):
        return "yes", "the passage says so"
    missing = explanations.describe_missing_words(features.alignments)
    if probability >= threshold("unsure"):
        return "idk", f"too close to call: {missing}"
    return "idk", f"not mentioned: {missing}"


def _find_conflict(statement: str, features: StatementFeatures, evidence: EvidenceIndex) -> _Conflict | None:
    """Return the conflict of the statement with the evidence, or None."""
    if days := weekdays.find_closed_day(statement, evidence.sentence_texts):
        return _Conflict(f'another day: the statement says "{days[0]}", the passage "{days[1]}"')
    if _best_sentence_share(features) < _MIN_CONFLICT_SHARE:
        return None
    if reason := explanations.describe_exchange(
        features.alignments, evidence
    ) or explanations.describe_replacement(features.alignments, evidence):
        return _Conflict(reason)
    probability = scorer("contradiction").probability(contradiction_features(features.values))
    if probability >= threshold("no") and (
        ground := explanations.find_counterevidence(features.alignments, evidence)
    ):
        return _Conflict(ground.text, _min_support_by_conflict(ground.kind, features, evidence))
    reason = explanations.describe_displaced_name(features.alignments, evidence)
    return _Conflict(reason, _MIN_SUPPORT_BY_CONFLICT["name"]) if reason else None


def _min_support_by_conflict(kind: str, features: StatementFeatures, evidence: EvidenceIndex) -> float:
    """Return the chance of support that outweighs a conflict of this kind; 1 if none does."""
    if kind != "number" or _is_short(evidence):
        return _MIN_SUPPORT_BY_CONFLICT[kind]
    return (
        _MIN_SUPPORT_CALCULATED if calculations.has_calculated_numbers(features.alignments, evidence) else 1.0
    )


def _decide(
    chances: VerdictProbabilities,
    conflict: _Conflict | None,
    features: StatementFeatures,
    evidence: EvidenceIndex,
) -> tuple[Answer, str]:
    if chances.supported >= _min_support(conflict, features, evidence):
        return "yes", "the passage says so"
    if conflict:
        return "no", conflict.reason
    if chances.contradicted >= threshold("read_no") * (1 - chances.supported) and (
        reason := _contradiction_reason(features, evidence)
    ):
        return "no", reason
    missing = explanations.describe_missing_words(features.alignments)
    if chances.supported >= threshold("read_unsure") and not _has_low_overlap(features, evidence):
        return "idk", f"too close to call: {missing}"
    return "idk", f"not mentioned: {missing}"


def _min_support(conflict: _Conflict | None, features: StatementFeatures, evidence: EvidenceIndex) -> float:
    """Return the chance of support that is required for yes."""
    min_support = conflict.min_support if conflict else _min_support_without_conflict(features, evidence)
    return max(min_support, _MIN_SUPPORT_LOW_OVERLAP) if _has_low_overlap(features, evidence) else min_support


def _min_support_without_conflict(features: StatementFeatures, evidence: EvidenceIndex) -> float:
    """Return the chance of support that is required for yes if nothing contradicts the statement."""
    if _is_short(evidence) or (word_probability := _word_probability(features)) < threshold("yes"):
        return threshold("read_yes")
    return _MIN_SUPPORT_NEAR_COPY if word_probability >= _NEAR_COPY_THRESHOLD else _MIN_SUPPORT_WORDS_AGREE


def _word_probability(features: StatementFeatures) -> float:
    """Return the chance of support by word features alone."""
    return scorer("support").probability(features.values, features.gaps)


def _max_probability(verdict: Answer, features: StatementFeatures, evidence: EvidenceIndex) -> float:
    """Return the maximum probability for a verdict: below one half if it is not yes."""
    if verdict == "yes":
        return 1.0
    if verdict == "no" or _has_low_overlap(features, evidence):
        return threshold("read_unsure")
    return math.nextafter(threshold("read_yes"), 0)


def _contradiction_reason(features: StatementFeatures, evidence: EvidenceIndex) -> str:
    """Return the reason why a statement is contradicted; empty without one or if the statement is nearly a copy.

    Beside longer evidence, of which the encoder reads a part, the reason must be a conflict of words.
    """
    if _word_probability(features) >= _NOT_CONTRADICTED_THRESHOLD:
        return ""
    describe = (
        explanations.describe_contradiction if _is_short(evidence) else explanations.describe_counterevidence
    )
    return describe(features.alignments, evidence)


def _is_short(evidence: EvidenceIndex) -> bool:
    return len(evidence.tokens) <= MAX_SHORT_EVIDENCE


def _has_low_overlap(features: StatementFeatures, evidence: EvidenceIndex) -> bool:
    """Whether the evidence has next to none of the content words of a sentence of the statement."""
    window, min_overlap = ("doc", _MIN_OVERLAP_SHORT) if _is_short(evidence) else ("3", _MIN_OVERLAP_LONG)
    return min(alignment.soft_share[window] for alignment in features.alignments) < min_overlap


def _best_sentence_share(features: StatementFeatures) -> float:
    """Return the largest weight share of a sentence of the statement that one evidence sentence has."""
    return max(alignment.soft_share["1"] for alignment in features.alignments)


def _unknown(reason: str) -> Support:
    return Support("idk", 0.0, None, None, reason)


def _locate_match(
    features: StatementFeatures, evidence: EvidenceIndex
) -> tuple[int | None, tuple[int, int] | None]:
    """Return the passage and span of the best match of the statement's sentence with most matched weight."""
    main = max(features.alignments, key=lambda alignment: float(alignment.weights @ alignment.match))
    if not main.match.any():
        return None, None
    window_tokens = evidence.tokens[main.best_window]
    sentence = int((evidence.sentence_starts <= main.best_window.start).sum()) - 1
    return int(evidence.passage_of_sentence[sentence]) + 1, (window_tokens[0].start, window_tokens[-1].end)
