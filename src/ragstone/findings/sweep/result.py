"""The result of a sweep from its plan and its runs."""

from collections.abc import Sequence
from dataclasses import replace

from ragstone.findings.application import QuantityChange, quantity_changes
from ragstone.findings.clusters import clusters
from ragstone.findings.report import Report
from ragstone.findings.sweep.model import SweepCell, SweepReport
from ragstone.findings.sweep.objective import Objective
from ragstone.findings.sweep.pareto import efficient_settings
from ragstone.findings.sweep.progress import SweptRun, race_progress
from ragstone.metrics.shared.quantities import QUANTITIES, Quantity, quantity_of
from ragstone.run import SweepPlan


def sweep_report(plan: SweepPlan, runs: Sequence[SweptRun | None], stopped: str = "") -> SweepReport:
    """Return the result of a sweep so far."""
    progress = race_progress(plan, runs)
    objective = progress.objective
    cells = [
        SweepCell(
            settings=plan.settings[place],
            state=progress.states[place],
            run=None if run is None else run.report,
            questions=progress.questions.get(place, 0),
            score=None if run is None or objective is None else _mean(run.report, objective),
            difference=progress.differences.get(place),
            quantities={} if run is None else _quantities(run.report),
        )
        for place, run in enumerate(runs)
    ]
    left = [place for place, cell in enumerate(cells) if cell.state == "left" and cell.run is not None]
    by, cheapest = _cheapest(cells, left, progress.leader)
    efficient = efficient_settings(cells)
    return SweepReport(
        plan=plan,
        cells=tuple(replace(cell, efficient=cell.settings in efficient) for cell in cells),
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


def _quantities(report: Report) -> dict[Quantity, float]:
    values: dict[Quantity, list[float]] = {quantity: [] for quantity in QUANTITIES}
    for case in report.cases:
        for quantity in QUANTITIES:
            value = quantity_of(case, quantity)
            if value is not None:
                values[quantity].append(value)
    return {quantity: sum(found) / len(found) for quantity, found in values.items() if found}


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
    pairs = list(zip(before.cases, after.cases, strict=False))
    key = before.run.plan.cluster
    return quantity_changes(pairs, clusters([case for case, _ in pairs], key))
