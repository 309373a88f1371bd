"""The settings of a sweep: those of a grid, and those of a sweep in a store."""

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import cast

from ragstone.applications import setting_text
from ragstone.errors import BadOption
from ragstone.findings.stored import report_from_store
from ragstone.findings.sweep import SweptRun
from ragstone.run import SweepPlan
from ragstone.store import Store
from ragstone.store.store import StoredRun

Grid = Mapping[str, object] | str | Path
MOST_SETTINGS = 200
"""More settings can hardly be told apart: each pair lowers the level of all tests."""


def read_grid(grid: Grid) -> tuple[tuple[str, ...], ...]:
    """Return the settings of a grid: every combination of the values, each as `NAME=VALUE`."""
    values = _read_file(Path(grid)) if isinstance(grid, str | Path) else grid
    columns: list[list[str]] = []
    for name, found in values.items():
        several = cast("Sequence[object]", found) if isinstance(found, list | tuple) else (found,)
        column = [setting_text(name, value) for value in several]
        if not column or len({*column}) < len(column):
            raise BadOption(f"grid: {name} = {found!r}: give a list of different values")
        columns.append(column)
    settings = tuple(product(*columns))
    if not 1 < len(settings) <= MOST_SETTINGS:
        raise BadOption(
            f"the grid has {len(settings)} settings: give from 2 to {MOST_SETTINGS}, such as top_k = [2, 5, 10]"
        )
    return settings


def _read_file(path: Path) -> dict[str, object]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        problem = getattr(error, "strerror", None) or error
        raise BadOption(f"grid {path}: {problem}. Write a TOML file such as: top_k = [2, 5, 10]") from None


def find_sweep(store: Store, name: str) -> tuple[SweepPlan, list[SweptRun | None]]:
    """Return the plan and the runs of a sweep in a store, by its name or `last`."""
    if name == "last":
        latest = next((stored.run.plan.sweep for stored in store.runs() if stored.run.plan.sweep), None)
        name = name if latest is None else latest.name
    plan: SweepPlan | None = None
    runs: dict[tuple[str, ...], SweptRun] = {}
    for stored in runs_of(store, name):
        plan = plan or stored.run.plan.sweep
        grid = plan.settings if plan is not None else ()
        settings = next((each for each in grid if stored.run.plan.app_settings[-len(each) :] == each), ())
        runs.setdefault(settings, _swept(store, stored))
    if plan is None:
        raise BadOption(f"there is no sweep {name!r} in {store.where}: give its name, or last")
    return plan, [runs.get(settings) for settings in plan.settings]


def _swept(store: Store, stored: StoredRun) -> SweptRun:
    """Return a run with the number of questions that are surely measured: a rung is, once the next has begun."""
    report = report_from_store(store, stored)
    plan = stored.run.plan
    cases = len(report.cases)
    rungs = plan.sweep.rungs if plan.sweep is not None else ()
    begun = [size for size in rungs if size * plan.app_repeats < cases]
    measured = cases // plan.app_repeats if report.complete else max(begun, default=0)
    return SweptRun(report, measured)


def runs_of(store: Store, name: str) -> Iterator[StoredRun]:
    """Yield the runs of the sweep of that name, the latest first."""
    return (
        stored for stored in store.runs() if (plan := stored.run.plan.sweep) is not None and plan.name == name
    )
