"""A run for scripts: its figures, its results a page at a time, and what is done with it."""

from typing import Annotated

from fastapi import APIRouter, HTTPException, Query
from pydantic import BaseModel, ConfigDict

from ragstone.dashboard._asking import AskingOf
from ragstone.dashboard._bench import BenchOf
from ragstone.dashboard._board import BoardOf
from ragstone.dashboard._gauges import GaugesOf
from ragstone.dashboard._naming import dataset_of
from ragstone.dashboard._order import to_resume
from ragstone.dashboard._shapes import CaseRow, RunFigures, case_row, run_figures
from ragstone.dashboard.evaluate import Begun
from ragstone.dashboard.offers import REFUSED, Told

router = APIRouter(prefix="/api/runs/{run}", tags=["runs"])
UNKNOWN: Told = {404: {"description": "there is no such run"}}


class Results(BaseModel):
    """Test cases that were asked for.

    Attributes:
        count: how many there are on all pages.
        cases: those of this page.
    """

    model_config = ConfigDict(frozen=True)

    count: int
    cases: list[CaseRow]


@router.get("", responses=UNKNOWN)
def figures(run: str, board: BoardOf, gauges: GaugesOf) -> RunFigures:
    """Return a run with its figures. `run` is its id, the beginning of it, its name, or `last`."""
    stored = board.store.find(run)
    return run_figures(gauges.of(stored), dataset_of(stored.run.plan.dataset, board.folder))


@router.get("/results", responses={**UNKNOWN, **REFUSED})
def results(
    run: str, asking: AskingOf, board: BoardOf, size: Annotated[int, Query(ge=1, le=500)] = 50
) -> Results:
    """Return the test cases of a run with their results, the worst first unless asked for otherwise."""
    stored = board.store.find(run)
    table = board.store.table(stored)
    found = table.page(asking.query(board.store, size))
    reasons = table.reasons([line.case_index for line in found.lines])
    specs = [*stored.run.plan.metrics]
    rows = [case_row(line, reasons.get(line.case_index, ""), specs) for line in found.lines]
    return Results(count=found.count, cases=rows)


@router.post("/stop", responses={**UNKNOWN, 409: {"description": "it does not go on in this server"}})
def stop(run: str, board: BoardOf, bench: BenchOf) -> Begun:
    """Stop a run that was started here. What it has is kept, and it can be resumed."""
    stored = board.store.find(run)
    if not bench.stop(stored.run.id):
        raise HTTPException(409, f"The run {stored.run.id} does not go on in this server.")
    bench.wait(stored.run.id)
    return Begun(id=stored.run.id)


@router.post("/resume", responses={**UNKNOWN, **REFUSED})
def resume(run: str, board: BoardOf, bench: BenchOf) -> Begun:
    """Go on with a run that was stopped. What was answered is not asked again."""
    stored = board.store.find(run)
    data, chosen = to_resume(stored.run, board)
    return Begun(id=bench.start(data, **chosen))


@router.delete("", status_code=204, responses=UNKNOWN)
def delete(run: str, board: BoardOf, bench: BenchOf) -> None:
    """Remove a run for good; one that goes on here is stopped first."""
    stored = board.store.find(run)
    if bench.stop(stored.run.id):
        bench.wait(stored.run.id)
    board.store.delete(stored)
