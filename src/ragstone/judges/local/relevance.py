"""Relevance: does a text help with a question?

By words, untrained: the weight of the question's telling words that the text has or nearly has, blended with the cosine
of their mean vectors, raised where the text holds the kind of answer that the question asks for (a number, a date, a
name). Of a question that asks two things a text may answer either: the part it fits better counts as much as the whole.

An answer of one statement is read by meaning besides: "Shakespeare." answers "Who wrote Hamlet?" without a word of it,
and a refusal that repeats the question does not. A small encoder, trained on judgements that were written for this
project, reads question and answer together; a line over both gives the chance that a reader says yes. Whole
passages are decided likewise. What it has not learnt from, single statements of passages and of long answers, it does
not judge.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import Literal

from ragstone.judges.local.matching.alignment import MOST_WORDS, TOO_LONG, align, reading_window, telling
from ragstone.judges.local.matching.evidence_index import EvidenceIndex, index_evidence
from ragstone.judges.local.model.encoder import read_pair
from ragstone.judges.local.model.weights import MOST, UNSURE, YES, chance, threshold
from ragstone.judges.local.text.languages import count_words, why_not_judged
from ragstone.judges.local.text.lexicon import MONTHS, QUESTION_WORDS, VERBS
from ragstone.judges.local.text.tokens import WordToken, tokens

_SOFT, _COSINE, _KIND = 0.5, 0.35, 0.15
_LEAST = 3
"""Telling words without which a part of a question asks nothing that could be looked for."""
_JOINTS = frozenset(("and", "or", "but"))


@dataclass(frozen=True, slots=True)
class Relevance:
    """The verdict on one text.

    Attributes:
        verdict: yes (relevant), no (irrelevant) or idk (between, or in a script or language that is not judged).
        score: 0 (nothing to do with the question) to 1; of a statement of an answer the chance that a reader says yes.
        reason: why, in a few words.
    """

    verdict: Literal["yes", "no", "idk"]
    score: float
    reason: str


def relevance(
    question: str, texts: Sequence[str], surroundings: Sequence[str] = (), own: float = 0.33
) -> list[Relevance]:
    """Judge each text against the question: one verdict per text, in order, each independent of the other texts.

    Args:
        question: what is asked.
        texts: statements or passages.
        surroundings: for each text the passage or answer that it stands in, if any: a statement such as "It
            is 330 metres long" is as much to the point as what surrounds it.
        own: share of the score that a text's own words decide where its surroundings are known.
    """
    row = [token for sentence in tokens(question) for token in sentence]
    if len(row) > MOST_WORDS:
        return [Relevance("idk", 0.0, TOO_LONG) for _ in texts]
    around = surroundings or [""] * len(texts)
    wider = {text: measure(row, index_evidence([text]))[0] for text in dict.fromkeys(around) if text}
    asked = count_words(question)
    return [
        Relevance("idk", 0.0, reason)
        if (reason := why_not_judged(asked, count_words(text)))
        else _judge(row, text, wider.get(whole), own)
        for text, whole in zip(texts, around, strict=True)
    ]


def _judge(row: list[WordToken], text: str, wider: float | None, own: float) -> Relevance:
    score, lacking = measure(row, index_evidence([text]))
    if wider is not None:
        score = max(score, own * score + (1 - own) * wider)
    if score >= threshold("relevant"):
        return Relevance("yes", score, "it speaks of what the question asks")
    missing = ", ".join(f'"{word}"' for word in lacking[:4])
    reason = f"it lacks {missing}" if missing else "it shares little with the question"
    return Relevance("idk" if score >= threshold("irrelevant") else "no", score, reason)


def answer_relevance(question: str, answer: str) -> Relevance:
    """Judge an answer as a whole, true or not: does it speak to the question?"""
    row = [token for sentence in tokens(question) for token in sentence]
    if len(row) > MOST_WORDS:
        return Relevance("idk", 0.0, TOO_LONG)
    if reason := why_not_judged(count_words(question), count_words(answer)):
        return Relevance("idk", 0.0, reason)
    evidence = index_evidence([answer])
    found = align(row, evidence)
    if found is None:
        return Relevance("no", 0.0, "it has no words")
    read = read_pair("relevance", "", question, reading_window(found, evidence))[0]
    score = chance("relevance", measure(row, evidence)[0], read)
    if score >= YES:
        return Relevance("yes", score, "it speaks to what is asked")
    return Relevance("idk" if score >= UNSURE else "no", score, "it does not speak to what is asked")


def passage_relevance(question: str, passages: Sequence[str]) -> list[Relevance]:
    """Judge each passage as a whole: does it help to answer the question? Each independent of the other passages."""
    row = list(chain.from_iterable(tokens(question)))
    if len(row) > MOST_WORDS:
        return [Relevance("idk", 0.0, TOO_LONG) for _ in passages]
    asked = count_words(question)
    return [
        Relevance("idk", 0.0, reason)
        if (reason := why_not_judged(asked, count_words(text)))
        else _judge_passage(row, question, text)
        for text in passages
    ]


def _judge_passage(row: list[WordToken], question: str, text: str) -> Relevance:
    evidence = index_evidence([text])
    score = chance("passage", measure(row, evidence)[0], passage_log_odds(row, question, evidence))
    if score >= YES:
        return Relevance("yes", score, "it helps to answer the question")
    return Relevance("idk" if score >= UNSURE else "no", score, "it does not help to answer the question")


def passage_log_odds(row: list[WordToken], question: str, evidence: EvidenceIndex) -> float:
    """Return by the encoder the log odds that a passage helps with a question, whose tokens are given."""
    found = align(row, evidence)
    if found is None:
        return -MOST
    return read_pair("usefulness", "", question, reading_window(found, evidence))[0]


def measure(row: list[WordToken], evidence: EvidenceIndex) -> tuple[float, list[str]]:
    """Return the score of a question's tokens against one analysed text, and the telling words the text lacks."""
    score, lacking = _measure(row, evidence)
    if pieces := parts(row):
        score = (score + max(_measure(piece, evidence)[0] for piece in pieces)) / 2
    return score, lacking


def _measure(row: list[WordToken], evidence: EvidenceIndex) -> tuple[float, list[str]]:
    found = align(row, evidence)
    if found is None:
        return 0.0, []
    kind = wanted(row)
    fits = 1.0 if kind is None else float(_holds(kind, found.row, evidence))
    score = _SOFT * found.soft["3"] + _COSINE * max(found.cosine, 0.0) + _KIND * fits * found.soft["doc"]
    lacking = [t.word for t, best in zip(found.content, found.best, strict=True) if best < 1 / 2]
    return min(score, 1.0), lacking


def parts(row: list[WordToken]) -> list[list[WordToken]]:
    """Return the questions that "and" joins in one, where each asks enough to stand alone; else nothing."""
    cuts = [
        i for i, token in enumerate(row) if token.norm in _JOINTS and i + 1 < len(row) and _asks(row[i + 1])
    ]
    edges = [0, *cuts, len(row)]
    pieces = [row[start:end] for start, end in pairwise(edges)]
    if len(pieces) < 2 or any(sum(map(telling, piece)) < _LEAST for piece in pieces):  # noqa: PLR2004
        return []
    return pieces


def _asks(token: WordToken) -> bool:
    return token.norm in VERBS or token.norm in QUESTION_WORDS


def wanted(row: Sequence[WordToken]) -> str | None:
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
        return any(token.capital and not token.first for token in fresh) or bool(evidence.names)
    return any(token.number or (kind == "date" and token.norm in MONTHS) for token in fresh)
