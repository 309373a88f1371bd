"""What the answers of an application took: latency, tokens and cost, and how often it failed.

The figures are read from the metadata of the test cases, where `ragstone run --app` and traces have them. A failure has
an error and no latency: the time until a time-out says nothing about an answer.
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, cast

from ragstone.case import APPLICATION_ERROR, TestCase
from ragstone.findings.clusters import clusters
from ragstone.findings.numbers import percent, score
from ragstone.findings.report import Report, repeated_scores
from ragstone.metrics.shared.quantities import QUANTITIES, Quantity, quantity_of
from ragstone.result import Result
from ragstone.runner.answering import QUESTION

if TYPE_CHECKING:  # statistics import numpy
    from ragstone.stats.components import VarianceComponent, VarianceComponents
    from ragstone.stats.interval import Interval
    from ragstone.stats.quantile import Quantile
    from ragstone.stats.ratio import PairedRatio

MEDIAN, HIGH = 0.5, 0.95


class QuantityFigures(NamedTuple):
    """One quantity over the answers of a run."""

    quantity: Quantity  # `latency` in milliseconds, `tokens` sent and received, or `cost` in US dollars
    n: int  # number of answers that have it
    total: float  # its sum
    mean: float
    interval: "Interval"  # 95 % interval of the mean
    median: "Quantile"  # the median, with a 95 % interval
    high: "Quantile"  # the 95th percentile, likewise


@dataclass(frozen=True, slots=True)
class ApplicationFigures:
    """What the answers of an application took."""

    application: str  # its name, and its settings
    concurrency: int  # calls in flight at once
    asked: int  # questions that it was asked
    failed: int  # those that it failed to answer
    failure_interval: "Interval"  # 95 % interval of the share of failures
    quantities: tuple[QuantityFigures, ...]  # those that at least one answer has


class QuantityChange(NamedTuple):
    """One quantity in two runs over the same questions, both of which were answered."""

    quantity: Quantity  # see `QuantityFigures`
    mean: "PairedRatio | None"  # its mean before and after, and their ratio; None where a mean is 0
    high: "PairedRatio | None"  # of the latency also its 95th percentile; None where it is 0


def application_figures(report: Report) -> ApplicationFigures | None:
    """Return what the answers of a run's application took; None for a run without one."""
    plan = report.run.plan
    if plan.app is None or not len(report.cases):
        return None
    from ragstone.stats.interval import clustered_rate_interval  # noqa: PLC0415  (it imports numpy)

    values: dict[Quantity, list[float | None]] = {quantity: [] for quantity in QUANTITIES}
    failed: list[bool] = []
    groups = clusters(report.cases, plan.cluster)
    for case in report.cases:
        failed.append(APPLICATION_ERROR in case.metadata)
        for quantity in QUANTITIES:
            values[quantity].append(quantity_of(case, quantity))
    return ApplicationFigures(
        application=" ".join((plan.app, *plan.app_settings)),
        concurrency=plan.app_concurrency,
        asked=len(failed),
        failed=sum(failed),
        failure_interval=clustered_rate_interval(failed, groups),
        quantities=tuple(
            _figures(quantity, found, groups)
            for quantity, found in values.items()
            if any(value is not None for value in found)
        ),
    )


def _figures(
    quantity: Quantity, found: Sequence[float | None], groups: Sequence[Hashable] | None
) -> QuantityFigures:
    from ragstone.stats.interval import mean_interval  # noqa: PLC0415  (it imports numpy)
    from ragstone.stats.quantile import quantile_interval  # noqa: PLC0415

    places = [place for place, value in enumerate(found) if value is not None]
    values = [value for value in found if value is not None]
    kept = None if groups is None else [groups[place] for place in places]
    return QuantityFigures(
        quantity,
        len(values),
        sum(values),
        sum(values) / len(values),
        mean_interval(values, kept, method="t", bounds=(0.0, float("inf"))),
        quantile_interval(values, MEDIAN, kept),
        quantile_interval(values, HIGH, kept),
    )


def quantity_changes(
    pairs: Sequence[tuple[TestCase, TestCase]], groups: Sequence[Hashable] | None
) -> tuple[QuantityChange, ...]:
    """Return how the quantities changed over test cases that both runs have; those that one of them lacks are left out.

    Args:
        pairs: each test case in the earlier and in the later run.
        groups: the group of each; None where they are independent.
    """
    changes: list[QuantityChange] = []
    for quantity in QUANTITIES:
        both = [(quantity_of(old, quantity), quantity_of(new, quantity)) for old, new in pairs]
        places = [place for place, (old, new) in enumerate(both) if old is not None and new is not None]
        if places:
            before, after = (cast("list[float]", [both[place][side] for place in places]) for side in (0, 1))
            kept = None if groups is None else [groups[place] for place in places]
            changes.append(_change(quantity, before, after, kept))
    return tuple(changes)


def _change(
    quantity: Quantity, before: Sequence[float], after: Sequence[float], groups: Sequence[Hashable] | None
) -> QuantityChange:
    from ragstone.stats.ratio import paired_mean_ratio, paired_quantile_ratio  # noqa: PLC0415  (numpy)

    return QuantityChange(
        quantity,
        paired_mean_ratio(before, after, groups),
        paired_quantile_ratio(before, after, HIGH, groups) if quantity == "latency" else None,
    )


_OPTIONS = {"cases": "the questions", "answers": "--app-repeats", "scores": "--repeats"}
_WORTH = 0.1
"""Share of the interval's width by which a doubling must narrow it to be advised."""


class MeanVariance(NamedTuple):
    """The variance of the mean of one metric."""

    name: str  # the metric's label
    found: "VarianceComponents"  # its sources

    @property
    def shares(self) -> str:
        """The share of each source in the variance of the mean."""
        return ", ".join(f"{each.source} {percent(each.share)}" for each in self.found.components)

    @property
    def spreads(self) -> str:
        """The standard deviation of each source, with its interval."""
        return "standard deviation: " + ", ".join(map(_spread, self.found.components))

    @property
    def advice(self) -> str:
        """What narrows the interval of the mean, and what to raise next."""
        gains = self.found.narrowing()
        told = ", ".join(f"twice {_OPTIONS[name]} by {percent(gain)}" for name, gain in gains.items())
        repeats = {name: gain for name, gain in gains.items() if name != "cases"}
        best = max(repeats, key=lambda name: repeats[name])
        raised = _OPTIONS[best] if repeats[best] >= _WORTH else "the number of questions"
        return f"the interval is narrowed by {told}: next, raise {raised}"


def _spread(component: "VarianceComponent") -> str:
    low, value, high = (score(each**0.5) for each in (component.low, component.variance, component.high))
    return f"{component.source} {value} ({low} to {high})"


def mean_variances(report: Report) -> tuple[MeanVariance, ...]:
    """Return the sources of variance of each metric's mean; nothing where each question has one answer."""
    plan = report.run.plan
    if plan.app_repeats == 1:
        return ()
    from ragstone.stats.components import variance_components  # noqa: PLC0415  (it imports numpy)

    questions = [str(case.metadata.get(QUESTION, case.id)) for case in report.cases]
    own = None if plan.cluster in (None, QUESTION) else clusters(report.cases, plan.cluster)
    group_of = dict(zip(questions, own, strict=True)) if own is not None else None
    found: list[MeanVariance] = []
    for name, rows in report.places().items():
        scores = _by_question(questions, rows)
        groups: list[Hashable] | None = None if group_of is None else [group_of[each] for each in scores]
        components = variance_components(list(scores.values()), groups)
        if components is not None:
            found.append(MeanVariance(name, components))
    return tuple(found)


def _by_question(questions: list[str], rows: Mapping[int, Result]) -> dict[str, list[list[float]]]:
    scores: dict[str, list[list[float]]] = {}
    for position, result in rows.items():
        scores.setdefault(questions[position], []).append(repeated_scores(result))
    return scores
