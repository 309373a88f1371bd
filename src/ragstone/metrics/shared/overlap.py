"""Overlap of the actual with the expected output: no judge. The members of the family differ in what they count."""

from ragstone.case import TestCase
from ragstone.engine.context import MetricContext
from ragstone.metrics.base.metric import Metric
from ragstone.metrics.base.score import Score


class OverlapMetric(Metric):
    """Base of the metrics of overlap."""

    needs = ("input", "actual_output", "expected_output")

    async def assess(self, case: TestCase, ctx: MetricContext) -> Score:
        """Compare the two texts."""
        del ctx
        return self.score(case.text("actual_output"), case.text("expected_output"))

    def score(self, actual: str, expected: str) -> Score:
        """Score two texts. Pure.

        Args:
            actual: the actual output.
            expected: the expected output.
        """
        raise NotImplementedError

    def overlap_score(self, value: float, **metadata: object) -> Score:
        """Return a score whose reason is its number.

        Args:
            value: the overlap; what rounding puts outside of [0, 1] is cut to it.
            metadata: what the result keeps beside it.
        """
        value = min(1.0, max(0.0, value))
        return Score(
            value, f"The overlap with the expected output is {value:.2f} ({self.title}).", dict(metadata)
        )
