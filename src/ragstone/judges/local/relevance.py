"""Relevance: does a text help with a question?

Score by words, untrained: the weight share of the question's content words that the text has or nearly has, combined
with the cosine of their mean vectors, and raised if the text has the kind of answer that the question asks for (a
number, a date, a name). Of a question that asks two things a text may answer either: the part with the higher score
counts as much as the whole question.

Score by meaning: "Shakespeare." answers "Who wrote Hamlet?" without a word of it, and a refusal that repeats the
question does not. A small encoder, trained on judgements that were written for this project, reads question and text
together. A logistic regression over both gives the chance that a reader says yes, one for answers and one for passages.

A statement is judged alone and as a part of its text: "It is 330 metres long" is hardly relevant to a question by
itself, but may be a part of a relevant answer.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import chain, islice, pairwise
from typing import Literal

from ragstone.judges.local.judgement import Judgement, not_judged
from ragstone.judges.local.matching.alignment import (
    MAX_WORDS,
    TOO_LONG_REASON,
    align,
    is_content_word,
    reading_window,
)
from ragstone.judges.local.matching.evidence_index import EvidenceIndex, index_evidence
from ragstone.judges.local.model.encoder import TextPair, read_pairs
from ragstone.judges.local.model.weights import MAX_LOG_ODDS, MIN_YES, line_probability
from ragstone.text.languages import WordCount, count_words, why_not_judged
from ragstone.text.lexicon import MONTHS, QUESTION_WORDS, VERBS
from ragstone.text.tokens import WordToken, tokens

RelevanceTask = Literal["relevance", "usefulness"]
"""Relevance of an answer, usefulness of a passage."""
_QUANTITIES = frozenset(("many", "much", "long", "old", "far", "tall", "high", "big", "large"))
"""Words after "how" that ask for a number."""
_OVERLAP_WEIGHT, _COSINE_WEIGHT, _ANSWER_KIND_WEIGHT = 0.5, 0.35, 0.15
_MIN_CONTENT_WORDS = 3
"""Minimum number of content words of a part of a question that is judged alone."""
_CONJUNCTIONS = frozenset(("and", "or", "but"))
_MIN_HELPFUL = 0.75
"""Chance that a passage helps, from which on the verdict is yes; no from the same chance that it does not."""
_MIN_PASSAGE_SCORE = 0.1
"""Minimum score of a passage whose statements are read.

Of 191 statements of the demo's passages that help by themselves, none is in a passage with a lower score.
"""
_MIN_SUPPORTING_SCORE = 0.2
"""Minimum score of a statement alone that supports the text around it, if that text is relevant to the question."""


def relevance_of_statements(question: str, texts: Sequence[str]) -> list[Judgement]:
    """Judge each statement of an answer, of which all are given: one verdict per statement, in order.

    yes for a statement that is relevant to the question, idk for one that supports a relevant answer, else no.
    """
    whole, *verdicts = _relevance_of_answers(question, [" ".join(texts), *texts])
    return [_judge_within(whole, verdict, "idk") for verdict in verdicts]


def relevance_within_passage(question: str, texts: Sequence[str], passage: str) -> list[Judgement]:
    """Judge each statement of a passage, of which all are given: one verdict per statement, in order.

    No statement helps if the score of the passage, as it was retrieved, is below `_MIN_PASSAGE_SCORE`.
    """
    [whole] = passage_relevance(question, [passage])
    if whole.probability < _MIN_PASSAGE_SCORE:
        return [whole] * len(texts)
    return [_judge_within(whole, verdict, "yes") for verdict in passage_relevance(question, texts)]


def _judge_within(whole: Judgement, alone: Judgement, supporting: Literal["yes", "idk"]) -> Judgement:
    for relevance in (whole, alone):
        if relevance.verdict == "undecided" and not relevance.probability:  # not read
            return relevance
    if alone.verdict == "yes":
        return alone
    if whole.verdict == "yes" and alone.probability >= _MIN_SUPPORTING_SCORE:
        return Judgement(supporting, alone.probability, "the text around it is relevant to the question")
    return alone


def answer_relevance(question: str, answer: str) -> Judgement:
    """Judge an answer as a whole, true or not: is it relevant to the question?"""
    return _relevance_of_answers(question, [answer])[0]


def _relevance_of_answers(question: str, answers: Sequence[str]) -> list[Judgement]:
    question_tokens = list(chain.from_iterable(tokens(question)))

    def judge_texts(texts: Sequence[str]) -> list[Judgement]:
        return [
            verdict(line_probability("relevance", *scores), "answer the question")
            for scores in _scores("relevance", question, question_tokens, texts)
        ]

    return judge_each(answers, partial(_why_unread, question, question_tokens), judge_texts)


def _scores(
    task: RelevanceTask, question: str, question_tokens: list[WordToken], texts: Sequence[str]
) -> Iterator[tuple[float, float]]:
    indexes = [index_evidence([text]) for text in texts]
    by_words = (word_relevance(question_tokens, index) for index in indexes)
    return zip(by_words, log_odds(task, question, question_tokens, indexes), strict=True)


def judge_each(
    texts: Sequence[str],
    why_unread: Callable[[str], Judgement | None],
    judge: Callable[[Sequence[str]], list[Judgement]],
) -> list[Judgement]:
    """Return a verdict on each text, in order: `why_unread`'s, or if it has none `judge`'s on all these together."""
    unread = {text: why_unread(text) for text in texts}
    readable = [text for text, verdict in unread.items() if verdict is None]
    judged = dict(zip(readable, judge(readable), strict=True))
    return [unread[text] or judged[text] for text in texts]


def _why_unread(question: str, question_tokens: list[WordToken], answer: str) -> Judgement | None:
    if len(question_tokens) > MAX_WORDS:
        return not_judged(TOO_LONG_REASON)
    if reason := why_not_judged(count_words(question), count_words(answer)):
        return not_judged(reason)
    return None if index_evidence([answer]).tokens else Judgement("no", 0.0, "it has no words")


def verdict(score: float, what: str, min_yes: float = MIN_YES) -> Judgement:
    """Return the verdict of a score; `what` completes "it does" and "it does not"."""
    if score >= min_yes:
        return Judgement("yes", score, f"it does {what}")
    if score <= 1 - min_yes:
        return Judgement("no", score, f"it does not {what}")
    return Judgement("undecided", score, f"too close to call, {score:.0%} likely to {what}")


def passage_relevance(question: str, passages: Sequence[str]) -> list[Judgement]:
    """Judge each passage as a whole: does it help to answer the question? Each independent of the other passages."""
    question_tokens = list(chain.from_iterable(tokens(question)))
    if len(question_tokens) > MAX_WORDS:
        return [not_judged(TOO_LONG_REASON)] * len(passages)
    question_words = count_words(question)

    def judge_texts(texts: Sequence[str]) -> list[Judgement]:
        return [
            verdict(line_probability("passage", *scores), "help to answer the question", _MIN_HELPFUL)
            for scores in _scores("usefulness", question, question_tokens, texts)
        ]

    return judge_each(passages, partial(unread_verdict, question_words), judge_texts)


def unread_verdict(question_words: WordCount, passage: str) -> Judgement | None:
    """Return the verdict on a passage in a language that is not judged; None on any other."""
    reason = why_not_judged(question_words, count_words(passage))
    return not_judged(reason) if reason else None


def log_odds(
    task: RelevanceTask, question: str, question_tokens: list[WordToken], indexes: Sequence[EvidenceIndex]
) -> list[float]:
    """Return the encoder's log odds that each text fits the question, or the part of it that the text fits best."""
    parts = question_parts(question_tokens)
    questions = [question, *(question[part[0].start : part[-1].end] for part in parts)]
    alignments = [align(question_tokens, index) for index in indexes]
    windows = [
        reading_window(alignment, index)
        for alignment, index in zip(alignments, indexes, strict=True)
        if alignment
    ]
    outputs = iter(read_pairs(task, [TextPair("", part, window) for window in windows for part in questions]))
    return [
        max(odds for (odds,) in islice(outputs, len(questions))) if alignment else -MAX_LOG_ODDS
        for alignment in alignments
    ]


def word_relevance(question_tokens: list[WordToken], evidence: EvidenceIndex) -> float:
    """Return the score by words of one text for a question, 0 to 1."""
    score = _word_score(question_tokens, evidence)
    if parts := question_parts(question_tokens):
        score = (score + max(_word_score(part, evidence) for part in parts)) / 2
    return score


def _word_score(question_tokens: list[WordToken], evidence: EvidenceIndex) -> float:
    alignment = align(question_tokens, evidence)
    if alignment is None:
        return 0.0
    kind = expected_answer_kind(question_tokens)
    kind_score = 1.0 if kind is None else float(_has_answer_kind(kind, alignment.tokens, evidence))
    kind_share = kind_score * alignment.soft_share["doc"]
    overlap, cosine = alignment.soft_share["3"], max(alignment.cosine, 0.0)
    return min(_OVERLAP_WEIGHT * overlap + _COSINE_WEIGHT * cosine + _ANSWER_KIND_WEIGHT * kind_share, 1.0)


def question_parts(question_tokens: list[WordToken]) -> list[list[WordToken]]:
    """Return the parts of a question that "and", "or" or "but" joins, if each can be judged alone; else none."""
    cuts = [
        i
        for i, token in enumerate(question_tokens)
        if token.norm in _CONJUNCTIONS
        and i + 1 < len(question_tokens)
        and question_tokens[i + 1].norm in VERBS | QUESTION_WORDS
    ]
    edges = [0, *cuts, len(question_tokens)]
    parts = [question_tokens[start:end] for start, end in pairwise(edges)]
    if len(parts) < 2 or any(sum(map(is_content_word, part)) < _MIN_CONTENT_WORDS for part in parts):  # noqa: PLR2004
        return []
    return parts


def expected_answer_kind(question_tokens: Sequence[WordToken]) -> str | None:
    """Return the kind of answer a question asks for: "number", "date", "name" or None for anything."""
    words = [token.norm for token in question_tokens]
    for first, second in zip(words, [*words[1:], ""], strict=True):
        if first == "how" and second in _QUANTITIES:
            return "number"
        if first == "when" or (first in {"what", "which"} and second in {"year", "date", "day", "month"}):
            return "date"
        if first in {"who", "whom", "whose", "where"}:
            return "name"
    return None


def _has_answer_kind(kind: str, question_tokens: Sequence[WordToken], evidence: EvidenceIndex) -> bool:
    question_stems = {token.stem for token in question_tokens}
    new_tokens = [token for token in evidence.tokens if token.stem not in question_stems]
    if kind == "name":
        written = any(token.is_capitalised and not token.starts_sentence for token in new_tokens)
        return written or bool(evidence.names)
    return any(token.is_number or (kind == "date" and token.norm in MONTHS) for token in new_tokens)
