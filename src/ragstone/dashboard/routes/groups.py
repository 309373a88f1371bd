"""A run by group: the figures of its metrics for each tag, or each value of a key of the metadata."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated

import numpy as np
from fastapi import APIRouter, Query, Request
from numpy.typing import NDArray
from starlette.responses import Response

from ragstone.dashboard.context import ContextDep, RunDep
from ragstone.dashboard.rendering import view
from ragstone.dashboard.services.comparison import name_of
from ragstone.findings.view.metric_names import metric_name, metric_names
from ragstone.stats.figure import Figure, figure_of
from ragstone.stats.metric_scores import MetricScores
from ragstone.status import Status
from ragstone.store import ScoreTable, Store

router = APIRouter(include_in_schema=False)
_MOST_GROUPS = 40


@dataclass(frozen=True, slots=True)
class CaseGroup:
    """The test cases with one label, and the figures of each metric of the run; None where nothing is measured."""

    label: str
    cases: int
    figures: tuple[Figure | None, ...]


@router.get("/runs/{run}/groups")
def page(
    request: Request, stored: RunDep, ctx: ContextDep, by: Annotated[str, Query(max_length=200)] = "tag"
) -> Response:
    """Show the figures of each group."""
    state = ctx.store.change_marker(stored).of_results
    metrics, groups = _groups(ctx.store, stored.run.id, by, state)
    return view(
        request,
        "groups.html",
        run=stored.run,
        name=name_of(stored.run),
        by=by,
        keys_offered=["tag", *ctx.store.table(stored).metadata_keys()[:40]],
        metrics=metrics,
        groups=groups,
        most=_MOST_GROUPS,
    )


@lru_cache(maxsize=32)
def _groups(store: Store, run: str, by: str, _state: object) -> tuple[list[tuple[str, str]], list[CaseGroup]]:
    """Return name and spec of each metric, and the groups; computed again with another `_state`."""
    stored = store.find_exact(run)
    table = store.score_table(stored)
    names = metric_names(table.metrics.values())
    metrics = [(metric_name(metric, names), spec) for spec, metric in table.metrics.items()]
    return metrics, _case_groups(table, store.table(stored).labels(by))


def _case_groups(table: ScoreTable, labels: Mapping[int, tuple[str, ...]]) -> list[CaseGroup]:
    """Return the groups of most test cases; a test case may be in several. `labels` are by its place in the run."""
    by_place = [labels.get(int(index), ()) for index in table.indices]
    counts = Counter(label for found in by_place for label in {*found})
    return [
        CaseGroup(label, number, tuple(_figure(scores, member) for scores in table.metrics.values()))
        for label, number in counts.most_common(_MOST_GROUPS)
        for member in [np.array([label in found for found in by_place], dtype=np.bool_)]
    ]


def _figure(metric: MetricScores, member: NDArray[np.bool_]) -> Figure | None:
    chosen = member & ~np.isnan(metric.lows)
    if not chosen.any():
        return None
    scores = [None if np.isnan(score) else float(score) for score in metric.scores[chosen]]
    statuses: list[Status | None] = [
        None if metric.threshold is None else "passed" if passed else "undecided" if may_pass else "missed"
        for passed, may_pass in zip(metric.passed[chosen], metric.may_pass[chosen], strict=True)
    ]
    return figure_of(scores, statuses, lows=metric.lows[chosen].tolist(), highs=metric.highs[chosen].tolist())
