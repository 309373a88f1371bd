"""Relevance: does a text help with a question?

By words, untrained: the weight of the question's content words that the text has or nearly has, blended with the cosine
of their mean vectors, raised where the text holds the kind of answer that the question asks for (a number, a date, a
name). Of a question that asks two things a text may answer either: the part it fits better counts as much as the whole.

By meaning: "Shakespeare." answers "Who wrote Hamlet?" without a word of it, and a refusal that repeats the question
does not. A small encoder, trained on judgements that were written for this project, reads question and text together. A
logistic regression over both gives the chance that a reader says yes, one for answers and one for passages.

A statement is judged alone and as a part of its text: "It is 330 metres long" is hardly relevant to a question alone,
but belongs to a relevant answer.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain, islice, pairwise
from typing import Literal

from ragstone.judges.local.matching.alignment import (
    MOST_WORDS,
    TOO_LONG,
    align,
    is_content_word,
    reading_window,
)
from ragstone.judges.local.matching.evidence_index import EvidenceIndex, index_evidence
from ragstone.judges.local.model.encoder import TextPair, read_pairs
from ragstone.judges.local.model.weights import MOST_LOG_ODDS, UNSURE, YES, chance
from ragstone.judges.local.text.languages import WordCount, count_words, why_not_judged
from ragstone.judges.local.text.lexicon import MONTHS, QUESTION_WORDS, VERBS
from ragstone.judges.local.text.tokens import WordToken, tokens

_SOFT, _COSINE, _KIND = 0.5, 0.35, 0.15
_LEAST = 3
"""Fewest content words of a part of a question that can be judged alone."""
_JOINTS = frozenset(("and", "or", "but"))
_NOTHING = 0.1
"""Score of a passage below which no statement of it is read.

Of 191 statements of the demo's passages that help by themselves none stands in such a passage.
"""
_SUPPORTING = 0.2
"""Own score from which on a statement supports the text around it, if that text is relevant to the question."""


@dataclass(frozen=True, slots=True)
class Relevance:
    """The verdict on one text.

    Attributes:
        verdict: yes (relevant), no (irrelevant) or idk (between, or in a script or language that is not judged).
        score: the chance that a reader says yes, 0 to 1; 0 where nothing was judged.
        reason: why, in a few words.
    """

    verdict: Literal["yes", "no", "idk"]
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
    whole, *found = _relevance_of_answers(question, [" ".join(texts), *texts])
    return [_within(whole, own, "idk") for own in found]


def relevance_within_passage(question: str, texts: Sequence[str], passage: str) -> list[Relevance]:
    """Judge each statement of a passage: one verdict per statement, in order.

    No statement helps if the passage surely does not.

    Args:
        question: what is asked.
        texts: all statements of the passage.
        passage: the passage as it was retrieved.
    """
    [whole] = passage_relevance(question, [passage])
    if whole.score < _NOTHING:
        return [whole] * len(texts)
    return [_within(whole, found, "yes") for found in passage_relevance(question, texts)]


def _within(whole: Relevance, own: Relevance, supporting: Literal["yes", "idk"]) -> Relevance:
    """Return the verdict on a statement, from the verdicts on the whole text and on the statement alone."""
    for found in (whole, own):
        if found.verdict == "idk" and not found.score:  # not judged
            return found
    if own.verdict == "yes":
        return own
    if whole.verdict == "yes" and own.score >= _SUPPORTING:
        return Relevance(supporting, own.score, "the text around it is relevant to the question")
    return Relevance("no", own.score, own.reason)


def answer_relevance(question: str, answer: str) -> Relevance:
    """Judge an answer as a whole, true or not: is it relevant to the question?"""
    return _relevance_of_answers(question, [answer])[0]


def _relevance_of_answers(question: str, answers: Sequence[str]) -> list[Relevance]:
    row = [token for sentence in tokens(question) for token in sentence]

    def read(texts: Sequence[str]) -> list[Relevance]:
        return [_answered(chance("relevance", *odds)) for odds in _scores("relevance", question, row, texts)]

    return judge_each(answers, partial(_why_unread, question, row), read)


def _scores(
    task: Literal["relevance", "usefulness"], question: str, row: list[WordToken], texts: Sequence[str]
) -> Iterator[tuple[float, float]]:
    """Yield the score by words and the log odds by the encoder of each text."""
    evidence = [index_evidence([text]) for text in texts]
    for text, read in zip(evidence, log_odds(task, question, row, evidence), strict=True):
        yield word_relevance(row, text), read


def judge_each(
    texts: Sequence[str],
    why_unread: Callable[[str], Relevance | None],
    read: Callable[[Sequence[str]], list[Relevance]],
) -> list[Relevance]:
    """Return a verdict on each text, in order; the texts that can be judged are read together.

    Args:
        texts: what is judged.
        why_unread: returns the verdict on a text that is not read, None for one that is.
        read: returns the verdicts on texts that are.
    """
    unread = {text: why_unread(text) for text in texts}
    wanted = [text for text, found in unread.items() if found is None]
    judged = dict(zip(wanted, read(wanted), strict=True))
    return [unread[text] or judged[text] for text in texts]


def _why_unread(question: str, row: list[WordToken], answer: str) -> Relevance | None:
    """Return the verdict on an answer that is not read; None where it is."""
    if len(row) > MOST_WORDS:
        return Relevance("idk", 0.0, TOO_LONG)
    if reason := why_not_judged(count_words(question), count_words(answer)):
        return Relevance("idk", 0.0, reason)
    return None if index_evidence([answer]).tokens else Relevance("no", 0.0, "it has no words")


def _answered(score: float) -> Relevance:
    if score >= YES:
        return Relevance("yes", score, "it is relevant to the question")
    return Relevance("idk" if score >= UNSURE else "no", score, "it is not relevant to the question")


def passage_relevance(question: str, passages: Sequence[str]) -> list[Relevance]:
    """Judge each passage as a whole: does it help to answer the question? Each independent of the other passages."""
    row = list(chain.from_iterable(tokens(question)))
    if len(row) > MOST_WORDS:
        return [Relevance("idk", 0.0, TOO_LONG) for _ in passages]
    asked = count_words(question)

    def read(texts: Sequence[str]) -> list[Relevance]:
        return [_helpful(chance("passage", *odds)) for odds in _scores("usefulness", question, row, texts)]

    return judge_each(passages, partial(why_passage_unread, asked), read)


def why_passage_unread(asked: WordCount, passage: str) -> Relevance | None:
    """Return the verdict on a passage in a language that is not judged; None on any other."""
    reason = why_not_judged(asked, count_words(passage))
    return Relevance("idk", 0.0, reason) if reason else None


def _helpful(score: float) -> Relevance:
    if score >= YES:
        return Relevance("yes", score, "it helps to answer the question")
    return Relevance("idk" if score >= UNSURE else "no", score, "it does not help to answer the question")


def log_odds(
    task: Literal["relevance", "usefulness"],
    question: str,
    row: list[WordToken],
    texts: Sequence[EvidenceIndex],
) -> list[float]:
    """Return the encoder's log odds that each text fits the question, or the part of it that the text fits best.

    Args:
        task: "relevance" of an answer, "usefulness" of a passage.
        question: what is asked.
        row: the tokens of the question.
        texts: the analysed texts.
    """
    asked = [question, *(question[part[0].start : part[-1].end] for part in question_parts(row))]
    aligned = [align(row, text) for text in texts]
    windows = [reading_window(found, text) for found, text in zip(aligned, texts, strict=True) if found]
    outputs = iter(read_pairs(task, [TextPair("", text, window) for window in windows for text in asked]))
    return [
        max(odds for (odds,) in islice(outputs, len(asked))) if found else -MOST_LOG_ODDS for found in aligned
    ]


def word_relevance(row: list[WordToken], evidence: EvidenceIndex) -> float:
    """Return the score by words of one analysed text for a question's tokens, 0 to 1."""
    score = _measure(row, evidence)
    if pieces := question_parts(row):
        score = (score + max(_measure(piece, evidence) for piece in pieces)) / 2
    return score


def _measure(row: list[WordToken], evidence: EvidenceIndex) -> float:
    found = align(row, evidence)
    if found is None:
        return 0.0
    kind = asked_kind(row)
    fits = 1.0 if kind is None else float(_holds(kind, found.tokens, evidence))
    score = (
        _SOFT * found.soft_share["3"]
        + _COSINE * max(found.cosine, 0.0)
        + _KIND * fits * found.soft_share["doc"]
    )
    return min(score, 1.0)


def question_parts(row: list[WordToken]) -> list[list[WordToken]]:
    """Return the parts of a question that "and", "or" or "but" joins, if each can be judged alone; else nothing."""
    cuts = [
        i for i, token in enumerate(row) if token.norm in _JOINTS and i + 1 < len(row) and _asks(row[i + 1])
    ]
    edges = [0, *cuts, len(row)]
    pieces = [row[start:end] for start, end in pairwise(edges)]
    if len(pieces) < 2 or any(sum(map(is_content_word, piece)) < _LEAST for piece in pieces):  # noqa: PLR2004
        return []
    return pieces


def _asks(token: WordToken) -> bool:
    return token.norm in VERBS or token.norm in QUESTION_WORDS


def asked_kind(row: Sequence[WordToken]) -> str | None:
    """Return the kind of answer a question asks for: "number", "date", "name" or None for anything."""
    words = [token.norm for token in row]
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


def _holds(kind: str, row: Sequence[WordToken], evidence: EvidenceIndex) -> bool:
    asked = {token.stem for token in row}
    fresh = [token for token in evidence.tokens if token.stem not in asked]
    if kind == "name":
        return any(token.is_capitalised and not token.starts_sentence for token in fresh) or bool(
            evidence.names
        )
    return any(token.is_number or (kind == "date" and token.norm in MONTHS) for token in fresh)
