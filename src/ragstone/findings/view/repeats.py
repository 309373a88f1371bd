"""View model of repeats: the judge's own spread beside that of the cases, and the unstable or undecided cases."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING

from ragstone.case import TestCase
from ragstone.findings.numbers import count, percent, score
from ragstone.findings.report import Report, repeated_scores
from ragstone.result import Result

if TYPE_CHECKING:
    from ragstone.stats.repeats import RepeatedCase, Repeats

_TWICE = 2


@dataclass(frozen=True, slots=True)
class UnsettledCase:
    """A case that is unstable or undecided."""

    number: int  # its place in the dataset, from 1
    case: TestCase  # the test case
    scores: tuple[float, ...]  # the judge's scores, in order
    found: "RepeatedCase"  # the analysis of the scores

    @property
    def words(self) -> str:
        """`unstable` if the scores lie on both sides of the threshold, `undecided` if only their interval does."""
        return "unstable" if self.found.unstable else "undecided"

    @property
    def width(self) -> float:
        """The width of the interval of its score."""
        return (self.found.high or 0.0) - (self.found.low or 0.0)


@dataclass(frozen=True, slots=True)
class RepeatsView:
    """One metric, measured several times on every case."""

    name: str  # display name of the metric
    repeats: int  # how often each case was measured
    threshold: float  # the score that passes
    found: "Repeats"  # spreads and verdicts, over the report's cases
    wavering: tuple[UnsettledCase, ...]  # cases that are unstable or undecided, the widest first

    @property
    def undecided(self) -> int:
        """Cases whose interval does not lie on one side of the threshold."""
        return sum(case.n > 0 and case.verdict == "undecided" for case in self.found.cases)

    @property
    def spread(self) -> str:
        """The judge's own part of the spread of scores, in words."""
        within, between = self.found.within, self.found.between
        if within is None:
            return "no case was measured twice"
        if within == 0.0:
            return "the judge gave the same score every time"
        spread = f"the judge's own spread is {score(sqrt(within))}"
        if between is None or self.found.reliability is None:
            return spread
        share = percent(self.found.reliability)
        return f"{spread}, that of the cases {score(sqrt(between))}: {share} of a score's variance comes from the case"

    @property
    def verdict(self) -> str:
        """The pass rule on the interval, and how many cases it leaves open."""
        if self.found.mean is None:
            return "nothing measured"
        side = "passes" if self.found.passed else "does not pass"
        told = f"{count(self.undecided, 'case')} undecided" if self.undecided else "every case is decided"
        unstable = f", {len(self.found.unstable)} of them unstable" if self.found.unstable else ""
        return f"the mean {side} {score(self.threshold)} with its whole interval; {told}{unstable}"

    @property
    def advice(self) -> str | None:
        """Whether more cases or more repeats would narrow the interval; None where neither can be told."""
        n, error_of = sum(case.n > 0 for case in self.found.cases), self.found.standard_error
        current = error_of(n, self.repeats) if n else None
        if not current or not self.found.within:
            return None
        cases = 1 - (error_of(_TWICE * n, self.repeats) or 0.0) / current
        repeats = 1 - (error_of(n, _TWICE * self.repeats) or 0.0) / current
        return f"twice the cases would narrow the interval by {percent(cases)}, twice the repeats by {percent(repeats)}"


def repeats_views(report: Report, names: Mapping[str, str]) -> tuple[RepeatsView, ...]:
    """Return the view of each metric's repeats; `names` are those of `metric_names`."""
    places = report.places()
    return tuple(
        _view(report, names, title, places[title], found) for title, found in report.repeats().items()
    )


def _view(
    report: Report, names: Mapping[str, str], title: str, rows: Mapping[int, Result], analysis: "Repeats"
) -> RepeatsView:
    first = next(iter(rows.values()))
    unsettled = [
        UnsettledCase(number + 1, report.cases[number], tuple(repeated_scores(rows.get(number))), case)
        for number, case in enumerate(analysis.cases)
        if case.unstable or (case.n and case.verdict == "undecided")
    ]
    unsettled.sort(key=lambda item: (not item.found.unstable, -item.width, item.number))
    name = names.get(first.spec, title)
    return RepeatsView(name, report.run.plan.repeats, first.cutoff, analysis, tuple(unsettled))
