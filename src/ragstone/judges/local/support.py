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
import re
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace

from ragstone.judges.local.judgement import Judgement, not_judged
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
from ragstone.text.languages import WordCount, count_words, why_not_judged
from ragstone.text.lexicon import VERBS
from ragstone.text.pieces import PiecedText
from ragstone.text.preparation import prepared
from ragstone.text.spellings import language_of_numbers, may_be_respelled, respelled
from ragstone.verdict import VerdictValue

_TABLE = re.compile(r"\n[ \t]*+\|?[ \t]*+:?-++:?[ \t]*+\|")
_EDITED_COPY_PROBABILITY = 0.1
"""Maximum chance of support of a copy of the evidence with one number or name replaced."""
_PRONOUNS = frozenset(("it", "he", "she", "they", "that", "this"))
_MAX_FRAGMENT_TOKENS = 3
"""Maximum number of tokens of a fragment, such as an answer that only its question completes: "Until 5 pm"."""


SupportFunction = Callable[[Sequence[str], Sequence[str]], list[Judgement]]

_DETECTOR: ContextVar[SupportFunction | None] = ContextVar("ragstone_support", default=None)


def support(statements: Sequence[str], passages: Sequence[str]) -> list[Judgement]:
    """Judge each statement against all passages together: one verdict per statement, in order.

    A verdict depends on its statement and the passages alone, never on the other statements. The embedded model judges,
    or the function given to `support_by`.
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


def _embedded_support(statements: Sequence[str], passages: Sequence[str]) -> list[Judgement]:
    """Judge statements and passages in one form: tables row by row, numbers and dates in one spelling."""
    has_table = any(map(_TABLE.search, passages))
    if not has_table and not any(map(may_be_respelled, (*statements, *passages))):
        return _judge_all(statements, passages)
    language = language_of_numbers(passages)
    uniform = [_uniform(passage, language) for passage in passages]
    found = _judge_all(
        [respelled(statement, language).text for statement in statements], [text.text for text in uniform]
    )
    return [
        replace(one, span=uniform[one.passage - 1].original_span(*one.span))
        if one.passage and one.span
        else one
        for one in found
    ]


def _uniform(passage: str, language: str) -> PiecedText:
    prose = prepared(passage, "prose" if _TABLE.search(passage) else "written")
    spelled = respelled(prose.text, language)
    return PiecedText(passage, [part for piece in spelled.pieces for part in prose.traced(piece)])


def _judge_all(statements: Sequence[str], passages: Sequence[str]) -> list[Judgement]:
    evidence = index_evidence(passages)
    evidence_words = count_words(*passages)
    analysed = [_analyse(statement, evidence, evidence_words) for statement in statements]
    measurements = iter(measure([item for item in analysed if isinstance(item, AnalysedStatement)], evidence))
    return [
        item if isinstance(item, Judgement) else _judge(item, evidence, next(measurements))
        for item in analysed
    ]


def _analyse(
    statement: str, evidence: EvidenceIndex, evidence_words: WordCount
) -> AnalysedStatement | Judgement:
    if not evidence.tokens:
        return Judgement("idk", 0.0, "not mentioned: there is no evidence")
    if reason := why_not_judged(count_words(statement), evidence_words):
        return not_judged(reason)
    analysed = analyse(statement, evidence)
    if analysed is None:
        return not_judged("the statement has no words to judge")
    if _is_fragment(analysed.alignments) and not _is_a_sentence(analysed.alignments, evidence):
        return not_judged("only its question completes the statement")
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
    sentences = (
        evidence.tokens[start:end] for start, end in itertools.pairwise(evidence.sentence_starts.tolist())
    )
    return any(words == [token.norm for token in row] for row in sentences if len(row) == len(words))


def _judge(analysed: AnalysedStatement, evidence: EvidenceIndex, measurement: Measurement) -> Judgement:
    alignments = analysed.alignments
    short = len(evidence.tokens) <= MAX_SHORT_EVIDENCE
    chances = probabilities(measurement.scores, short=short)
    passage, span = _locate_match(alignments, evidence)
    if reason := explanations.describe_edited_copy(alignments, evidence):
        return Judgement("no", min(chances.supported, _EDITED_COPY_PROBABILITY), reason, passage, span)
    verdict = decide(chances, short=short)
    if reason := _why_unsure_of_numbers(verdict, alignments, evidence, short=short):
        return Judgement("undecided", chances.supported, reason, passage, span)
    reason = _reason(verdict, chances, alignments, evidence)
    if measurement.doubtful_clause and verdict != "yes":
        reason += f'; in doubt: "{measurement.doubtful_clause}"'
    return Judgement(verdict, chances.supported, reason, passage, span)


def _why_unsure_of_numbers(
    verdict: VerdictValue, alignments: Sequence[Alignment], evidence: EvidenceIndex, *, short: bool
) -> str:
    """Return why a verdict on numbers that the evidence lacks is not given; empty if it is.

    The encoder compares numbers by their word pieces, not by value: it takes 44 weeks for another number than "more
    than 40 weeks", and beside longer evidence a wrong sum for a right one.
    """
    numbers = ((row, i) for row in alignments for i, token in enumerate(row.tokens) if token.is_number)
    missing = [(row, i) for row, i in numbers if row.tokens[i].stem not in evidence.id_by_stem]
    if verdict == "yes" and missing and not short:
        return "it may have to be calculated: the passages lack a number of the statement"
    if verdict == "no" and any(_lies_in_a_range(row, i, evidence) for row, i in missing):
        return "a number may lie within a range that the passage states"
    return ""


def _lies_in_a_range(alignment: Alignment, i: int, evidence: EvidenceIndex) -> bool:
    own = NumberRanges(alignment.tokens)
    closest = (NumberRanges(evidence.tokens[span]) for span in alignment.closest_sentences)
    return any(lies_in_range(own, i, ranges) for ranges in closest)


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
