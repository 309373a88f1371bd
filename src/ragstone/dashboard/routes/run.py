"""One run: progress, a card per metric, and its test cases, worst first. Updated live."""

from asyncio import to_thread
from functools import lru_cache
from typing import Annotated, Any

from fastapi import APIRouter, Form, Request
from starlette.responses import RedirectResponse, Response

from ragstone.dashboard.context import AppContext, ContextDep
from ragstone.dashboard.deps import dataset_name, run_of_id
from ragstone.dashboard.rendering import view
from ragstone.dashboard.security.trail import TrailDep
from ragstone.dashboard.services.comparison import name_of
from ragstone.dashboard.services.comparison_jobs import RunChanges, RunChangesDep, WhyPagesDep, settled
from ragstone.dashboard.services.figures_cache import FiguresCacheDep, RunSnapshot
from ragstone.dashboard.services.run_manager import RunManager, RunManagerDep
from ragstone.dashboard.services.run_request import to_resume
from ragstone.dashboard.services.uploads import Uploads
from ragstone.dashboard.views.case_filter import PAGE, CaseFilter, CaseFilterDep, other_run
from ragstone.dashboard.views.columns import case_columns
from ragstone.dashboard.views.headline import line_headline
from ragstone.datasets.load import DEMO
from ragstone.findings.stored import baseline_of
from ragstone.findings.view.failures import ErrorGroup, group_results
from ragstone.findings.view.metric_names import metric_names
from ragstone.findings.view.report_view import accuracy_of
from ragstone.findings.view.turn_results import conversation_breaks, is_per_turn
from ragstone.store import CaseQuery, Store, StoredRun
from ragstone.store.write.stored_run import NOTE

router = APIRouter(include_in_schema=False)
_CHANGE_WAIT_SECONDS = 0.05
"""Seconds that the page waits for the change against the baseline, enough for small runs."""

_MANY_RESULTS = 2_000
"""Results from which on finding their causes takes longer than a page may."""

_MAX_TURN_RESULTS = 5_000
_MAX_ERRORS = 5_000
"""Results without a score whose errors are read."""

_MAX_WAIT_SECONDS = 20.0
"""Seconds after which the page asks for the change again, so that no proxy cuts the request off."""


@router.get("/runs/{run}")
def page(  # noqa: PLR0917  (as FastAPI hands them in)
    request: Request,
    run: str,
    case_filter: CaseFilterDep,
    ctx: ContextDep,
    figures_cache: FiguresCacheDep,
    run_manager: RunManagerDep,
    run_changes: RunChangesDep,
    why_pages: WhyPagesDep,
) -> Response:
    """Show the run. The causes of the misses of a large run are found meanwhile: the next page is often *Why*."""
    stored = ctx.store.find(run)
    snapshot = figures_cache.of(stored)
    progress = snapshot.line.progress
    if progress.state != "running" and progress.done >= _MANY_RESULTS:
        why_pages.ask([stored])
    return view(
        request,
        "run.html",
        **head(snapshot, ctx, run_manager),
        **baseline_view(snapshot, case_filter, ctx, figures_cache, run_changes),
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
async def change(  # noqa: PLR0917  (as FastAPI hands them in)
    request: Request,
    run: str,
    ctx: ContextDep,
    run_changes: RunChangesDep,
    flipped: str = "",
    short: bool = False,  # noqa: FBT001, FBT002  (part of the address)
) -> Response:
    """Show how the run changed against its baseline, as a fragment of its page or of the list."""
    stored = await to_thread(ctx.store.find, run)
    other = await to_thread(lambda: other_run(ctx.store, flipped) or baseline_of(ctx.store, stored))
    found = None
    if other is not None:
        asked = await to_thread(run_changes.ask, [other, stored])
        found = await settled(asked, _MAX_WAIT_SECONDS)
    if not flipped and (found is not None or other is None):
        await to_thread(run_changes.remember, stored.run.id, found)
    shown = {
        "run": stored.run.id,
        "against_run": other.run.id if other else "",
        "change": found,
        "short": short,
    }
    return await to_thread(view, request, "_change.html", **shown)


@router.post("/runs/{run}/stop")
def stop(run: str, ctx: ContextDep, run_manager: RunManagerDep, trail: TrailDep) -> Response:
    """Stop a run that is active here."""
    stored = ctx.store.find(run)
    run_manager.stop(stored.run.id)
    run_manager.wait(stored.run.id)
    trail.note(stored.run.id)
    return _redirect_to_run(stored)


@router.post("/runs/{run}/resume")
def resume(
    run: str,
    ctx: ContextDep,
    run_manager: RunManagerDep,
    trail: TrailDep,
    retry_failed: Annotated[bool, Form()] = False,  # noqa: FBT002  (a field of the form)
) -> Response:
    """Resume a stopped run, or measure again what an error prevented."""
    stored = ctx.store.find(run)
    data, chosen = to_resume(stored.run, ctx)
    run_manager.start(data, **chosen, retry_failed=retry_failed)
    trail.note(stored.run.id, "failed results again" if retry_failed else "")
    return _redirect_to_run(stored)


@router.post("/runs/{run}/baseline")
def baseline(
    run: str, ctx: ContextDep, trail: TrailDep, name: Annotated[str, Form(max_length=200)]
) -> Response:
    """Make the run the baseline of that name."""
    stored = ctx.store.find(run)
    ctx.store.baselines.put(name, stored.number)
    trail.note(stored.run.id, name)
    return _redirect_to_run(stored)


@router.post("/runs/{run}/labels")
def label(  # noqa: PLR0917  (the fields of the form)
    run: str,
    ctx: ContextDep,
    trail: TrailDep,
    name: Annotated[str, Form(max_length=200)] = "",
    tags: Annotated[str, Form(max_length=400)] = "",
    note: Annotated[str, Form(max_length=1_000)] = "",
) -> Response:
    """Change the name, the tags and the note of the run."""
    stored = ctx.store.find(run)
    words = tuple(dict.fromkeys(tag[:100] for tag in tags.replace(",", " ").split()))[:20]
    ctx.store.label(stored, " ".join(name.split()) or None, words, " ".join(note.split()))
    trail.note(stored.run.id, " · ".join(filter(None, (name, " ".join(words), note))))
    return _redirect_to_run(stored)


@router.post("/runs/{run}/delete")
def delete(run: str, ctx: ContextDep, run_manager: RunManagerDep, trail: TrailDep) -> Response:
    """Remove the run for good."""
    stored = run_of_id(ctx.store, run)
    if run_manager.stop(stored.run.id):
        run_manager.wait(stored.run.id)
    ctx.store.delete(stored, trail.entry(stored.run.id, name_of(stored.run)))
    return RedirectResponse("/", 303)


def head(snapshot: RunSnapshot, ctx: AppContext, run_manager: RunManager) -> dict[str, Any]:
    """Return the values of the head of the page."""
    run, progress = snapshot.stored.run, snapshot.line.progress
    has_dataset = Uploads(ctx.folder).known(run.plan.dataset) is not None or run.plan.dataset == DEMO
    unfinished = progress.state in ("incomplete", "silent")
    lacking = sum(metric.figure.not_measured for metric in snapshot.line.metrics)
    state = ctx.store.change_marker(snapshot.stored).of_results if lacking else None
    errors = _errors(ctx.store, run.id, state) if lacking else ()
    return {
        "run": run,
        "snapshot": snapshot,
        "line": snapshot.line,
        "dataset": dataset_name(run.plan.dataset, ctx.folder),
        "stoppable": run_manager.is_running(run.id),
        "resumable": unfinished and has_dataset,
        "elsewhere": (unfinished or bool(errors)) and not has_dataset,
        "errors": errors,
        "lacking": lacking,
        "retryable": bool(lacking) and has_dataset and progress.state != "running",
        "where": ctx.store.where,
        "headline": line_headline(
            snapshot.line, len(snapshot.stored.rejected), _breaks_of(snapshot, ctx.store)
        ),
    }


def _breaks_of(snapshot: RunSnapshot, store: Store) -> str:
    """Return the sentence about the conversations of which a turn misses, of a run that has ended and is not large."""
    line = snapshot.line
    by_turn = any(is_per_turn(metric.spec) for metric in line.metrics)
    if not by_turn or line.progress.state == "running" or line.progress.done > _MAX_TURN_RESULTS:
        return ""
    return _breaks(store, snapshot.stored.run.id, store.change_marker(snapshot.stored).of_results)


@lru_cache(maxsize=32)
def _breaks(store: Store, run: str, state: object) -> str:
    del state  # part of the cache key only
    return conversation_breaks(store.results(store.find_exact(run))).sentence()


@lru_cache(maxsize=32)
def _errors(store: Store, run: str, state: object) -> tuple[ErrorGroup, ...]:
    """Return the errors of a run by cause; read again when its results have changed."""
    del state  # part of the cache key only
    stored = store.find_exact(run)
    failed = store.results(stored).not_measured(_MAX_ERRORS)
    names = metric_names(result for _, result in failed)
    return group_results(((index + 1, result) for index, result in failed), names)


def baseline_view(
    snapshot: RunSnapshot,
    case_filter: CaseFilter,
    ctx: AppContext,
    figures_cache: FiguresCacheDep,
    run_changes: RunChanges,
) -> dict[str, Any]:
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
        "against": figures_cache.of(other).by_spec(),
        "against_name": next(iter(names), name_of(other.run)),
        "against_run": other.run.id,
        "change": run_changes.at_once([other, stored], _CHANGE_WAIT_SECONDS) if ended else None,
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


def _redirect_to_run(stored: StoredRun) -> Response:
    return RedirectResponse(f"/runs/{stored.run.id}", 303)
