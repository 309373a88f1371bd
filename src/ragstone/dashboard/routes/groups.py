"""A run by group: the figures of its metrics for each tag, or each value of a key of the metadata."""

from functools import lru_cache
from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from ragstone.dashboard.context import ContextDep
from ragstone.dashboard.rendering import view
from ragstone.dashboard.services.comparison import name_of
from ragstone.dashboard.views.groups import MOST_GROUPS, CaseGroup, case_groups
from ragstone.findings.view.metric_names import metric_name, metric_names
from ragstone.store import Store

router = APIRouter(include_in_schema=False)


@router.get("/runs/{run}/groups")
def page(
    request: Request, run: str, ctx: ContextDep, by: Annotated[str, Query(max_length=200)] = "tag"
) -> Response:
    """Show the figures of each group."""
    stored = ctx.store.find(run)
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
        most=MOST_GROUPS,
    )


@lru_cache(maxsize=32)
def _groups(store: Store, run: str, by: str, state: object) -> tuple[list[tuple[str, str]], list[CaseGroup]]:
    """Return name and spec of each metric, and the groups; computed again when the run has changed."""
    del state  # part of the cache key only
    stored = store.find_exact(run)
    table = store.score_table(stored)
    names = metric_names(table.metrics.values())
    metrics = [(metric_name(metric, names), spec) for spec, metric in table.metrics.items()]
    return metrics, case_groups(table, store.table(stored).labels(by))
