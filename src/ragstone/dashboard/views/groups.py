"""The figures of a run by group of its test cases: by tag, or by a value of the metadata."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ragstone.stats.figure import Figure, figure_of
from ragstone.stats.metric_scores import MetricScores
from ragstone.status import Status
from ragstone.store import ScoreTable

MOST_GROUPS = 40


@dataclass(frozen=True, slots=True)
class CaseGroup:
    """The test cases with one label.

    Attributes:
        label: the tag, or the value.
        cases: how many they are.
        figures: one for each metric of the run; None where nothing is measured.
    """

    label: str
    cases: int
    figures: tuple[Figure | None, ...]


def case_groups(table: ScoreTable, labels: Mapping[int, tuple[str, ...]]) -> list[CaseGroup]:
    """Return the groups of most test cases, at most forty; a test case may be in several.

    Args:
        table: the scores of the run.
        labels: the labels of each test case, by its place in the run.
    """
    by_place = [labels.get(int(index), ()) for index in table.indices]
    counts = Counter(label for found in by_place for label in {*found})
    return [
        _group(table, label, number, np.array([label in found for found in by_place], dtype=np.bool_))
        for label, number in counts.most_common(MOST_GROUPS)
    ]


def _group(table: ScoreTable, label: str, cases: int, member: NDArray[np.bool_]) -> CaseGroup:
    return CaseGroup(label, cases, tuple(_figure(scores, member) for scores in table.metrics.values()))


def _figure(metric: MetricScores, member: NDArray[np.bool_]) -> Figure | None:
    chosen = member & ~np.isnan(metric.lows)
    if not chosen.any():
        return None
    scores = [None if np.isnan(score) else float(score) for score in metric.scores[chosen]]
    statuses: list[Status | None] = [
        None if metric.threshold is None else "passed" if passed else "undecided" if may_pass else "missed"
        for passed, may_pass in zip(metric.passed[chosen], metric.may_pass[chosen], strict=True)
    ]
    return figure_of(scores, statuses, lows=metric.lows[chosen].tolist(), highs=metric.highs[chosen].tolist())
