"""Support: does the evidence state what the statement states?

    yes         every part is found in the passages
    no          the passages contradict it
    idk         the passages do not mention it
    undecided   the judge cannot tell: too close to call, a script or language on which it was never measured, or a
                fragment that only its question completes

A small encoder reads the sentences and clauses of the statement together with the evidence (`measurement`), and a
decision over its outputs gives the chances of the verdicts (`model.decision`). Words overrule it in one case: a copy of
the evidence in which one number or name is another, or two words are exchanged, is contradicted. The verdict names the
passage and the span it rests on.
"""

import itertools
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from ragstone.judges.local.matching import explanations
from ragstone.judges.local.matching.alignment import Alignment, is_content_word
from ragstone.judges.local.matching.evidence_index import EvidenceIndex, index_evidence
from ragstone.judges.local.matching.number_ranges import NumberRanges, lies_in_range
from ragstone.judges.local.measurement import AnalysedStatement, Measurement, analyse, measure
from ragstone.judges.local.model.decision import (
    MAX_SHORT_EVIDENCE,
    VerdictProbabilities,
    decide,
    probabilities,
)
from ragstone.judges.local.uniform_texts import on_uniform_texts
from ragstone.text.languages import WordCount, count_words, why_not_judged
from ragstone.text.lexicon import VERBS
from ragstone.verdict import VerdictValue

_EDITED_COPY_PROBABILITY = 0.1
"""Maximum chance of support of a copy of the evidence with one number or name replaced."""
_PRONOUNS = frozenset(("it", "he", "she", "they", "that", "this"))
_MAX_FRAGMENT_TOKENS = 3
"""Maximum number of tokens of a fragment, such as an answer that only its question completes: "Until 5 pm"."""


@dataclass(frozen=True, slots=True)
class Support:
    """The verdict on one statement.

    Attributes:
        verdict: yes (supported), no (contradicted), idk (not mentioned) or undecided.
        probability: that a careful reader finds every part of the statement in the passages, 0 to 1.
        passage: 1-based number of the passage it rests on, or None.
        span: position of the closest sentences in that passage, as (start, end), or None.
        reason: why, in a few words.
        contradiction_unknown: True for an idk of a detector that cannot tell whether it is contradicted.
    """

    verdict: VerdictValue
    probability: float
    passage: int | None
    span: tuple[int, int] | None
    reason: str
    contradiction_unknown: bool | None = None


SupportFunction = Callable[[Sequence[str], Sequence[str]], list[Support]]

_DETECTOR: ContextVar[SupportFunction | None] = ContextVar("ragstone_support", default=None)


def support(statements: Sequence[str], passages: Sequence[str]) -> list[Support]:
    """Judge each statement against all passages together: one verdict per statement, in order.

    A verdict depends on its statement and the passages alone, never on the other statements. The embedded model judges,
    or the function given to `support_by`.

    Args:
        statements: what is judged.
        passages: the evidence.
    """
    return (_DETECTOR.get() or _embedded_support)(statements, passages)


@contextmanager
def support_by(function: SupportFunction) -> Generator[None]:
    """Have `function` judge all support inside the block."""
    token = _DETECTOR.set(function)
    try:
        yield
    finally:
        _DETECTOR.reset(token)


def is_by_detector() -> bool:
    """Return whether another function than the embedded model judges support here."""
    return _DETECTOR.get() is not None


@on_uniform_texts
def _embedded_support(statements: Sequence[str], passages: Sequence[str]) -> list[Support]:
    evidence = index_evidence(passages)
    evidence_words = count_words(*passages)
    analysed = [_analyse(statement, evidence, evidence_words) for statement in statements]
    measurements = iter(measure([item for item in analysed if isinstance(item, AnalysedStatement)], evidence))
    return [
        item if isinstance(item, Support) else _judge(item, evidence, next(measurements)) for item in analysed
    ]


def _analyse(
    statement: str, evidence: EvidenceIndex, evidence_words: WordCount
) -> AnalysedStatement | Support:
    """Return the analysed statement, or the verdict if it is not read."""
    if not evidence.tokens:
        return Support("idk", 0.0, None, None, "not mentioned: there is no evidence")
    if reason := why_not_judged(count_words(statement), evidence_words):
        return _undecided(reason)
    analysed = analyse(statement, evidence)
    if analysed is None:
        return _undecided("the statement has no words to judge")
    if _is_fragment(analysed.alignments) and not _is_a_sentence(analysed.alignments, evidence):
        return _undecided("only its question completes the statement")
    return analysed


def _is_fragment(alignments: Sequence[Alignment]) -> bool:
    """Whether a statement is a few words without a verb, or a pronoun with one word of content ("It is in Paris")."""
    words = [token for alignment in alignments for token in alignment.tokens]
    if len(words) <= _MAX_FRAGMENT_TOKENS:
        return not any(token.norm in VERBS or token.norm.endswith(("ed", "s")) for token in words[1:])
    return words[0].norm in _PRONOUNS and sum(map(is_content_word, words)) <= 1


def _is_a_sentence(alignments: Sequence[Alignment], evidence: EvidenceIndex) -> bool:
    """Whether a statement is, word for word, a whole sentence of the evidence: then it needs no question."""
    words = [token.norm for alignment in alignments for token in alignment.tokens]
    starts = [*map(int, evidence.sentence_starts), len(evidence.tokens)]
    return any(
        words == [token.norm for token in evidence.tokens[start:end]]
        for start, end in itertools.pairwise(starts)
        if end - start == len(words)
    )


def _judge(analysed: AnalysedStatement, evidence: EvidenceIndex, measurement: Measurement) -> Support:
    """Judge a statement by its measurement."""
    alignments = analysed.alignments
    short = len(evidence.tokens) <= MAX_SHORT_EVIDENCE
    chances = probabilities(measurement.scores, short=short)
    passage, span = _locate_match(alignments, evidence)
    if reason := explanations.describe_edited_copy(alignments, evidence):
        return Support("no", min(chances.supported, _EDITED_COPY_PROBABILITY), passage, span, reason)
    verdict = decide(chances, short=short)
    if reason := _why_unsure_of_numbers(verdict, alignments, evidence, short=short):
        return Support("undecided", chances.supported, passage, span, reason)
    reason = _reason(verdict, chances, alignments, evidence)
    if measurement.doubtful_clause and verdict != "yes":
        reason += f'; in doubt: "{measurement.doubtful_clause}"'
    return Support(verdict, chances.supported, passage, span, reason)


def _why_unsure_of_numbers(
    verdict: VerdictValue, alignments: Sequence[Alignment], evidence: EvidenceIndex, *, short: bool
) -> str:
    """Return why a verdict on numbers that the evidence lacks is not given; empty if it is.

    The encoder compares numbers by their word pieces, not by value: it takes 44 weeks for another number than "more
    than 40 weeks", and beside longer evidence a wrong sum for a right one.
    """
    missing = [
        (alignment, i)
        for alignment in alignments
        for i, token in enumerate(alignment.tokens)
        if token.is_number and token.stem not in evidence.id_by_stem
    ]
    if verdict == "yes" and missing and not short:
        return "it may have to be calculated: the passages lack a number of the statement"
    if verdict == "no" and any(_lies_in_a_range(alignment, i, evidence) for alignment, i in missing):
        return "a number may lie within a range that the passage states"
    return ""


def _lies_in_a_range(alignment: Alignment, i: int, evidence: EvidenceIndex) -> bool:
    statement_ranges = NumberRanges(alignment.tokens)
    return any(
        lies_in_range(statement_ranges, i, NumberRanges(evidence.tokens[span]))
        for span in alignment.closest_sentences
    )


def _reason(
    verdict: VerdictValue,
    chances: VerdictProbabilities,
    alignments: Sequence[Alignment],
    evidence: EvidenceIndex,
) -> str:
    if verdict == "yes":
        return "the passage says so"
    if verdict == "no":
        return explanations.describe_contradiction(alignments, evidence)
    missing = explanations.describe_missing_words(alignments)
    if verdict == "idk":
        return f"not mentioned: {missing}"
    return f"too close to call, {chances.supported:.0%} likely to be supported: {missing}"


def _undecided(reason: str) -> Support:
    return Support("undecided", 0.0, None, None, reason)


def _locate_match(
    alignments: Sequence[Alignment], evidence: EvidenceIndex
) -> tuple[int | None, tuple[int, int] | None]:
    """Return the passage and span of the best match of the statement's sentence with most matched weight."""
    main = max(alignments, key=lambda alignment: float(alignment.weights @ alignment.match))
    if not main.match.any():
        return None, None
    window_tokens = evidence.tokens[main.best_window]
    sentence = int((evidence.sentence_starts <= main.best_window.start).sum()) - 1
    return int(evidence.passage_of_sentence[sentence]) + 1, (window_tokens[0].start, window_tokens[-1].end)
