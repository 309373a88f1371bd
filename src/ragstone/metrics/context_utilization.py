"""Context utilization: are the passages that the actual output used ranked above those it did not?

    score = (1 / R) * sum over k of r_k * (used passages among the first k) / k

Contextual precision with the actual output in the place of the expected one: for systems without references. It says
nothing about whether the output is right. Source: Ragas, context utilization.
"""

from typing import Literal

from ragstone.metrics.shared.ranking import RankingMetric


class ContextUtilization(RankingMetric):
    """Are the passages that the output used ranked above the others? One judge call.

    Attributes:
        reference: the text that a passage must have been useful for.
    """

    reference: Literal["expected_output", "actual_output"] = "actual_output"
