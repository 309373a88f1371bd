"""Start a run: choose test cases, metrics and a judge, see an estimate, start. The run's own page follows it live."""

from itertools import islice
from typing import Any

from fastapi import APIRouter, Request
from pydantic import BaseModel, ConfigDict, Field
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData
from starlette.responses import RedirectResponse, Response

from ragstone.api import estimate
from ragstone.case import TestCase
from ragstone.dashboard.context import AppContext, ContextDep
from ragstone.dashboard.rendering import view
from ragstone.dashboard.routes import offers
from ragstone.dashboard.security.trail import Trail, TrailDep
from ragstone.dashboard.services import catalogue
from ragstone.dashboard.services.evaluate_form import chosen_columns, dataset_id, read_run_request
from ragstone.dashboard.services.run_manager import RunManager, RunManagerDep
from ragstone.dashboard.services.run_request import RunRequest, data_of, evaluate_arguments
from ragstone.dashboard.services.uploads import NoReadableRow, Uploads
from ragstone.datasets.load import DEMO, read_columns, read_dataset, source_name
from ragstone.datasets.rows.field_names import fields_by_name
from ragstone.datasets.rows.row import BadRow
from ragstone.errors import UsageError
from ragstone.metrics.base.catalog import DEFAULT_PRESET, PRESETS
from ragstone.options import form_options
from ragstone.runner.estimate import EstimateRange

router = APIRouter()
_MAX_PREVIEWED = 10
_PREVIEWED_FIELDS = (
    "input",
    "actual_output",
    "expected_output",
    "retrieval_context",
    "context",
    "tags",
    "metadata",
)
"""Fields of a test case that a preview shows, if any of the cases has them."""
_MAPPED_FIELDS = ("input", "actual_output", "expected_output", "retrieval_context", "context")
"""Fields whose columns can be chosen on the page."""
_FORM_LIMITS = {"max_files": 1, "max_fields": 400, "max_part_size": 8_000_000}


class StartedRun(BaseModel):
    """A run that has begun.

    Attributes:
        id: its id under `/api/runs`.
    """

    model_config = ConfigDict(frozen=True)

    id: str


class CostRange(BaseModel):
    """A range with its lower and upper end."""

    model_config = ConfigDict(frozen=True)

    least: float = Field(ge=0)
    most: float = Field(ge=0)


class CostEstimate(BaseModel):
    """Estimated calls, tokens and cost of a run; `cost` in US dollars is None where no price is known."""

    model_config = ConfigDict(frozen=True)

    judge: str
    cases: int
    calls: CostRange
    input_tokens: CostRange
    output_tokens: CostRange
    cost: CostRange | None


@router.get("/evaluate", include_in_schema=False)
def page(request: Request, ctx: ContextDep) -> Response:
    """Show the form."""
    return _form_page(request, ctx)


@router.post("/evaluate", include_in_schema=False)
async def begin(request: Request, ctx: ContextDep, run_manager: RunManagerDep, trail: TrailDep) -> Response:
    """Start the run of the form, and go to its page."""

    def started(form: FormData) -> str:
        return _start(read_run_request(form, ctx), ctx, run_manager, trail)

    async with request.form(**_FORM_LIMITS) as form:
        try:
            return RedirectResponse(f"/runs/{await run_in_threadpool(started, form)}", 303)
        except UsageError as error:
            return await run_in_threadpool(_form_page, request, ctx, str(error))


@router.post("/evaluate/estimate", include_in_schema=False)
async def reckon(request: Request, ctx: ContextDep) -> Response:
    """Show the estimate for the run of the form."""

    def reckoned(form: FormData) -> CostEstimate:
        return _cost_estimate(read_run_request(form, ctx), ctx)

    async with request.form(**_FORM_LIMITS) as form:
        try:
            return view(request, "_estimate.html", costs=await run_in_threadpool(reckoned, form), wrong="")
        except UsageError as error:
            return view(request, "_estimate.html", costs=None, wrong=str(error))


@router.post("/evaluate/preview", include_in_schema=False)
async def preview(request: Request, ctx: ContextDep) -> Response:
    """Show the first test cases of the form as they were read."""
    async with request.form(**_FORM_LIMITS) as form:
        shown = await run_in_threadpool(_previewed, form, ctx)
        return view(request, "_preview.html", chosen=chosen_columns(form), **shown)


def _previewed(form: FormData, ctx: AppContext) -> dict[str, Any]:
    """Return the first test cases of a form, and the columns from which their fields are read."""
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
def start(order: RunRequest, ctx: ContextDep, run_manager: RunManagerDep, trail: TrailDep) -> StartedRun:
    """Start a run in this server, which stores its results."""
    return StartedRun(id=_start(order, ctx, run_manager, trail))


@router.post("/api/estimates", tags=["runs"], responses=offers.REFUSED)
def reckoned(order: RunRequest, ctx: ContextDep) -> CostEstimate:
    """Return the estimated calls, tokens and dollars of a run, without asking the judge."""
    return _cost_estimate(order, ctx)


def _start(order: RunRequest, ctx: AppContext, run_manager: RunManager, trail: Trail) -> str:
    data, chosen = evaluate_arguments(order, ctx)
    run = run_manager.start(data, **chosen)
    trail.note(run, order.name or "")
    return run


def _cost_estimate(order: RunRequest, ctx: AppContext) -> CostEstimate:
    data, chosen = evaluate_arguments(order, ctx)
    costs = estimate(data, **chosen)
    return CostEstimate(
        judge=costs.judge,
        cases=costs.cases,
        calls=_cost_range(costs.calls),
        input_tokens=_cost_range(costs.input_tokens),
        output_tokens=_cost_range(costs.output_tokens),
        cost=None if costs.cost is None else _cost_range(costs.cost),
    )


def _cost_range(span: EstimateRange) -> CostRange:
    return CostRange(least=span.least, most=span.most)


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
        earlier=Uploads(ctx.folder).list()[:20],
        chosen=ctx.settings.preset or "rag",
    )
