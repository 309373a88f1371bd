"""The decision on a statement: contradicted, not mentioned or supported.

Two logistic regressions over the scores of the word features and the encoder's outputs for the statement's sentences.
The first gives the chance that the statement is supported; the second gives, for one that is not, the chance that the
evidence contradicts it. They are fitted on evidence that neither words nor encoder had seen, once for evidence of at
most `SHORT_EVIDENCE` tokens and once for longer, of which the encoder reads the sentences nearest to the statement.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ragstone.judges.local.model.weights import MOST_LOG_ODDS, chance

SHORT_EVIDENCE = 90
"""Tokens of evidence up to which the encoder reads all of it."""

Values = NDArray[np.float64]


class Chances(NamedTuple):
    """The chance of each verdict; they sum to 1."""

    contradicted: float
    not_mentioned: float
    supported: float


class StatementScores(NamedTuple):
    """The scores of a statement beside its evidence.

    Attributes:
        words: score of the word features for support.
        conflict: score of the word features for a contradiction.
        supported: log odds of support by the encoder, of the sentence it doubts most.
        contradicted: log odds of a contradiction by the encoder, where they are highest.
        not_mentioned: log odds by the encoder that the evidence says nothing, of the sentence it doubts most.
        clause_supported: log odds of support by the encoder, of the clause it doubts most, read alone.
        clause_not_mentioned: log odds by the encoder that the evidence says nothing of a clause, at their highest.
    """

    words: float
    conflict: float
    supported: float
    contradicted: float
    not_mentioned: float
    clause_supported: float
    clause_not_mentioned: float

    @property
    def for_support(self) -> tuple[float, ...]:
        """The features of the regression for support; the last is 0 for a statement of one clause."""
        return (
            self.words,
            self.supported,
            self.contradicted,
            _difference(self.clause_supported, self.supported),
        )

    @property
    def for_contradiction(self) -> tuple[float, ...]:
        """The features of the regression for a contradiction; the last is 0 for a statement of one clause."""
        return (
            self.conflict,
            self.contradicted,
            self.not_mentioned,
            _difference(self.clause_not_mentioned, self.not_mentioned),
        )


def _difference(odds: float, others: float) -> float:
    """Return the difference of two log odds, each bounded as in `chance`."""
    return min(max(odds, -MOST_LOG_ODDS), MOST_LOG_ODDS) - min(max(others, -MOST_LOG_ODDS), MOST_LOG_ODDS)


def summarise_outputs(
    sentences: Sequence[tuple[float, ...]], clauses: Sequence[tuple[float, ...]]
) -> tuple[float, float, float, float, float]:
    """Return the encoder's log odds for a statement, in the order of `StatementScores`.

    Args:
        sentences: the three outputs for each of its sentences.
        clauses: the same for each of its clauses; a sentence of one clause is that clause.
    """
    whole, parts = (log_odds(outputs) for outputs in (sentences, clauses))
    worst = int(whole[:, 2].argmin())
    return (
        float(whole[worst, 2]),
        float(whole[:, 0].max()),
        float(whole[worst, 1]),
        float(parts[:, 2].min()),
        float(parts[:, 1].max()),
    )


def log_odds(outputs: Sequence[tuple[float, ...]]) -> Values:
    """Return the log odds of each verdict against the two others, shape (texts, 3)."""
    table = np.array(outputs, np.float64)
    others = np.stack([np.delete(table, k, axis=1) for k in range(3)])
    return table - np.logaddexp(others[..., 0], others[..., 1]).T


def decide(found: StatementScores, *, short: bool) -> Chances:
    """Return the chances of the three verdicts beside short evidence or longer evidence."""
    size = "short" if short else "long"
    supported = chance(f"{size}_support", *found.for_support)
    against = chance(f"{size}_contradiction", *found.for_contradiction)
    return Chances((1 - supported) * against, (1 - supported) * (1 - against), supported)
