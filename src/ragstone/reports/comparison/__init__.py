"""Comparison of two runs over the same cases: is the new one better?"""

from ragstone.reports.comparison.model import Flip, MetricChange, RunComparison, compare

__all__ = ["Flip", "MetricChange", "RunComparison", "compare"]
