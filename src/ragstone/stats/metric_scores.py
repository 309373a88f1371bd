"""The results of one metric over the test cases of a run, as arrays from which comparisons are computed."""

from dataclasses import dataclass

import numpy as np

from ragstone.stats._arrays import BoolArray, FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class MetricScores:
    """The results of one metric; entry i of an array belongs to test case i.

    Attributes:
        metric: the metric's name for people.
        spec: the metric's spelling with its options.
        threshold: the score that passes.
        higher_is_better: which side of the threshold is the right one.
        scores: shape (test cases,); NaN where there is none.
        passed: of the same shape; False where there is no score.
    """

    metric: str
    spec: str
    threshold: float
    higher_is_better: bool
    scores: FloatArray
    passed: BoolArray

    @classmethod
    def unmeasured(
        cls, metric: str, spec: str, *, threshold: float, higher_is_better: bool, cases: int
    ) -> "MetricScores":
        """Return a metric without scores for `cases` test cases; its arrays are to be filled."""
        scores, passed = np.full(cases, np.nan), np.zeros(cases, dtype=np.bool_)
        return cls(metric, spec, threshold, higher_is_better, scores, passed)
