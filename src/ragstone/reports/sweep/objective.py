"""The metric that a sweep compares."""

from collections.abc import Mapping
from itertools import chain

from ragstone.errors import BadOption
from ragstone.metric_label import base_name
from ragstone.reports.report import Report
from ragstone.run import SweepPlan


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


def objective_spec(report: Report, plan: SweepPlan) -> str | None:
    """Return the spec of the metric of a run that a sweep compares; None where it measures none.

    Raises:
        BadOption: the run does not measure the metric that the sweep names.
    """
    run = report.run.plan
    specs = {spec: run.labels.get(spec, spec) for spec in run.metrics if spec not in run.flagged_only}
    found = find_objective(specs, plan.objective)
    if found is None and plan.objective is not None:
        raise BadOption(
            f"objective={plan.objective!r}: the runs do not measure it; write one of {', '.join(specs)}"
        )
    return found
