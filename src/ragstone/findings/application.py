"""What the answers of an application took: latency, tokens and cost, and how often it failed.

The figures are read from the metadata of the test cases, where `ragstone run --app` and traces have them. A failure has
an error and no latency: the time until a time-out says nothing about an answer.
"""

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from ragstone.case import APPLICATION_ERROR, TestCase
from ragstone.findings.clusters import clusters
from ragstone.findings.numbers import percent, score
from ragstone.findings.report import Report, repeated_scores
from ragstone.metrics.shared.quantities import QUANTITIES, Quantity, quantity_of
from ragstone.runner.answering import QUESTION

if TYPE_CHECKING:  # statistics import numpy
    from ragstone.stats.components import VarianceComponents
    from ragstone.stats.interval import Interval
    from ragstone.stats.quantile import Quantile
    from ragstone.stats.ratio import PairedRatio

MEDIAN, HIGH = 0.5, 0.95

Values = dict[Quantity, dict[int, float]]
"""Each quantity of answers, by their place."""


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

    failed: list[bool] = []

    def counted() -> Iterator[TestCase]:  # a run in a store is read once
        for case in report.cases:
            failed.append(APPLICATION_ERROR in case.metadata)
            yield case

    values = quantity_values(counted())
    groups = clusters(report.cases, plan.cluster)
    return ApplicationFigures(
        application=" ".join((plan.app, *plan.app_settings)),
        concurrency=plan.app_concurrency,
        asked=len(failed),
        failed=sum(failed),
        failure_interval=clustered_rate_interval(failed, groups),
        quantities=tuple(_figures(quantity, found, groups) for quantity, found in values.items() if found),
    )


def quantity_values(cases: Iterable[TestCase]) -> Values:
    """Return each quantity of the answers that have it, by their place."""
    values: Values = {quantity: {} for quantity in QUANTITIES}
    for place, case in enumerate(cases):
        for quantity in QUANTITIES:
            value = quantity_of(case, quantity)
            if value is not None:
                values[quantity][place] = value
    return values


def _figures(
    quantity: Quantity, found: Mapping[int, float], groups: Sequence[Hashable] | None
) -> QuantityFigures:
    from ragstone.stats.interval import mean_interval  # noqa: PLC0415  (it imports numpy)
    from ragstone.stats.quantile import quantile_interval  # noqa: PLC0415

    values, total = list(found.values()), sum(found.values())
    kept = None if groups is None else [groups[place] for place in found]
    interval = mean_interval(values, kept, method="t", bounds=(0.0, float("inf")))
    median, high = (quantile_interval(values, share, kept) for share in (MEDIAN, HIGH))
    return QuantityFigures(quantity, len(values), total, total / len(values), interval, median, high)


def quantity_changes(
    before: Iterable[TestCase], after: Iterable[TestCase], groups: Sequence[Hashable] | None
) -> tuple[QuantityChange, ...]:
    """Return how the quantities changed over test cases, each in the earlier and in the later run.

    Those that one of the runs lacks are left out. `groups` are None where the test cases are independent.
    """
    from ragstone.stats.ratio import paired_mean_ratio, paired_quantile_ratio  # noqa: PLC0415  (numpy)

    old, new = quantity_values(before), quantity_values(after)
    changes: list[QuantityChange] = []
    for quantity in QUANTITIES:
        was, now, kept = paired_values(old[quantity], new[quantity], groups)
        if was:
            high = paired_quantile_ratio(was, now, HIGH, kept) if quantity == "latency" else None
            changes.append(QuantityChange(quantity, paired_mean_ratio(was, now, kept), high))
    return tuple(changes)


def paired_values(
    before: Mapping[int, float], after: Mapping[int, float], groups: Sequence[Hashable] | None
) -> tuple[list[float], list[float], list[Hashable] | None]:
    """Return the values of the places that both have, and their groups."""
    places = [place for place in before if place in after]
    kept = None if groups is None else [groups[place] for place in places]
    return [before[place] for place in places], [after[place] for place in places], kept


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
        spreads = (
            (part.source, *(score(each**0.5) for each in (part.variance, part.low, part.high)))
            for part in self.found.components
        )
        told = ", ".join(f"{source} {value} ({low} to {high})" for source, value, low, high in spreads)
        return f"standard deviation: {told}"

    @property
    def advice(self) -> str:
        """What narrows the interval of the mean, and what to raise next."""
        gains = self.found.narrowing()
        told = ", ".join(f"twice {_OPTIONS[name]} by {percent(gain)}" for name, gain in gains.items())
        repeats = {name: gain for name, gain in gains.items() if name != "cases"}
        best = max(repeats, key=lambda name: repeats[name])
        raised = _OPTIONS[best] if repeats[best] >= _WORTH else "the number of questions"
        return f"the interval is narrowed by {told}: next, raise {raised}"


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
        scores: dict[str, list[list[float]]] = {}  # of each answer to each question
        for position, result in rows.items():
            scores.setdefault(questions[position], []).append(repeated_scores(result))
        groups: list[Hashable] | None = None if group_of is None else [group_of[each] for each in scores]
        components = variance_components(list(scores.values()), groups)
        if components is not None:
            found.append(MeanVariance(name, components))
    return tuple(found)
