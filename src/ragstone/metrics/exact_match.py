"""Exact match: is the actual output the expected output, letter by letter? No judge.

    score = 1 where both are equal after trimming, else 0; of several references any may be equal

Letters are compared in Unicode's composed form (NFC). Source: own definition.
"""

import re
import unicodedata

from ragstone.metrics.base.metric import Metric, MetricContext, Score, TestCase


class ExactMatch(Metric):
    """Is the actual output the expected output, letter by letter? No judge call.

    Attributes:
        case_sensitive: whether capitals matter.
        normalize_whitespace: whether every run of white space counts as one blank.
    """

    needs = ("input", "actual_output", "expected_output")
    any_reference = True

    threshold: float = 1.0
    case_sensitive: bool = True
    normalize_whitespace: bool = False

    async def assess(self, case: TestCase, ctx: MetricContext) -> Score:
        """Compare the two texts."""
        return self.score(case.text("actual_output"), case.text("expected_output"))

    def score(self, actual: str, expected: str) -> Score:
        """Score two texts. Pure."""
        same = self._normalized(actual) == self._normalized(expected)
        reason = (
            "The actual output is the expected output."
            if same
            else "The actual output differs from the expected one."
        )
        metadata = {
            "expected": expected,
            "actual": actual,
            "case_sensitive": self.case_sensitive,
            "normalize_whitespace": self.normalize_whitespace,
        }
        return Score(1.0 if same else 0.0, reason, metadata)

    def _normalized(self, text: str) -> str:
        text = unicodedata.normalize("NFC", text.strip())
        if self.normalize_whitespace:
            text = re.sub(r"\s+", " ", text)
        return text if self.case_sensitive else text.casefold()
