"""The result of a sweep from its plan and its runs, and which settings are Pareto-efficient.

That is in quality, cost (tokens where costs are not known) and latency. One setting is better than another in cost or
latency if the 95 % interval of the ratio of their means, over the questions that both answered, says so; in quality, if
the other was dropped and it is left. So differences that may be chance, such as those of latencies, decide nothing.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from ragstone.findings.application import QuantityChange, quantity_changes
from ragstone.findings.clusters import clusters
from ragstone.findings.report import Report
from ragstone.findings.sweep.model import SweepCell, SweepReport
from ragstone.findings.sweep.progress import Objective, SweptRun, race_progress
from ragstone.metrics.shared.quantities import QUANTITIES, Quantity, quantity_of
from ragstone.run import SweepPlan
from ragstone.stats.ratio import paired_mean_ratio


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


@dataclass(frozen=True, slots=True, eq=False)
class _SettingAnswers:
    """The answers of a setting, as far as they were compared."""

    left: bool  # whether it is left
    # of each quantity, one for each answer; NaN where it is not known
    values: dict[Quantity, NDArray[np.float64]]
    groups: list[Hashable] | None  # the group of each answer; None where they are independent


def efficient_settings(cells: Sequence[SweepCell]) -> frozenset[tuple[str, ...]]:
    """Return the settings than which no other is shown to be better in one respect and worse in none."""
    held = [cell for cell in cells if cell.questions and cell.state != "failed" and cell.run is not None]
    measured = [_measured(cell) for cell in held]
    dominated: set[int] = set()
    for first, second in combinations(range(len(held)), 2):
        better = _comparisons(measured[first], measured[second])
        if 1 in better and -1 not in better:
            dominated.add(second)
        elif -1 in better and 1 not in better:
            dominated.add(first)
    return frozenset(cell.settings for place, cell in enumerate(held) if place not in dominated)


def _measured(cell: SweepCell) -> _SettingAnswers:
    if cell.run is None:
        raise AssertionError
    cases = list(cell.run.cases)
    values: dict[Quantity, NDArray[np.float64]] = {
        quantity: np.array([quantity_of(case, quantity) for case in cases], dtype=np.float64)
        for quantity in QUANTITIES
    }
    if not np.isnan(values["cost"]).all():
        del values["tokens"]
    return _SettingAnswers(cell.state == "left", values, clusters(cases, cell.run.run.plan.cluster))


def _comparisons(first: _SettingAnswers, second: _SettingAnswers) -> list[int]:
    """Return for quality and each quantity 1 where the first is shown to be better, -1 where the second is, else 0."""
    found = [int(first.left) - int(second.left)]
    for quantity in first.values.keys() & second.values.keys():
        size = min(first.values[quantity].size, second.values[quantity].size)
        old, new = first.values[quantity][:size], second.values[quantity][:size]
        both = np.flatnonzero(~np.isnan(old) & ~np.isnan(new))
        groups = None if first.groups is None else [first.groups[place] for place in both.tolist()]
        ratio = paired_mean_ratio(old[both].tolist(), new[both].tolist(), groups) if both.size else None
        found.append(0 if ratio is None else int(ratio.low > 1.0) - int(ratio.high < 1.0))
    return found
