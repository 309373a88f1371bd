"""Contextual precision: are the useful passages ranked above the useless ones?

    score = (1 / R) * sum over k of r_k * (useful passages among the first k) / k

r_k is 1 where passage k is useful for arriving at the expected output, else 0; R is the number of useful passages; no
useful passage scores 0. A low score blames the ranking: the answer is there, but far down. It is average precision
with a judge's relevance. Source: RAGAS, context precision (docs.ragas.io); average precision: Manning, Raghavan and
Schuetze, Introduction to Information Retrieval, section 8.4.
"""

from typing import Literal

from ragstone.metrics.shared.ranking import RankingMetric


class ContextualPrecision(RankingMetric):
    """Are the useful passages ranked above the useless ones? One judge call.

    Attributes:
        reference: the text that a passage must be useful for; `actual_output` if no expected output exists.
    """

    reference: Literal["expected_output", "actual_output"] = "expected_output"
