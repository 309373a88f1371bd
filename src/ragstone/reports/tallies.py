"""Summaries of metrics from a stream of results. Each result takes a few bytes of memory."""

from array import array
from collections.abc import Iterable, Iterator
from math import isnan, nan

from ragstone.result import SlimResult
from ragstone.stats.summary import Summary, summarise


class ScoreTally:
    """The scores of one metric."""

    def __init__(self, metric: str) -> None:
        """Begin with no score of the metric of that title."""
        self.metric = metric
        self._scores = array("d")
        self._passed = bytearray()
        self._skipped = 0

    def add(self, outcome: SlimResult) -> None:
        """Count an outcome."""
        if outcome.status == "SKIPPED":
            self._skipped += 1
            return
        self._scores.append(nan if outcome.score is None else outcome.score)
        self._passed.append(outcome.success)

    def summary(self) -> Summary:
        """Return mean, pass rate and their intervals."""
        scores = [None if isnan(score) else score for score in self._scores]
        passes = [
            None if score is None else bool(passed)
            for score, passed in zip(scores, self._passed, strict=True)
        ]
        return summarise(scores, passes, skipped=self._skipped)


def summaries(outcomes: Iterable[SlimResult]) -> Iterator[tuple[str, Summary]]:
    """Yield each metric's summary by its title, or by its spec where two metrics share a title."""
    tallies: dict[str, ScoreTally] = {}
    for outcome in outcomes:
        if outcome.spec not in tallies:
            tallies[outcome.spec] = ScoreTally(outcome.metric)
        tallies[outcome.spec].add(outcome)
    titles = [tally.metric for tally in tallies.values()]
    for spec, tally in tallies.items():
        yield (tally.metric if titles.count(tally.metric) == 1 else spec), tally.summary()
