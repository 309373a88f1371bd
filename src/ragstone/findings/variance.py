"""Where the uncertainty of a mean comes from, in a run whose application answered each question several times."""

from collections.abc import Hashable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from ragstone.findings.clusters import clusters
from ragstone.findings.numbers import percent, score
from ragstone.findings.report import Report, repeated_scores
from ragstone.result import Result
from ragstone.runner.answering import QUESTION

if TYPE_CHECKING:  # statistics import numpy
    from ragstone.stats.components import VarianceComponent, VarianceComponents

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
