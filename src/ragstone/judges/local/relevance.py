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
from dataclasses import dataclass
from functools import partial
from itertools import chain, islice, pairwise
from typing import Literal

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
from ragstone.verdict import VerdictValue

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


@dataclass(frozen=True, slots=True)
class Relevance:
    """The verdict on one text.

    Attributes:
        verdict: yes (relevant), no (irrelevant), idk (it supports a relevant answer) or undecided.
        score: the chance that a reader says yes, 0 to 1; 0 where nothing was judged.
        reason: why, in a few words.
    """

    verdict: VerdictValue
    score: float
    reason: str


def relevance_of_statements(question: str, texts: Sequence[str]) -> list[Relevance]:
    """Judge each statement of an answer: one verdict per statement, in order.

    Args:
        question: what is asked.
        texts: all statements of the answer.

    Returns:
        yes for a statement that is relevant to the question, idk for one that supports a relevant answer, else no.
    """
    whole, *verdicts = _relevance_of_answers(question, [" ".join(texts), *texts])
    return [_judge_within(whole, verdict, "idk") for verdict in verdicts]


def relevance_within_passage(question: str, texts: Sequence[str], passage: str) -> list[Relevance]:
    """Judge each statement of a passage: one verdict per statement, in order.

    No statement helps if the score of the passage is below `_MIN_PASSAGE_SCORE`.

    Args:
        question: what is asked.
        texts: all statements of the passage.
        passage: the passage as it was retrieved.
    """
    [whole] = passage_relevance(question, [passage])
    if whole.score < _MIN_PASSAGE_SCORE:
        return [whole] * len(texts)
    return [_judge_within(whole, verdict, "yes") for verdict in passage_relevance(question, texts)]


def _judge_within(whole: Relevance, alone: Relevance, supporting: Literal["yes", "idk"]) -> Relevance:
    """Return the verdict on a statement, from the verdicts on the whole text and on the statement alone."""
    for relevance in (whole, alone):
        if relevance.verdict == "undecided" and not relevance.score:  # not read
            return relevance
    if alone.verdict == "yes":
        return alone
    if whole.verdict == "yes" and alone.score >= _MIN_SUPPORTING_SCORE:
        return Relevance(supporting, alone.score, "the text around it is relevant to the question")
    return alone


def answer_relevance(question: str, answer: str) -> Relevance:
    """Judge an answer as a whole, true or not: is it relevant to the question?"""
    return _relevance_of_answers(question, [answer])[0]


def _relevance_of_answers(question: str, answers: Sequence[str]) -> list[Relevance]:
    question_tokens = [token for sentence in tokens(question) for token in sentence]

    def judge_texts(texts: Sequence[str]) -> list[Relevance]:
        return [
            verdict(line_probability("relevance", *scores), "answer the question")
            for scores in _scores("relevance", question, question_tokens, texts)
        ]

    return judge_each(answers, partial(_why_unread, question, question_tokens), judge_texts)


def _scores(
    task: Literal["relevance", "usefulness"],
    question: str,
    question_tokens: list[WordToken],
    texts: Sequence[str],
) -> Iterator[tuple[float, float]]:
    """Yield the score by words and the encoder's log odds of each text."""
    indexes = [index_evidence([text]) for text in texts]
    for index, encoder_log_odds in zip(
        indexes, log_odds(task, question, question_tokens, indexes), strict=True
    ):
        yield word_relevance(question_tokens, index), encoder_log_odds


def judge_each(
    texts: Sequence[str],
    why_unread: Callable[[str], Relevance | None],
    judge: Callable[[Sequence[str]], list[Relevance]],
) -> list[Relevance]:
    """Return a verdict on each text, in order; the texts that can be judged are read together.

    Args:
        texts: what is judged.
        why_unread: returns the verdict on a text that is not read, or None if it is read.
        judge: returns the verdicts on the texts that are read, in order.
    """
    unread = {text: why_unread(text) for text in texts}
    readable = [text for text, verdict in unread.items() if verdict is None]
    judged = dict(zip(readable, judge(readable), strict=True))
    return [unread[text] or judged[text] for text in texts]


def _why_unread(question: str, question_tokens: list[WordToken], answer: str) -> Relevance | None:
    """Return the verdict on an answer that is not read, or None if it is read."""
    if len(question_tokens) > MAX_WORDS:
        return Relevance("undecided", 0.0, TOO_LONG_REASON)
    if reason := why_not_judged(count_words(question), count_words(answer)):
        return Relevance("undecided", 0.0, reason)
    return None if index_evidence([answer]).tokens else Relevance("no", 0.0, "it has no words")


def verdict(score: float, what: str, min_yes: float = MIN_YES) -> Relevance:
    """Return the verdict of a score; `what` completes "it does" and "it does not"."""
    if score >= min_yes:
        return Relevance("yes", score, f"it does {what}")
    if score <= 1 - min_yes:
        return Relevance("no", score, f"it does not {what}")
    return Relevance("undecided", score, f"too close to call, {score:.0%} likely to {what}")


def passage_relevance(question: str, passages: Sequence[str]) -> list[Relevance]:
    """Judge each passage as a whole: does it help to answer the question? Each independent of the other passages."""
    question_tokens = list(chain.from_iterable(tokens(question)))
    if len(question_tokens) > MAX_WORDS:
        return [Relevance("undecided", 0.0, TOO_LONG_REASON) for _ in passages]
    question_words = count_words(question)

    def judge_texts(texts: Sequence[str]) -> list[Relevance]:
        return [
            verdict(line_probability("passage", *scores), "help to answer the question", _MIN_HELPFUL)
            for scores in _scores("usefulness", question, question_tokens, texts)
        ]

    return judge_each(passages, partial(unread_verdict, question_words), judge_texts)


def unread_verdict(question_words: WordCount, passage: str) -> Relevance | None:
    """Return the verdict on a passage in a language that is not judged; None on any other."""
    reason = why_not_judged(question_words, count_words(passage))
    return Relevance("undecided", 0.0, reason) if reason else None


def log_odds(
    task: Literal["relevance", "usefulness"],
    question: str,
    question_tokens: list[WordToken],
    indexes: Sequence[EvidenceIndex],
) -> list[float]:
    """Return the encoder's log odds that each text fits the question, or the part of it that the text fits best.

    Args:
        task: "relevance" of an answer, "usefulness" of a passage.
        question: what is asked.
        question_tokens: the tokens of the question.
        indexes: the index of each text.
    """
    questions = [
        question,
        *(question[part[0].start : part[-1].end] for part in question_parts(question_tokens)),
    ]
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
    score = (
        _OVERLAP_WEIGHT * alignment.soft_share["3"]
        + _COSINE_WEIGHT * max(alignment.cosine, 0.0)
        + _ANSWER_KIND_WEIGHT * kind_score * alignment.soft_share["doc"]
    )
    return min(score, 1.0)


def question_parts(question_tokens: list[WordToken]) -> list[list[WordToken]]:
    """Return the parts of a question that "and", "or" or "but" joins, if each can be judged alone; else none."""
    cuts = [
        i
        for i, token in enumerate(question_tokens)
        if token.norm in _CONJUNCTIONS
        and i + 1 < len(question_tokens)
        and _opens_question(question_tokens[i + 1])
    ]
    edges = [0, *cuts, len(question_tokens)]
    parts = [question_tokens[start:end] for start, end in pairwise(edges)]
    if len(parts) < 2 or any(sum(map(is_content_word, part)) < _MIN_CONTENT_WORDS for part in parts):  # noqa: PLR2004
        return []
    return parts


def _opens_question(token: WordToken) -> bool:
    return token.norm in VERBS or token.norm in QUESTION_WORDS


def expected_answer_kind(question_tokens: Sequence[WordToken]) -> str | None:
    """Return the kind of answer a question asks for: "number", "date", "name" or None for anything."""
    words = [token.norm for token in question_tokens]
    for first, second in zip(words, [*words[1:], ""], strict=True):
        if first == "how" and second in {
            "many",
            "much",
            "long",
            "old",
            "far",
            "tall",
            "high",
            "big",
            "large",
        }:
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
        return any(token.is_capitalised and not token.starts_sentence for token in new_tokens) or bool(
            evidence.names
        )
    return any(token.is_number or (kind == "date" and token.norm in MONTHS) for token in new_tokens)
