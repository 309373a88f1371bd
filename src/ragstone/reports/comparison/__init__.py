"""Two runs held against each other, case by case: is the new one better?"""

from ragstone.reports.comparison.model import Flip, MetricChange, RunComparison, compare

__all__ = ["Flip", "MetricChange", "RunComparison", "compare"]
