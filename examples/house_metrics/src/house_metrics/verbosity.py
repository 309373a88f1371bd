"""Verbosity: how wordy is the actual output? Lower is better. No judge.

score = min(1, words / wordy)
"""

from ragstone import TestCase
from ragstone.judges import MetricContext
from ragstone.metrics import Metric, Score


class Verbosity(Metric):
    """How wordy is the actual output? It passes at or below the threshold. No judge call.

    Attributes:
        wordy: the number of words from which an output is as wordy as can be.
    """

    needs = ("actual_output",)
    higher_is_better = False

    threshold: float = 0.3
    wordy: int = 200

    def assess(self, case: TestCase, ctx: MetricContext) -> Score:
        """Count the words."""
        del ctx
        words = len(case.text("actual_output").split())
        return Score(min(1.0, words / self.wordy), f"The output has {words} words.", {"words": words})
