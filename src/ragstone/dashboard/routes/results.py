"""API of runs: figures, results page by page; stop, resume, delete; baselines, which are names such as `main`."""

from typing import Annotated

from fastapi import APIRouter, HTTPException, Path, Query
from pydantic import BaseModel, Field

from ragstone.dashboard.context import AppContext, ContextDep, RunDep
from ragstone.dashboard.routes.evaluate import StartedRun
from ragstone.dashboard.routes.offers import REFUSED, Responses
from ragstone.dashboard.security.access import Trail, TrailDep
from ragstone.dashboard.services.comparison import name_of
from ragstone.dashboard.services.run_request import to_resume
from ragstone.dashboard.views.case_filter import CaseFilterDep
from ragstone.dashboard.views.runs import CaseRow, RunDetail, case_row, run_figures

router = APIRouter(prefix="/api")
UNKNOWN: Responses = {404: {"description": "there is no such run"}}
Name = Annotated[str, Path(min_length=1, max_length=200)]
RetryFailed = Annotated[
    bool, Query(alias="retry_failed", description="Measure results that an error prevented again.")
]


class ResultPage(BaseModel, frozen=True):
    """One page of test cases; `count` is how many there are on all pages."""

    count: int
    cases: list[CaseRow]


class NamedBaseline(BaseModel, frozen=True):
    """A name and the id of its run."""

    name: str
    run: str


class BaselineTarget(BaseModel, frozen=True, extra="forbid"):
    """The run that a name will refer to: its id, the beginning of it, its name, or `last`."""

    run: str = Field(min_length=1, max_length=200)


@router.get("/runs/{run}", tags=["runs"], responses=UNKNOWN)
def figures(stored: RunDep, ctx: ContextDep) -> RunDetail:
    """Return a run with its figures. `run` is its id, the beginning of it, its name, or `last`."""
    return run_figures(ctx.figures_cache.of(stored), ctx.uploads.name_of(stored.run.plan.dataset))


@router.get("/runs/{run}/results", tags=["runs"], responses={**UNKNOWN, **REFUSED})
def results(
    stored: RunDep,
    case_filter: CaseFilterDep,
    ctx: ContextDep,
    size: Annotated[int, Query(ge=1, le=500)] = 50,
) -> ResultPage:
    """Return the test cases of a run with their results, the worst first unless asked for otherwise."""
    table = ctx.store.table(stored)
    page = table.page(case_filter.query(ctx.store, size))
    reasons = table.reasons([line.case_index for line in page.lines])
    specs = [*stored.run.plan.metrics]
    rows = [case_row(line, reasons.get(line.case_index, ""), specs) for line in page.lines]
    return ResultPage(count=page.count, cases=rows)


@router.post(
    "/runs/{run}/stop",
    tags=["runs"],
    responses={**UNKNOWN, 409: {"description": "it is not running in this server"}},
)
def stop(stored: RunDep, ctx: ContextDep, trail: TrailDep) -> StartedRun:
    """Stop a run that was started here. Its results are kept, and it can be resumed."""
    if not ctx.run_manager.stop(stored.run.id):
        raise HTTPException(409, f"The run {stored.run.id} is not running in this server.")
    trail.note(stored.run.id)
    return StartedRun(id=stored.run.id)


@router.post("/runs/{run}/resume", tags=["runs"], responses={**UNKNOWN, **REFUSED})
def resume(
    run: str,
    ctx: ContextDep,
    trail: TrailDep,
    retry: RetryFailed = False,  # noqa: FBT002  (a parameter of the address)
) -> StartedRun:
    """Resume a stopped run. The judge is not asked again for answers that are stored."""
    data, chosen = to_resume(ctx.store.find(run).run, ctx)
    started = StartedRun(id=ctx.run_manager.start(data, **chosen, retry_failed=retry))
    trail.note(started.id, "failed results again" if retry else "")
    return started


@router.delete("/runs/{run}", tags=["runs"], status_code=204, responses=UNKNOWN)
def delete(run: str, ctx: ContextDep, trail: TrailDep) -> None:
    """Delete a run for good; one that is active here is stopped first."""
    delete_runs([run], ctx, trail)


def delete_runs(runs: list[str], ctx: AppContext, trail: Trail) -> None:
    """Delete runs, each named by its whole id: all of them, or none where there is no such run."""
    for stored in [ctx.run_of_id(run) for run in runs]:
        ctx.run_manager.stop(stored.run.id)
        ctx.store.delete(stored, trail.entry(stored.run.id, name_of(stored.run)))


@router.get("/baselines", tags=["baselines"])
def baselines(ctx: ContextDep) -> list[NamedBaseline]:
    """Return the baselines by name."""
    return [NamedBaseline(name=baseline.name, run=baseline.run) for baseline in ctx.store.baselines.all()]


@router.put(
    "/baselines/{name}",
    tags=["baselines"],
    responses={400: {"description": "the name is not valid"}, 404: {"description": "there is no such run"}},
)
def put(name: Name, wanted: BaselineTarget, ctx: ContextDep, trail: TrailDep) -> NamedBaseline:
    """Make a run the baseline of that name."""
    stored = ctx.store.find(wanted.run)
    ctx.store.baselines.put(name, stored.number)
    trail.note(stored.run.id, name)
    return NamedBaseline(name=name, run=stored.run.id)


@router.delete(
    "/baselines/{name}",
    tags=["baselines"],
    status_code=204,
    responses={404: {"description": "there is no such baseline"}},
)
def remove(name: Name, ctx: ContextDep, trail: TrailDep) -> None:
    """Remove a baseline, but not its run."""
    if not ctx.store.baselines.remove(name):
        raise HTTPException(404, f"There is no baseline {name[:200]!r}.")
    trail.note("", f"removed {name}")
