"""The decision on a statement: contradicted, not mentioned or supported.

Two logistic regressions over the scores of the word features and the encoder's outputs for the statement's sentences.
The first gives the probability that the statement is supported. The second gives the probability that the evidence
contradicts it, if it is not supported. They are fitted on evidence that was used to train neither the word features nor
the encoder: once for evidence of at most `MAX_SHORT_EVIDENCE` tokens, and once for longer evidence, of which the
encoder reads the sentences nearest to the statement.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ragstone.judges.local.model.weights import MAX_LOG_ODDS, line_probability

MAX_SHORT_EVIDENCE = 90
"""Maximum number of tokens of short evidence; short and longer evidence have regressions of their own."""

Values = NDArray[np.float64]


class VerdictProbabilities(NamedTuple):
    """The probability of each verdict; they sum to 1."""

    contradicted: float
    not_mentioned: float
    supported: float


class StatementScores(NamedTuple):
    """The scores of a statement with its evidence.

    The log odds are those of the encoder.

    Attributes:
        word_score: score of the word features for support.
        conflict_score: score of the word features for a contradiction.
        supported: log odds of support, for the least supported sentence.
        contradicted: log odds of a contradiction, the maximum over the sentences.
        not_mentioned: log odds that the evidence says nothing about it, for the least supported sentence.
        clause_supported: log odds of support, for the least supported clause, read alone.
        clause_not_mentioned: log odds that the evidence says nothing about a clause, the maximum over the clauses.
    """

    word_score: float
    conflict_score: float
    supported: float
    contradicted: float
    not_mentioned: float
    clause_supported: float
    clause_not_mentioned: float

    @property
    def for_support(self) -> tuple[float, ...]:
        """Features of the regression for support; the last is 0 for a statement of one clause."""
        return (
            self.word_score,
            self.supported,
            self.contradicted,
            _bounded_difference(self.clause_supported, self.supported),
        )

    @property
    def for_contradiction(self) -> tuple[float, ...]:
        """Features of the regression for a contradiction; the last is 0 for a statement of one clause."""
        return (
            self.conflict_score,
            self.contradicted,
            self.not_mentioned,
            _bounded_difference(self.clause_not_mentioned, self.not_mentioned),
        )


def _bounded_difference(first: float, second: float) -> float:
    """Return the difference of two log odds, each clipped as in `line_probability`."""
    return min(max(first, -MAX_LOG_ODDS), MAX_LOG_ODDS) - min(max(second, -MAX_LOG_ODDS), MAX_LOG_ODDS)


def summarise_outputs(
    sentences: Sequence[tuple[float, ...]], clauses: Sequence[tuple[float, ...]]
) -> tuple[float, float, float, float, float]:
    """Return the encoder's log odds for a statement, in the order of `StatementScores`.

    Args:
        sentences: the three outputs for each of its sentences.
        clauses: the same for each of its clauses; a sentence of one clause counts as that clause.
    """
    sentence_log_odds, clause_log_odds = (log_odds(outputs) for outputs in (sentences, clauses))
    least_supported = int(sentence_log_odds[:, 2].argmin())
    return (
        float(sentence_log_odds[least_supported, 2]),
        float(sentence_log_odds[:, 0].max()),
        float(sentence_log_odds[least_supported, 1]),
        float(clause_log_odds[:, 2].min()),
        float(clause_log_odds[:, 1].max()),
    )


def log_odds(outputs: Sequence[tuple[float, ...]]) -> Values:
    """Return the log odds of each verdict versus the two others, shape (texts, 3)."""
    table = np.array(outputs, np.float64)
    other_outputs = np.stack([np.delete(table, k, axis=1) for k in range(3)])
    return table - np.logaddexp(other_outputs[..., 0], other_outputs[..., 1]).T


def decide(scores: StatementScores, *, short: bool) -> VerdictProbabilities:
    """Return the probabilities of the three verdicts, with short or longer evidence."""
    length = "short" if short else "long"
    supported = line_probability(f"{length}_support", *scores.for_support)
    contradicted = line_probability(f"{length}_contradiction", *scores.for_contradiction)
    return VerdictProbabilities(
        (1 - supported) * contradicted, (1 - supported) * (1 - contradicted), supported
    )
