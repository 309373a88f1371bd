"""Evaluate: choose test cases, metrics and a judge, see what it will take, start. Then the run's own page goes live."""

from fastapi import APIRouter, Request
from pydantic import BaseModel, ConfigDict, Field
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData
from starlette.responses import RedirectResponse, Response

from ragstone.api import estimate
from ragstone.dashboard import _offers, offers
from ragstone.dashboard._bench import BenchOf
from ragstone.dashboard._board import Board, BoardOf
from ragstone.dashboard._form import read_order
from ragstone.dashboard._order import Order, asked
from ragstone.dashboard._uploads import Uploads
from ragstone.dashboard._views import view
from ragstone.errors import UsageError
from ragstone.runner.estimate import Span

router = APIRouter()
_BOUNDS = {"max_files": 1, "max_fields": 400, "max_part_size": 8_000_000}
_FIRST_TO_SEE = (
    "faithfulness",
    "answer_relevancy",
    "contextual_precision",
    "contextual_recall",
    "hallucination",
)


class Begun(BaseModel):
    """A run that has begun.

    Attributes:
        id: by which it is found under `/api/runs`.
    """

    model_config = ConfigDict(frozen=True)

    id: str


class Range(BaseModel):
    """From the least to the most."""

    model_config = ConfigDict(frozen=True)

    least: float = Field(ge=0)
    most: float = Field(ge=0)


class Costs(BaseModel):
    """What a run will take; `cost` in US dollars is None where no price is known."""

    model_config = ConfigDict(frozen=True)

    judge: str
    cases: int
    calls: Range
    input_tokens: Range
    output_tokens: Range
    cost: Range | None


@router.get("/evaluate", include_in_schema=False)
def page(request: Request, board: BoardOf) -> Response:
    """Show the form."""
    return _form(request, board)


@router.post("/evaluate", include_in_schema=False)
async def begin(request: Request, board: BoardOf, bench: BenchOf) -> Response:
    """Start what the form asks for, and go to its page."""

    def started(form: FormData) -> str:
        data, chosen = asked(read_order(form, board), board)
        return bench.start(data, **chosen)

    async with request.form(**_BOUNDS) as form:
        try:
            return RedirectResponse(f"/runs/{await run_in_threadpool(started, form)}", 303)
        except UsageError as error:
            return await run_in_threadpool(_form, request, board, str(error))


@router.post("/evaluate/estimate", include_in_schema=False)
async def reckon(request: Request, board: BoardOf) -> Response:
    """Show what the form would take."""

    def reckoned(form: FormData) -> Costs:
        return _costs(read_order(form, board), board)

    async with request.form(**_BOUNDS) as form:
        try:
            return view(request, "_estimate.html", costs=await run_in_threadpool(reckoned, form), wrong="")
        except UsageError as error:
            return view(request, "_estimate.html", costs=None, wrong=str(error))


@router.post("/api/runs", status_code=201, tags=["runs"], responses=offers.REFUSED)
def start(order: Order, board: BoardOf, bench: BenchOf) -> Begun:
    """Start a run. It goes on in this server, and is kept in its store."""
    data, chosen = asked(order, board)
    return Begun(id=bench.start(data, **chosen))


@router.post("/api/estimates", tags=["runs"], responses=offers.REFUSED)
def reckoned(order: Order, board: BoardOf) -> Costs:
    """Return what a run would take: calls, tokens and dollars. Nothing is asked of the judge."""
    return _costs(order, board)


def _costs(order: Order, board: Board) -> Costs:
    data, chosen = asked(order, board)
    known = {
        name: chosen[name]
        for name in ("metrics", "preset", "judge", "on_missing", "limit", "repeats", "cache")
    }
    found = estimate(data, **known)
    return Costs(
        judge=found.judge,
        cases=found.cases,
        calls=_range(found.calls),
        input_tokens=_range(found.input_tokens),
        output_tokens=_range(found.output_tokens),
        cost=None if found.cost is None else _range(found.cost),
    )


def _range(span: Span) -> Range:
    return Range(least=span.least, most=span.most)


def _form(request: Request, board: Board, wrong: str = "") -> Response:
    metrics = [
        metric for metric in offers.metrics() if not any(one.default == "required" for one in metric.options)
    ]
    often = [metric for name in _FIRST_TO_SEE for metric in metrics if metric.name == name]
    return view(
        request,
        "evaluate.html",
        400 if wrong else 200,
        wrong=wrong,
        often=often,
        others=[metric for metric in metrics if metric not in often],
        presets=offers.presets(board),
        judges=_offers.judges(board.settings),
        earlier=Uploads(board.folder).list()[:20],
        chosen=board.settings.preset or "rag",
    )
