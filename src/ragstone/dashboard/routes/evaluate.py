"""Start a run: choose test cases, metrics and a judge, see an estimate, start. The run's own page follows it live."""

from itertools import islice
from typing import Any

from fastapi import APIRouter, Request
from pydantic import BaseModel
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData
from starlette.responses import RedirectResponse, Response

from ragstone.api import estimate
from ragstone.case import TestCase
from ragstone.dashboard.context import AppContext, ContextDep
from ragstone.dashboard.rendering import view
from ragstone.dashboard.routes import offers
from ragstone.dashboard.security.access import Trail, TrailDep
from ragstone.dashboard.services import catalogue
from ragstone.dashboard.services.run_request import (
    RunRequest,
    chosen_columns,
    data_of,
    dataset_id,
    evaluate_arguments,
    read_run_request,
)
from ragstone.dashboard.services.uploads import NoReadableRow
from ragstone.datasets.load import DEMO, read_columns, read_dataset, source_name
from ragstone.datasets.rows.field_names import fields_by_name
from ragstone.datasets.rows.row import BadRow
from ragstone.errors import UsageError
from ragstone.metrics.base.catalog import DEFAULT_PRESET, PRESETS
from ragstone.options import form_options
from ragstone.runner import RunEstimate

router = APIRouter()
_MAX_PREVIEWED = 10
_MAPPED_FIELDS = ("input", "actual_output", "expected_output", "retrieval_context", "context")
_PREVIEWED_FIELDS = (*_MAPPED_FIELDS, "tags", "metadata")  # that some of the test cases have
_FORM_LIMITS = {"max_files": 1, "max_fields": 400, "max_part_size": 8_000_000}


class StartedRun(BaseModel, frozen=True):
    """A run that has begun, by its id under `/api/runs`."""

    id: str


@router.get("/evaluate", include_in_schema=False)
def page(request: Request, ctx: ContextDep) -> Response:
    """Show the form."""
    return _form_page(request, ctx)


@router.post("/evaluate", include_in_schema=False)
async def begin(request: Request, ctx: ContextDep, trail: TrailDep) -> Response:
    """Start the run of the form, and go to its page."""
    async with request.form(**_FORM_LIMITS) as form:
        try:
            order = await run_in_threadpool(read_run_request, form, ctx)
            return RedirectResponse(f"/runs/{await run_in_threadpool(_start, order, ctx, trail)}", 303)
        except UsageError as error:
            return await run_in_threadpool(_form_page, request, ctx, str(error))


@router.post("/evaluate/estimate", include_in_schema=False)
async def estimate_here(request: Request, ctx: ContextDep) -> Response:
    """Show the estimate for the run of the form."""
    costs, wrong = None, ""
    async with request.form(**_FORM_LIMITS) as form:
        try:
            order = await run_in_threadpool(read_run_request, form, ctx)
            costs = await run_in_threadpool(estimate_run, order, ctx)
        except UsageError as error:
            wrong = str(error)
    return view(request, "_estimate.html", costs=costs, wrong=wrong)


@router.post("/evaluate/preview", include_in_schema=False)
async def preview(request: Request, ctx: ContextDep) -> Response:
    """Show the first test cases of the form as they were read."""
    async with request.form(**_FORM_LIMITS) as form:
        shown = await run_in_threadpool(_previewed, form, ctx)
        return view(request, "_preview.html", chosen=chosen_columns(form), **shown)


def _previewed(form: FormData, ctx: AppContext) -> dict[str, Any]:
    rows: list[TestCase | BadRow] = []
    columns, wrong = list[str](), ""
    try:
        data = data_of(dataset_id(form, ctx), ctx)
        rows = [*islice(read_dataset(data), _MAX_PREVIEWED)]
        columns = [] if data == DEMO else read_columns(source_name(data))
    except NoReadableRow as error:
        columns, wrong = error.columns, str(error)
    except UsageError as error:
        wrong = str(error)
    cases = [row for row in rows if isinstance(row, TestCase)]
    return {
        "cases": cases,
        "fields": [name for name in _PREVIEWED_FIELDS if any(case.get(name) for case in cases)],
        "bad": [str(row) for row in rows if not isinstance(row, TestCase)],
        "columns": columns,
        "by_name": fields_by_name(columns),
        "mapped": _MAPPED_FIELDS,
        "wrong": wrong,
    }


@router.post("/api/runs", status_code=201, tags=["runs"], responses=offers.REFUSED)
def start(order: RunRequest, ctx: ContextDep, trail: TrailDep) -> StartedRun:
    """Start a run in this server, which stores its results."""
    return StartedRun(id=_start(order, ctx, trail))


@router.post("/api/estimates", tags=["runs"], responses=offers.REFUSED)
def estimate_run(order: RunRequest, ctx: ContextDep) -> RunEstimate:
    """Return the estimated calls, tokens and dollars of a run, without asking the judge."""
    data, chosen = evaluate_arguments(order, ctx)
    return estimate(data, **chosen)


def _start(order: RunRequest, ctx: AppContext, trail: Trail) -> str:
    data, chosen = evaluate_arguments(order, ctx)
    run = ctx.run_manager.start(data, **chosen)
    trail.note(run, order.name or "")
    return run


def _form_page(request: Request, ctx: AppContext, wrong: str = "") -> Response:
    metrics = [
        metric
        for metric in offers.metrics()
        if not any(option.default == "required" for option in metric.options)
    ]
    common = [metric for name in PRESETS[DEFAULT_PRESET] for metric in metrics if metric.name == name]
    return view(
        request,
        "evaluate.html",
        400 if wrong else 200,
        wrong=wrong,
        often=common,
        others=[metric for metric in metrics if metric not in common],
        presets=offers.presets(ctx),
        judges=catalogue.judges(ctx.settings),
        apps=sorted(ctx.settings.apps),
        options=form_options(),
        earlier=ctx.uploads.list()[:20],
        chosen=ctx.settings.preset or "rag",
    )
