"""Figures of metrics from a stream of results. Each result takes a few bytes of memory."""

from array import array
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from math import isnan, nan

from ragstone.result import SlimResult
from ragstone.stats.figure import Figure, figure_of
from ragstone.status import STATUSES, Status

_CODES: dict[Status | None, int] = {status: code for code, status in enumerate((None, *STATUSES))}
_BY_CODE = tuple(_CODES)


class ScoreTally:
    """The scores of one metric."""

    def __init__(self, metric: str) -> None:
        """Begin with no score of the metric of that title."""
        self.metric = metric
        self._scores, self._lows, self._highs = array("d"), array("d"), array("d")
        self._statuses = bytearray()
        self._others: Counter[Status | None] = Counter()

    def add(self, outcome: SlimResult) -> bool:
        """Count an outcome; return whether it has a score or a range for one."""
        if outcome.low is None or outcome.high is None:
            self._others[outcome.status] += 1
            return False
        self._scores.append(nan if outcome.score is None else outcome.score)
        self._lows.append(outcome.low)
        self._highs.append(outcome.high)
        self._statuses.append(_CODES[outcome.status])
        return True

    def figure(self, groups: Sequence[Hashable] | None = None) -> Figure:
        """Return mean, pass rate and their intervals; `groups` has the group of each counted case."""
        return figure_of(
            [None if isnan(score) else score for score in self._scores],
            [_BY_CODE[code] for code in self._statuses],
            lows=self._lows,
            highs=self._highs,
            not_measured=self._others["not_measured"],
            skipped=self._others["skipped"],
            groups=groups,
        )


def tallies(outcomes: Iterable[SlimResult]) -> dict[str, ScoreTally]:
    """Return each metric's scores by its spec, in order of appearance."""
    by_spec: dict[str, ScoreTally] = {}
    for outcome in outcomes:
        if outcome.spec not in by_spec:
            by_spec[outcome.spec] = ScoreTally(outcome.metric)
        by_spec[outcome.spec].add(outcome)
    return by_spec
