"""Overlap of the actual with the expected output, without a judge. The subclasses differ in what they count.

If several references are accepted, the best score counts. Texts are compared in Unicode's composed form (NFC).
"""

import unicodedata

from ragstone.metrics.base.metric import Metric, MetricContext, Score, TestCase


class OverlapMetric(Metric):
    """Base of the metrics of overlap."""

    needs = ("input", "actual_output", "expected_output")
    any_reference = True

    async def assess(self, case: TestCase, ctx: MetricContext) -> Score:
        """Compare the two texts."""
        actual, expected = (
            unicodedata.normalize("NFC", case.text(field)) for field in ("actual_output", "expected_output")
        )
        return self.score(actual, expected)

    def score(self, actual: str, expected: str) -> Score:
        """Score two texts. Pure."""
        raise NotImplementedError

    def overlap_score(self, value: float, **metadata: object) -> Score:
        """Return a score, clamped to [0, 1] in case rounding exceeds it, whose reason is its number."""
        value = min(1.0, max(0.0, value))
        return Score(
            value, f"The overlap with the expected output is {value:.2f} ({self.title}).", dict(metadata)
        )
