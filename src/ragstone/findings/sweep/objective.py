"""The metric that a sweep compares."""

from collections.abc import Iterable, Mapping
from itertools import chain
from typing import NamedTuple

from ragstone.findings.comparison.run_scores import RunScores
from ragstone.metric_label import base_name
from ragstone.run import SweepPlan


class Objective(NamedTuple):
    """The metric that a sweep compares."""

    spec: str
    label: str  # its name for people
    higher_is_better: bool  # its direction


def find_objective(specs: Mapping[str, str], wanted: str | None) -> str | None:
    """Return the spec of the metric that a sweep compares; None where there is none of that name.

    Args:
        specs: label of each metric by its spec, in order.
        wanted: its spec, its name or its label; None for the first.
    """
    if wanted is None:
        return next(iter(specs), None)
    exact = (spec for spec in specs if spec == wanted)
    named = (spec for spec in specs if base_name(spec) == wanted or specs[spec].lower() == wanted.lower())
    return next(chain(exact, named), None)


def objective_of(plan: SweepPlan, runs: Iterable[RunScores | None]) -> Objective | None:
    """Return the metric that all runs of a sweep are compared by: that of the first run which measures it.

    None where no run has a result of it.
    """
    for scores in runs:
        run = None if scores is None else scores.report.run.plan
        if scores is None or run is None:
            continue
        specs = {spec: run.labels.get(spec, spec) for spec in run.metrics if spec not in run.flagged_only}
        spec = find_objective(specs, plan.objective)
        if spec is not None and spec in scores.metrics:
            return Objective(spec, specs[spec], scores.metrics[spec].higher_is_better)
    return None
