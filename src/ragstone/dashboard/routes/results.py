"""API of one run: its figures, its results page by page; stop, resume, delete."""

from typing import Annotated

from fastapi import APIRouter, HTTPException, Query
from pydantic import BaseModel, ConfigDict

from ragstone.dashboard.context import ContextDep
from ragstone.dashboard.deps import dataset_name, run_of_id
from ragstone.dashboard.routes.evaluate import StartedRun
from ragstone.dashboard.routes.offers import REFUSED, Responses
from ragstone.dashboard.schemas.runs import CaseRow, RunDetail, case_row, run_figures
from ragstone.dashboard.security.trail import TrailDep
from ragstone.dashboard.services.comparison import name_of
from ragstone.dashboard.services.figures_cache import FiguresCacheDep
from ragstone.dashboard.services.run_manager import RunManagerDep
from ragstone.dashboard.services.run_request import to_resume
from ragstone.dashboard.views.case_filter import CaseFilterDep

router = APIRouter(prefix="/api/runs/{run}", tags=["runs"])
UNKNOWN: Responses = {404: {"description": "there is no such run"}}

RetryFailed = Annotated[
    bool, Query(alias="retry_failed", description="Measure results that an error prevented again.")
]


class ResultPage(BaseModel):
    """One page of test cases.

    Attributes:
        count: how many there are on all pages.
        cases: those of this page.
    """

    model_config = ConfigDict(frozen=True)

    count: int
    cases: list[CaseRow]


@router.get("", responses=UNKNOWN)
def figures(run: str, ctx: ContextDep, figures_cache: FiguresCacheDep) -> RunDetail:
    """Return a run with its figures. `run` is its id, the beginning of it, its name, or `last`."""
    stored = ctx.store.find(run)
    return run_figures(figures_cache.of(stored), dataset_name(stored.run.plan.dataset, ctx.folder))


@router.get("/results", responses={**UNKNOWN, **REFUSED})
def results(
    run: str, case_filter: CaseFilterDep, ctx: ContextDep, size: Annotated[int, Query(ge=1, le=500)] = 50
) -> ResultPage:
    """Return the test cases of a run with their results, the worst first unless asked for otherwise."""
    stored = ctx.store.find(run)
    table = ctx.store.table(stored)
    result_page = table.page(case_filter.query(ctx.store, size))
    reasons = table.reasons([line.case_index for line in result_page.lines])
    specs = [*stored.run.plan.metrics]
    rows = [case_row(line, reasons.get(line.case_index, ""), specs) for line in result_page.lines]
    return ResultPage(count=result_page.count, cases=rows)


@router.post("/stop", responses={**UNKNOWN, 409: {"description": "it is not running in this server"}})
def stop(run: str, ctx: ContextDep, run_manager: RunManagerDep, trail: TrailDep) -> StartedRun:
    """Stop a run that was started here. Its results are kept, and it can be resumed."""
    stored = ctx.store.find(run)
    if not run_manager.stop(stored.run.id):
        raise HTTPException(409, f"The run {stored.run.id} is not running in this server.")
    run_manager.wait(stored.run.id)
    trail.note(stored.run.id)
    return StartedRun(id=stored.run.id)


@router.post("/resume", responses={**UNKNOWN, **REFUSED})
def resume(
    run: str,
    ctx: ContextDep,
    run_manager: RunManagerDep,
    trail: TrailDep,
    retry: RetryFailed = False,  # noqa: FBT002  (a parameter of the address)
) -> StartedRun:
    """Resume a stopped run. The judge is not asked again for answers that are stored."""
    stored = ctx.store.find(run)
    data, chosen = to_resume(stored.run, ctx)
    started = StartedRun(id=run_manager.start(data, **chosen, retry_failed=retry))
    trail.note(started.id, "failed results again" if retry else "")
    return started


@router.delete("", status_code=204, responses=UNKNOWN)
def delete(run: str, ctx: ContextDep, run_manager: RunManagerDep, trail: TrailDep) -> None:
    """Delete a run for good; one that is active here is stopped first."""
    stored = run_of_id(ctx.store, run)
    if run_manager.stop(stored.run.id):
        run_manager.wait(stored.run.id)
    ctx.store.delete(stored, trail.entry(stored.run.id, name_of(stored.run)))
