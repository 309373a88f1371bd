"""One run: how far it is, each metric's card, and its test cases, the worst first. Live while it goes on."""

from typing import Annotated, Any

from fastapi import APIRouter, Form, Request
from starlette.responses import RedirectResponse, Response

from ragstone.dashboard._asking import PAGE, Asking, AskingOf, other_run
from ragstone.dashboard._bench import Bench, BenchOf
from ragstone.dashboard._board import Board, BoardOf
from ragstone.dashboard._gauges import GaugesOf, Reading
from ragstone.dashboard._naming import dataset_of
from ragstone.dashboard._order import to_resume
from ragstone.dashboard._uploads import Uploads
from ragstone.dashboard._views import view
from ragstone.datasets._load import DEMO
from ragstone.store import CaseQuery, StoredRun

router = APIRouter(include_in_schema=False)


@router.get("/runs/{run}")
def page(  # noqa: PLR0917  (as FastAPI hands them in)
    request: Request, run: str, asking: AskingOf, board: BoardOf, gauges: GaugesOf, bench: BenchOf
) -> Response:
    """Show the run."""
    stored = board.store.find(run)
    reading = gauges.of(stored)
    return view(
        request,
        "run.html",
        **head(reading, board, bench),
        **behind(reading, asking, board, gauges),
        **_table(reading, asking, board),
        asking=asking,
        latency=reading.figures.latency_ms,
        rejected=stored.rejected,
        notes=stored.run.notes,
        baselines=board.store.baselines.all(),
    )


@router.post("/runs/{run}/stop")
def stop(run: str, board: BoardOf, bench: BenchOf) -> Response:
    """Stop a run that goes on here."""
    stored = board.store.find(run)
    bench.stop(stored.run.id)
    bench.wait(stored.run.id)
    return _back(stored)


@router.post("/runs/{run}/resume")
def resume(run: str, board: BoardOf, bench: BenchOf) -> Response:
    """Go on with a run that was stopped."""
    stored = board.store.find(run)
    data, chosen = to_resume(stored.run, board)
    bench.start(data, **chosen)
    return _back(stored)


@router.post("/runs/{run}/baseline")
def baseline(run: str, board: BoardOf, name: Annotated[str, Form(max_length=200)]) -> Response:
    """Let the run be the baseline of that name."""
    stored = board.store.find(run)
    board.store.baselines.put(name, stored.number)
    return _back(stored)


@router.post("/runs/{run}/delete")
def delete(run: str, board: BoardOf, bench: BenchOf) -> Response:
    """Remove the run for good."""
    stored = board.store.find(run)
    if bench.stop(stored.run.id):
        bench.wait(stored.run.id)
    board.store.delete(stored)
    return RedirectResponse("/", 303)


def head(reading: Reading, board: Board, bench: Bench) -> dict[str, Any]:
    """Return what the head of the page shows."""
    run, progress = reading.stored.run, reading.line.progress
    ours = Uploads(board.folder).known(run.plan.dataset) is not None or run.plan.dataset == DEMO
    unfinished = progress.state in ("incomplete", "silent")
    return {
        "run": run,
        "reading": reading,
        "line": reading.line,
        "dataset": dataset_of(run.plan.dataset, board.folder),
        "stoppable": bench.goes_on(run.id),
        "resumable": unfinished and ours,
        "elsewhere": unfinished and not ours,
        "where": board.store.where,
    }


def behind(reading: Reading, asking: Asking, board: Board, gauges: GaugesOf) -> dict[str, Any]:
    """Return the run that is drawn in grey behind: the one asked for, or the first baseline that is another run."""
    others = [found.name for found in board.store.baselines.all() if found.run != reading.stored.run.id]
    name = asking.flipped or ("main" if "main" in others else next(iter(others), ""))
    other = other_run(board.store, name)
    if other is None or other.number == reading.line.number:
        return {"against": {}, "against_name": "", "against_run": ""}
    return {"against": gauges.of(other).by_spec(), "against_name": name, "against_run": other.run.id}


def _table(reading: Reading, asking: Asking, board: Board) -> dict[str, Any]:
    """Return the page of the table. Of a run that goes on it shows the end, where new rows come."""
    table = board.store.table(reading.stored)
    growing = reading.line.progress.state == "running" and not (asking.sort or asking.filtered)
    query = asking.query(board.store)
    if growing:
        query = CaseQuery(sort="recent", descending=True, limit=PAGE)
    found = table.page(query)
    lines = found.lines[::-1] if growing else found.lines
    return {
        "lines": lines,
        "reasons": table.reasons([line.case_index for line in lines]),
        "count": found.count,
        "growing": growing,
        "way": "?sort=recent" if growing else asking.way(),
        "pages": max(1, -(-found.count // PAGE)),
        "size": PAGE,
    }


def _back(stored: StoredRun) -> Response:
    return RedirectResponse(f"/runs/{stored.run.id}", 303)
