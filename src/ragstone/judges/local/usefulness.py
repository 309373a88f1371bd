"""Usefulness: whether a passage helps to arrive at the expected output.

A passage is useful when it supports a part of the expected output that answers the question. Score by words: for each
statement of the expected output the weight share of its words that the passage has, with less weight for those that the
question has too. Score by meaning: a small encoder reads question and passage together. A logistic regression over both
gives the chance that a reader finds the passage helpful; a passage with nearly all words of the expected output is.
"""

from collections.abc import Sequence
from functools import lru_cache, partial
from itertools import chain

from ragstone.judges.local.judgement import Judgement, not_judged
from ragstone.judges.local.matching.alignment import MAX_SENTENCE_TOKENS, MAX_WORDS, TOO_LONG_REASON, align
from ragstone.judges.local.matching.evidence_index import EvidenceIndex, index_evidence, split_sentence
from ragstone.judges.local.model.weights import line_probability
from ragstone.judges.local.relevance import judge_each, log_odds, unread_verdict, verdict, word_relevance
from ragstone.judges.local.statements import statements
from ragstone.text.languages import count_words
from ragstone.text.tokens import WordToken, tokens

_EXPECTED_OUTPUT_WEIGHT = 0.7
"""Weight of the expected output in the score by words; the question has the rest."""
MIN_FULL_MATCH_SCORE = 0.8
"""Score by words from which on a passage has the expected output, whatever the encoder says."""


def usefulness(question: str, expected_output: str, passages: Sequence[str]) -> list[Judgement]:
    """Judge each passage: one verdict per passage, in order, each independent of the other passages."""
    question_tokens = list(chain.from_iterable(tokens(question)))
    if len(question_tokens) > MAX_WORDS:
        return [not_judged(TOO_LONG_REASON)] * len(passages)
    task_words = count_words(question, expected_output)

    def judge_texts(texts: Sequence[str]) -> list[Judgement]:
        indexes = [index_evidence([text]) for text in texts]
        read = log_odds("usefulness", question, question_tokens, indexes)
        by_words = [word_score(question, expected_output, text) for text in texts]
        chances = (line_probability("usefulness", *scores) for scores in zip(by_words, read, strict=True))
        full_match = (score if score >= MIN_FULL_MATCH_SCORE else 0.0 for score in by_words)
        return [
            verdict(score, "hold what the expected output says") for score in map(max, chances, full_match)
        ]

    return judge_each(passages, partial(unread_verdict, task_words), judge_texts)


def word_score(question: str, expected_output: str, text: str) -> float:
    """Return the share of the expected output and of the question that a passage has, by words, 0 to 1."""
    question_tokens, parts = _analyse(question, expected_output)
    question_stems = {token.stem for token in question_tokens}
    evidence = index_evidence([text])
    best = max((_part_score(part, question_stems, evidence) for part in parts), default=0.0)
    relevance = word_relevance(question_tokens, evidence)
    return _EXPECTED_OUTPUT_WEIGHT * best + (1 - _EXPECTED_OUTPUT_WEIGHT) * relevance


@lru_cache(maxsize=64)
def _analyse(question: str, expected_output: str) -> tuple[list[WordToken], list[list[WordToken]]]:
    rows = (list(chain.from_iterable(tokens(statement.text))) for statement in statements(expected_output))
    parts = [piece for row in rows for piece in split_sentence(row, MAX_SENTENCE_TOKENS)]
    return list(chain.from_iterable(tokens(question))), parts


def _part_score(part: list[WordToken], question_stems: set[str], evidence: EvidenceIndex) -> float:
    """Return the weight share of one statement that the passage has; words that the question lacks count more."""
    new_alignment = align([token for token in part if token.stem not in question_stems], evidence)
    alignment = align(part, evidence)
    if alignment is None:
        return 0.0
    share = alignment.soft_share["3"]
    return share if new_alignment is None else (new_alignment.soft_share["3"] + share) / 2
