"""Comparison of two runs over the same cases: is the new one better?"""

from ragstone.reports.comparison.flips import Flip, Flips
from ragstone.reports.comparison.model import MetricChange, RunComparison, compare, compare_scores
from ragstone.reports.comparison.run_scores import RunScores

__all__ = ["Flip", "Flips", "MetricChange", "RunComparison", "RunScores", "compare", "compare_scores"]
