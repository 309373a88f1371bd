"""Which settings of a sweep are Pareto-efficient in quality, cost (tokens where costs are not known) and latency.

One setting is better than another in cost or latency if the 95 % interval of the ratio of their means, over the
questions that both answered, says so; in quality, if the other was dropped and it is left. So differences that may be
chance, such as those of latencies, decide nothing.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from ragstone.findings.clusters import clusters
from ragstone.findings.sweep.model import SweepCell
from ragstone.metrics.shared.quantities import QUANTITIES, Quantity, quantity_of
from ragstone.stats.ratio import paired_mean_ratio


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
