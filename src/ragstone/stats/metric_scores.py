"""The results of one metric over the test cases of a run, as arrays from which comparisons are computed."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ragstone.stats._arrays import BoolArray, FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class MetricScores:
    """The results of one metric; entry i of an array belongs to test case i.

    Attributes:
        metric: the metric's name for people.
        spec: the metric's spelling with its options.
        threshold: the score that passes; None for a metric that only measures.
        higher_is_better: which side of the threshold is the right one.
        scores: shape (test cases,); NaN where there is none.
        lows: the least possible scores, of the same shape; NaN where nothing was measured.
        highs: the greatest possible scores.
        passed: whether each case passed, of the same shape.
        may_pass: whether it passed or is undecided.
        categories: all labels that the metric may give; empty for a metric without labels.
        labels: the label of each case; None where it is undecided, or where nothing was measured.
        labelled: whether each case has a label or is undecided between them.
    """

    metric: str
    spec: str
    threshold: float | None
    higher_is_better: bool
    scores: FloatArray
    lows: FloatArray
    highs: FloatArray
    passed: BoolArray
    may_pass: BoolArray
    categories: tuple[str, ...]
    labels: NDArray[np.object_]
    labelled: BoolArray

    @classmethod
    def unmeasured(
        cls,
        metric: str,
        spec: str,
        *,
        threshold: float | None,
        higher_is_better: bool,
        cases: int,
        categories: tuple[str, ...] = (),
    ) -> "MetricScores":
        """Return a metric without scores for `cases` test cases; its arrays are to be filled with `fill`."""
        scores = [np.full(cases, np.nan) for _ in range(3)]
        passes = [np.zeros(cases, dtype=np.bool_) for _ in range(2)]
        labels, labelled = np.full(cases, None, dtype=np.object_), np.zeros(cases, dtype=np.bool_)
        return cls(
            metric,
            spec,
            threshold,
            higher_is_better,
            *scores,
            *passes,
            categories=categories,
            labels=labels,
            labelled=labelled,
        )

    def fill(
        self,
        places: Sequence[int] | NDArray[np.integer],
        *,
        scores: Sequence[float | None] | FloatArray,
        lows: Sequence[float | None] | FloatArray,
        highs: Sequence[float | None] | FloatArray,
        statuses: Sequence[str | None] | NDArray[Any],
        labels: Sequence[str | None] | NDArray[Any] | None = None,
    ) -> None:
        """Set the results of some test cases."""
        for column, values in ((self.scores, scores), (self.lows, lows), (self.highs, highs)):
            column[places] = np.array(values, dtype=np.float64)
        names = np.array(statuses, dtype=object)
        self.passed[places] = names == "passed"
        self.may_pass[places] = (names == "passed") | (names == "undecided")
        if self.categories and labels is not None:
            self.labels[places] = np.array(labels, dtype=object)
            self.labelled[places] = (names != "not_measured") & (names != "skipped")
