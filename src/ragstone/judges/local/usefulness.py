"""Usefulness: whether a passage helps to arrive at the expected output.

A passage is useful when it supports a part of the expected output that answers the question. By words: for each
statement of the expected output the weight of its words that the passage has, discounted by those that the
question has already. By meaning: a small encoder reads question and passage together. A logistic regression over both
gives the chance that a reader finds the passage helpful; a passage with nearly all words of the expected output is.
"""

from collections.abc import Sequence
from functools import lru_cache, partial
from itertools import chain

from ragstone.judges.local.matching.alignment import MOST_WORDS, TOO_LONG, align, sentence_pieces
from ragstone.judges.local.matching.evidence_index import EvidenceIndex, index_evidence
from ragstone.judges.local.model.weights import UNSURE, YES, chance
from ragstone.judges.local.relevance import (
    Relevance,
    judge_each,
    log_odds,
    why_passage_unread,
    word_relevance,
)
from ragstone.judges.local.statements import statements
from ragstone.judges.local.text.languages import count_words
from ragstone.judges.local.text.tokens import WordToken, tokens

_ANSWER = 0.7
"""Share of the score by words that the expected output decides; the question decides the rest."""
HELD = 0.8
"""Score by words from which on a passage holds the expected output, whatever the encoder reads."""


def usefulness(question: str, expected_output: str, passages: Sequence[str]) -> list[Relevance]:
    """Judge each passage: one verdict per passage, in order, each independent of the other passages."""
    asked = list(chain.from_iterable(tokens(question)))
    if len(asked) > MOST_WORDS:
        return [Relevance("idk", 0.0, TOO_LONG) for _ in passages]
    sought = count_words(question, expected_output)

    def read(texts: Sequence[str]) -> list[Relevance]:
        odds = log_odds("usefulness", question, asked, [index_evidence([text]) for text in texts])
        return [
            _verdict(_score(words_score(question, expected_output, text), read_odds))
            for text, read_odds in zip(texts, odds, strict=True)
        ]

    return judge_each(passages, partial(why_passage_unread, sought), read)


def _score(words: float, read: float) -> float:
    return max(chance("usefulness", words, read), words if words >= HELD else 0.0)


def _verdict(score: float) -> Relevance:
    if score >= YES:
        return Relevance("yes", score, "it holds what the expected output says")
    if score >= UNSURE:
        return Relevance("idk", score, "it holds a part of what the expected output says")
    return Relevance("no", score, "it does not hold what the expected output says")


def words_score(question: str, expected_output: str, text: str) -> float:
    """Return the share of the expected output and of the question that a passage has, by words, 0 to 1."""
    asked, parts = _analysed(question, expected_output)
    known = {token.stem for token in asked}
    evidence = index_evidence([text])
    helped = max((_helped(part, known, evidence) for part in parts), default=0.0)
    return _ANSWER * helped + (1 - _ANSWER) * word_relevance(asked, evidence)


@lru_cache(maxsize=64)
def _analysed(question: str, expected_output: str) -> tuple[list[WordToken], list[list[WordToken]]]:
    """Return the tokens of a question, and those of each statement of the expected output."""
    rows = (list(chain.from_iterable(tokens(part.text))) for part in statements(expected_output))
    return list(chain.from_iterable(tokens(question))), [
        piece for row in rows for piece in sentence_pieces(row)
    ]


def _helped(part: list[WordToken], known: set[str], evidence: EvidenceIndex) -> float:
    """Return how much of one statement the passage has, with more weight on words that the question lacks."""
    fresh = [token for token in part if token.stem not in known]
    new = align(fresh, evidence) if fresh else None
    whole = align(part, evidence)
    if whole is None:
        return 0.0
    return whole.soft_share["3"] if new is None else (new.soft_share["3"] + whole.soft_share["3"]) / 2
