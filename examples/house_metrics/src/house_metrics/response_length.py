"""Response length: does the actual output have neither too few nor too many characters? No judge.

score = 1 within the bounds, else the share of the nearer bound that is reached, or kept
"""

from ragstone import TestCase
from ragstone.judges import MetricContext
from ragstone.metrics import Metric, Score


class ResponseLength(Metric):
    """Does the actual output have neither too few nor too many characters? No judge call.

    Attributes:
        min_chars: fewest characters.
        max_chars: most characters.
    """

    needs = ("actual_output",)

    min_chars: int = 50
    max_chars: int = 500

    def assess(self, case: TestCase, ctx: MetricContext) -> Score:
        """Count the characters."""
        del ctx
        count = len(case.text("actual_output"))
        value = min(1.0, count / self.min_chars, self.max_chars / count)
        reason = f"The output has {count} characters (target: {self.min_chars} to {self.max_chars})."
        return Score(value, reason, {"characters": count})
