"""The figure of a metric from a stream of results. Each result takes a few bytes of memory."""

from array import array
from collections import Counter
from collections.abc import Hashable
from math import isnan, nan

from ragstone.result import SlimResult
from ragstone.stats.figure import Figure, figure_of, with_shares
from ragstone.stats.shares import label_shares
from ragstone.status import STATUSES, Status

_CODES: dict[Status | None, int] = {status: code for code, status in enumerate((None, *STATUSES))}
_BY_CODE = tuple(_CODES)


class ScoreTally:
    """The scores and the labels of one metric."""

    def __init__(self, metric: str, *, grouped: bool = False) -> None:
        """Begin with no score of the metric of that title; `grouped` cases come with their group."""
        self.metric = metric
        self._scores, self._lows, self._highs = array("d"), array("d"), array("d")
        self._statuses = bytearray()
        self._others: Counter[Status | None] = Counter()
        self._categories: tuple[str, ...] = ()
        self._labels: list[str | None] = []
        self._groups: list[Hashable] | None = [] if grouped else None
        self._label_groups: list[Hashable] | None = [] if grouped else None

    def add(self, outcome: SlimResult, group: Hashable = None) -> None:
        """Count an outcome, of a case of that group."""
        if outcome.categories and outcome.status not in ("not_measured", "skipped"):
            self._categories = outcome.categories
            self._labels.append(outcome.label)
            if self._label_groups is not None:
                self._label_groups.append(group)
        if outcome.low is None or outcome.high is None:
            self._others[outcome.status] += 1
            return
        self._scores.append(nan if outcome.score is None else outcome.score)
        self._lows.append(outcome.low)
        self._highs.append(outcome.high)
        self._statuses.append(_CODES[outcome.status])
        if self._groups is not None:
            self._groups.append(group)

    def figure(self) -> Figure:
        """Return mean, pass rate and shares of the labels, with their intervals."""
        figure = figure_of(
            [None if isnan(score) else score for score in self._scores],
            [_BY_CODE[code] for code in self._statuses],
            lows=self._lows,
            highs=self._highs,
            not_measured=self._others["not_measured"],
            skipped=self._others["skipped"],
            groups=self._groups,
        )
        if not self._labels:
            return figure
        return with_shares(figure, label_shares(self._labels, self._categories, clusters=self._label_groups))
