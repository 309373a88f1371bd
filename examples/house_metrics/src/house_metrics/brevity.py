"""Brevity: is the actual output short enough? No judge.

score = min(1, max_words / words)
"""

from ragstone import TestCase
from ragstone.judges import MetricContext
from ragstone.metrics import Metric, Score


class Brevity(Metric):
    """Is the actual output short enough? No judge call.

    Attributes:
        max_words: the number of words up to which an output is brief.
    """

    needs = ("actual_output",)

    max_words: int = 100

    def assess(self, case: TestCase, ctx: MetricContext) -> Score:
        """Count the words."""
        del ctx
        words = len(case.text("actual_output").split())
        reason = f"The output has {words} words (target: at most {self.max_words})."
        return Score(min(1.0, self.max_words / max(words, 1)), reason, {"words": words})
