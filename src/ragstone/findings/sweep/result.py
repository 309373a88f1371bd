"""The result of a sweep from its plan and its runs, and which settings are Pareto-efficient.

That is in quality, cost (tokens where costs are not known) and latency. One setting is better than another in cost or
latency if the 95 % interval of the ratio of their means, over the questions that both answered, says so; in quality, if
the other was dropped and it is left. So differences that may be chance, such as those of latencies, decide nothing.
"""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations

from ragstone.findings.application import (
    QuantityChange,
    Values,
    paired_values,
    quantity_changes,
    quantity_values,
)
from ragstone.findings.clusters import clusters
from ragstone.findings.report import Report
from ragstone.findings.sweep.model import SweepCell, SweepReport
from ragstone.findings.sweep.progress import Objective, SweptRun, race_progress
from ragstone.metrics.shared.quantities import QUANTITIES, Quantity
from ragstone.run import SweepPlan
from ragstone.stats.ratio import paired_mean_ratio


def sweep_report(plan: SweepPlan, runs: Sequence[SweptRun | None], stopped: str = "") -> SweepReport:
    """Return the result of a sweep so far."""
    progress = race_progress(plan, runs)
    objective = progress.objective
    values = [quantity_values(() if run is None else run.report.cases) for run in runs]
    cells = [
        SweepCell(
            settings=plan.settings[place],
            state=progress.states[place],
            run=None if run is None else run.report,
            questions=progress.questions.get(place, 0),
            score=None if run is None or objective is None else _mean(run.report, objective),
            difference=progress.differences.get(place),
            quantities={name: sum(held.values()) / len(held) for name, held in values[place].items() if held},
        )
        for place, run in enumerate(runs)
    ]
    left = [place for place, cell in enumerate(cells) if cell.state == "left" and cell.run is not None]
    by, cheapest = _cheapest(cells, left, progress.leader)
    efficient = _efficient(cells, values)
    return SweepReport(
        plan=plan,
        cells=tuple(replace(cell, efficient=place in efficient) for place, cell in enumerate(cells)),
        leader=progress.leader,
        objective="" if objective is None else objective.label,
        higher_is_better=objective is None or objective.higher_is_better,
        rung=progress.rung,
        pending=progress.pending,
        stopped=stopped,
        cheapest=cheapest,
        cheapest_by=by,
        saving=_saving(cells, progress.leader, cheapest),
    )


def _mean(report: Report, objective: Objective) -> float | None:
    figure = report.summary().get(report.run.plan.labels.get(objective.spec, objective.spec))
    return None if figure is None else figure.mean


def _cheapest(
    cells: Sequence[SweepCell], left: Sequence[int], leader: int | None
) -> tuple[Quantity | None, int | None]:
    order: tuple[Quantity, ...] = ("cost", "tokens", "latency")
    for quantity in order:
        if leader is not None and left and all(quantity in cells[place].quantities for place in left):
            return quantity, min(left, key=lambda place: cells[place].quantities[quantity])
    return None, None


def _saving(
    cells: Sequence[SweepCell], leader: int | None, cheapest: int | None
) -> tuple[QuantityChange, ...]:
    if leader is None or cheapest is None or cheapest == leader:
        return ()
    before, after = cells[leader].run, cells[cheapest].run
    if before is None or after is None:
        return ()
    return quantity_changes(before.cases, after.cases, clusters(before.cases, before.run.plan.cluster))


def _efficient(cells: Sequence[SweepCell], values: Sequence[Values]) -> frozenset[int]:
    """Return the places of the settings than which no other is shown to be better in one respect and worse in none."""
    held = {
        place: clusters(cell.run.cases, cell.run.run.plan.cluster)
        for place, cell in enumerate(cells)
        if cell.questions and cell.state != "failed" and cell.run is not None
    }
    dominated: set[int] = set()
    for first, second in combinations(held, 2):
        left = [int(cells[place].state == "left") for place in (first, second)]
        better = {left[0] - left[1], *_cheaper(values[first], values[second], held[first])}
        if 1 in better and -1 not in better:
            dominated.add(second)
        elif -1 in better and 1 not in better:
            dominated.add(first)
    return frozenset(held.keys() - dominated)


def _cheaper(first: Values, second: Values, groups: Sequence[Hashable] | None) -> Iterator[int]:
    """Yield for each quantity 1 where the first is shown to be better, -1 where the second is, else 0."""
    for quantity in QUANTITIES:
        if quantity == "tokens" and (first["cost"] or second["cost"]):
            continue
        old, new, kept = paired_values(first[quantity], second[quantity], groups)
        ratio = paired_mean_ratio(old, new, kept) if old else None
        yield 0 if ratio is None else int(ratio.low > 1.0) - int(ratio.high < 1.0)
