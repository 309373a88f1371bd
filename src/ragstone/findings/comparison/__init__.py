"""Comparison of two runs over the same cases: is the new one better?"""

from ragstone.findings.comparison.metric_change import Flip, Flips, MetricChange
from ragstone.findings.comparison.model import RunComparison, compare, compare_scores
from ragstone.findings.comparison.run_scores import RunScores

__all__ = ["Flip", "Flips", "MetricChange", "RunComparison", "RunScores", "compare", "compare_scores"]
