"""Why the test cases of a run failed: the causes with their shares, where failures are frequent, the evidence."""

import json
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from ragstone.dashboard.context import ContextDep
from ragstone.dashboard.rendering import view
from ragstone.dashboard.routes.results import UNKNOWN
from ragstone.dashboard.services.comparison import name_of
from ragstone.reports.diagnosis import Diagnosis, explain
from ragstone.reports.diagnosis.figures import (
    similar_examples,
    similar_name,
    similar_sentence,
    similar_text,
    slice_name,
    slice_text,
    slices_sentence,
    worth_assumption,
    worth_text,
)
from ragstone.reports.stored import report_from_store
from ragstone.reports.view.refusals import abstention_rows, interval_text
from ragstone.store import Store

router = APIRouter()
_MOST_CASES = 12
_MOST_SLICES = 8
_EXAMPLES = 3

Cluster = Annotated[
    str, Query(max_length=200, description="Key of the metadata by which test cases are grouped.")
]


@router.get("/runs/{run}/why", include_in_schema=False)
def page(request: Request, run: str, ctx: ContextDep, cluster: Cluster = "") -> Response:
    """Show the causes."""
    found = _explained(ctx.store, run, cluster)
    slices = found.slices.found[:_MOST_SLICES] if found.slices else ()
    similar = found.similar.found[:_MOST_SLICES] if found.similar else ()
    return view(
        request,
        "why.html",
        run=found.report.run,
        name=name_of(found.report.run),
        found=found,
        places=ctx.store.cases(ctx.store.find(run)).places(),
        most=_MOST_CASES,
        interval_text=interval_text,
        worth_text=worth_text,
        assumption=worth_assumption(found),
        refusals=abstention_rows(found.abstention),
        slices=[(slice_name(one), slice_text(one)) for one in slices],
        slices_sentence=slices_sentence(found.slices),
        similar=[
            (similar_name(one), similar_text(one), similar_examples(found, one, _EXAMPLES)) for one in similar
        ],
        similar_sentence=similar_sentence(found),
    )


@router.get("/api/runs/{run}/why", tags=["runs"], responses=UNKNOWN)
def why(run: str, ctx: ContextDep, cluster: Cluster = "") -> dict[str, Any]:
    """Return the cause of each failure of a run, and the shares of the causes, as `ragstone explain` writes them."""
    return json.loads(_explained(ctx.store, run, cluster).to_json())


def _explained(store: Store, run: str, cluster: str) -> Diagnosis:
    return explain(report_from_store(store, store.find(run)), cluster=cluster or None)
