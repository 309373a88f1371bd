"""One run: progress, a card per metric, and its test cases, worst first. Updated live."""

from asyncio import to_thread
from functools import lru_cache
from typing import Annotated, Any

from fastapi import APIRouter, Form, Request
from starlette.responses import RedirectResponse, Response

from ragstone.dashboard.context import AppContext, ContextDep, RunDep
from ragstone.dashboard.rendering import view
from ragstone.dashboard.routes import results
from ragstone.dashboard.security.access import TrailDep
from ragstone.dashboard.services.comparison import name_of
from ragstone.dashboard.services.comparison_jobs import MAX_WAIT_SECONDS, settled
from ragstone.dashboard.services.figures_cache import RunSnapshot
from ragstone.dashboard.views.case_filter import PAGE, CaseFilter, CaseFilterDep, other_run
from ragstone.dashboard.views.runs import case_columns, line_headline
from ragstone.datasets.load import DEMO
from ragstone.findings.stored import baseline_of
from ragstone.findings.view.failures import ErrorGroup, group_results
from ragstone.findings.view.metric_names import metric_names
from ragstone.findings.view.report_view import accuracy_of
from ragstone.findings.view.turn_results import conversation_breaks, is_per_turn
from ragstone.store import CaseQuery, Store
from ragstone.store.write.stored_run import NOTE

router = APIRouter(include_in_schema=False)
_CHANGE_WAIT_SECONDS = 0.05  # for the change against the baseline, enough for small runs
_MANY_RESULTS = 2_000  # results from which on finding their causes takes longer than a page may
_MAX_TURN_RESULTS = 5_000  # results up to which the broken conversations of a run are told
_MAX_ERRORS = 5_000  # results without a score whose errors are read


@router.get("/runs/{run}")
def page(request: Request, stored: RunDep, case_filter: CaseFilterDep, ctx: ContextDep) -> Response:
    """Show the run. The causes of the misses of a large run are found meanwhile: the next page is often *Why*."""
    snapshot = ctx.figures_cache.of(stored)
    progress = snapshot.line.progress
    if progress.state != "running" and progress.done >= _MANY_RESULTS:
        ctx.why_pages.ask([stored])
    return view(
        request,
        "run.html",
        **head(snapshot, ctx),
        **baseline_view(snapshot, case_filter, ctx),
        **_table_values(snapshot, case_filter, ctx),
        case_filter=case_filter,
        latency=snapshot.figures.latency_ms,
        rejected=stored.rejected,
        notes=[text for text in stored.run.notes if not text.startswith(NOTE)],
        note=next((text[len(NOTE) :] for text in stored.run.notes if text.startswith(NOTE)), ""),
        judge_accuracy=accuracy_of(
            stored.run.plan, asked=any(metric.calls for metric in snapshot.line.metrics)
        ),
        baselines=ctx.store.baselines.all(),
    )


@router.get("/runs/{run}/change")
async def change(
    request: Request,
    stored: RunDep,
    ctx: ContextDep,
    flipped: str = "",
    short: bool = False,  # noqa: FBT001, FBT002  (part of the address)
) -> Response:
    """Show how the run changed against its baseline, as a fragment of its page or of the list."""
    other = await to_thread(lambda: other_run(ctx.store, flipped) or baseline_of(ctx.store, stored))
    found = None
    if other is not None:
        asked = await to_thread(ctx.run_changes.ask, [other, stored])
        found = await settled(asked, MAX_WAIT_SECONDS)
    if not flipped and (found is not None or other is None):
        await to_thread(ctx.run_changes.remember, stored.run.id, found)
    shown = {"run": stored.run.id, "against_run": other.run.id if other else "", "change": found}
    return await to_thread(view, request, "_change.html", short=short, **shown)


@router.post("/runs/{run}/stop")
def stop(stored: RunDep, ctx: ContextDep, trail: TrailDep) -> Response:
    """Stop a run that is active here."""
    ctx.run_manager.stop(stored.run.id)
    trail.note(stored.run.id)
    return _redirect_to_run(stored.run.id)


@router.post("/runs/{run}/resume")
def resume(
    run: str,
    ctx: ContextDep,
    trail: TrailDep,
    retry_failed: Annotated[bool, Form()] = False,  # noqa: FBT002  (a field of the form)
) -> Response:
    """Resume a stopped run, or measure again what an error prevented."""
    return _redirect_to_run(results.resume(run, ctx, trail, retry_failed).id)


@router.post("/runs/{run}/baseline")
def baseline(
    run: str, ctx: ContextDep, trail: TrailDep, name: Annotated[str, Form(max_length=200)]
) -> Response:
    """Make the run the baseline of that name."""
    target = results.BaselineTarget.model_construct(run=run)
    return _redirect_to_run(results.put(name, target, ctx, trail).run)


@router.post("/runs/{run}/labels")
def label(  # noqa: PLR0917  (the fields of the form)
    stored: RunDep,
    ctx: ContextDep,
    trail: TrailDep,
    name: Annotated[str, Form(max_length=200)] = "",
    tags: Annotated[str, Form(max_length=400)] = "",
    note: Annotated[str, Form(max_length=1_000)] = "",
) -> Response:
    """Change the name, the tags and the note of the run."""
    words = tuple(dict.fromkeys(tag[:100] for tag in tags.replace(",", " ").split()))[:20]
    ctx.store.label(stored, " ".join(name.split()) or None, words, " ".join(note.split()))
    trail.note(stored.run.id, " · ".join(filter(None, (name, " ".join(words), note))))
    return _redirect_to_run(stored.run.id)


@router.post("/runs/{run}/delete")
def delete(run: str, ctx: ContextDep, trail: TrailDep) -> Response:
    """Remove the run for good."""
    results.delete(run, ctx, trail)
    return RedirectResponse("/", 303)


def head(snapshot: RunSnapshot, ctx: AppContext) -> dict[str, Any]:
    """Return the values of the head of the page."""
    run, progress = snapshot.stored.run, snapshot.line.progress
    has_dataset = run.plan.dataset == DEMO or ctx.uploads.known(run.plan.dataset) is not None
    unfinished = progress.state in ("incomplete", "silent")
    lacking = sum(metric.figure.not_measured for metric in snapshot.line.metrics)
    ended = progress.state != "running" and progress.done <= _MAX_TURN_RESULTS
    by_turn = ended and any(is_per_turn(metric.spec) for metric in snapshot.line.metrics)
    state = ctx.store.change_marker(snapshot.stored).of_results if lacking or by_turn else None
    errors = _errors(ctx.store, run.id, state) if lacking else ()
    breaks = _breaks(ctx.store, run.id, state) if by_turn else ""
    return {
        "run": run,
        "snapshot": snapshot,
        "line": snapshot.line,
        "dataset": ctx.uploads.name_of(run.plan.dataset),
        "stoppable": ctx.run_manager.is_running(run.id),
        "resumable": unfinished and has_dataset,
        "elsewhere": (unfinished or bool(errors)) and not has_dataset,
        "errors": errors,
        "lacking": lacking,
        "retryable": bool(lacking) and has_dataset and progress.state != "running",
        "where": ctx.store.where,
        "headline": line_headline(snapshot.line, len(snapshot.stored.rejected), breaks),
    }


@lru_cache(maxsize=32)
def _breaks(store: Store, run: str, _state: object) -> str:
    """Return the sentence about the conversations of which a turn misses; read again with another `_state`."""
    return conversation_breaks(store.results(store.find_exact(run))).sentence()


@lru_cache(maxsize=32)
def _errors(store: Store, run: str, _state: object) -> tuple[ErrorGroup, ...]:
    """Return the errors of a run by cause; read again with another `_state`."""
    stored = store.find_exact(run)
    failed = store.results(stored).not_measured(_MAX_ERRORS)
    names = metric_names(result for _, result in failed)
    return group_results(((index + 1, result) for index, result in failed), names)


def baseline_view(snapshot: RunSnapshot, case_filter: CaseFilter, ctx: AppContext) -> dict[str, Any]:
    """Return the run drawn in grey, and how an ended run changed against it, if that is known at once.

    It is the run requested; else the baseline `main`, or the latest run before this one, over the same test cases: a
    mean over others is no baseline.
    """
    stored = snapshot.stored
    other = other_run(ctx.store, case_filter.flipped) or baseline_of(ctx.store, stored)
    if other is None or other.number == stored.number:
        return {"against": {}, "against_name": "", "against_run": "", "change": None}
    names = [saved.name for saved in ctx.store.baselines.all() if saved.run == other.run.id]
    ended = snapshot.line.progress.state != "running"
    return {
        "against": ctx.figures_cache.of(other).by_spec(),
        "against_name": next(iter(names), name_of(other.run)),
        "against_run": other.run.id,
        "change": ctx.run_changes.at_once([other, stored], _CHANGE_WAIT_SECONDS) if ended else None,
    }


def _table_values(snapshot: RunSnapshot, case_filter: CaseFilter, ctx: AppContext) -> dict[str, Any]:
    """Return a page of the table. For an active run without filter or order, it is the end, where new rows arrive."""
    table = ctx.store.table(snapshot.stored)
    growing = snapshot.line.progress.state == "running" and not (case_filter.sort or case_filter.filtered)
    query = case_filter.query(ctx.store)
    if growing:
        query = CaseQuery(sort="recent", descending=True, limit=PAGE)
    case_page = table.page(query)
    lines = case_page.lines[::-1] if growing else case_page.lines
    return {
        "lines": lines,
        "reasons": table.reasons([line.case_index for line in lines]),
        "count": case_page.count,
        "growing": growing,
        "columns": case_columns([metric.figures.line for metric in snapshot.metrics], case_filter.columns),
        "way": "?sort=recent" if growing else case_filter.way(),
        "pages": max(1, -(-case_page.count // PAGE)),
        "size": PAGE,
    }


def _redirect_to_run(run: str) -> Response:
    return RedirectResponse(f"/runs/{run}", 303)
