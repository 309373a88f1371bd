"""The decision on a statement: contradicted, not mentioned, supported, or undecided.

Two logistic regressions over the encoder's outputs for the statement's sentences and clauses. The first gives the
probability that the statement is supported. The second gives the probability that the evidence contradicts it, if it is
not supported. A verdict is given within bands in which it was right nine times in ten, on writers and sets on which the
regressions were not fitted; outside of them the judge cannot tell. There is one of each for evidence of at most
`MAX_SHORT_EVIDENCE` tokens, and one for longer evidence, of which the encoder reads the sentences nearest to the
statement.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ragstone.judges.local.model.weights import clipped, line_probability
from ragstone.verdict import VerdictValue

MAX_SHORT_EVIDENCE = 90
"""Maximum number of tokens of short evidence; short and longer evidence have regressions and bands of their own."""

Values = NDArray[np.float64]


class Band(NamedTuple):
    """Least probability of support for yes, of a contradiction for no, and most of support for idk."""

    supported: float
    contradicted: float
    unsupported: float


BANDS = {"short": Band(0.78, 0.7, 0.3), "long": Band(0.9, 0.7, 0.2)}
"""The band for each size of evidence, measured by `python -m training.bands`."""


class VerdictProbabilities(NamedTuple):
    """The probability of each verdict; they sum to 1."""

    contradicted: float
    not_mentioned: float
    supported: float


class StatementScores(NamedTuple):
    """The encoder's log odds for a statement and its evidence.

    `supported` and `not_mentioned` are those of its least supported sentence, `contradicted` the greatest of all; those
    of clauses, read alone, are the least and the greatest.
    """

    supported: float
    contradicted: float
    not_mentioned: float
    clause_supported: float
    clause_not_mentioned: float

    @property
    def for_support(self) -> tuple[float, ...]:
        """Features of the regression for support; the last is 0 for a statement of one clause."""
        return self.supported, self.contradicted, clipped(self.clause_supported) - clipped(self.supported)

    @property
    def for_contradiction(self) -> tuple[float, ...]:
        """Features of the regression for a contradiction; the last is 0 for a statement of one clause."""
        clause = clipped(self.clause_not_mentioned) - clipped(self.not_mentioned)
        return self.contradicted, self.not_mentioned, clause


def summarise_outputs(
    sentences: Sequence[tuple[float, ...]], clauses: Sequence[tuple[float, ...]]
) -> StatementScores:
    """Return the encoder's log odds for a statement, from the three outputs for each of its sentences and clauses.

    A sentence of one clause counts as that clause.
    """
    sentence_log_odds, clause_log_odds = (log_odds(outputs) for outputs in (sentences, clauses))
    least_supported = int(sentence_log_odds[:, 2].argmin())
    return StatementScores(
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


def probabilities(scores: StatementScores, *, short: bool) -> VerdictProbabilities:
    """Return the probabilities of the three verdicts, with short or longer evidence."""
    size = "short" if short else "long"
    supported = line_probability(f"{size}_support", *scores.for_support)
    contradicted = line_probability(f"{size}_contradiction", *scores.for_contradiction)
    unsupported = 1 - supported
    return VerdictProbabilities(unsupported * contradicted, unsupported * (1 - contradicted), supported)


def decide(chances: VerdictProbabilities, *, short: bool) -> VerdictValue:
    """Return the verdict: undecided where none is probable enough."""
    band = BANDS["short" if short else "long"]
    if chances.supported >= band.supported:
        return "yes"
    if chances.contradicted >= band.contradicted:
        return "no"
    return "idk" if chances.supported <= band.unsupported else "undecided"
