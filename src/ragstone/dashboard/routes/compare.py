"""Compare two to five runs on the same cases: each difference with its interval, and the cases behind it.

Differences between large runs take seconds. The page is sent at once and loads them when they are computed; without
JavaScript, and through the API, the answer waits for them.
"""

from asyncio import to_thread
from functools import partial
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel, Field
from starlette.responses import Response

from ragstone.dashboard.context import ContextDep
from ragstone.dashboard.rendering import view
from ragstone.dashboard.services.comparison import LEAST, MOST, ComparisonSet, name_of
from ragstone.dashboard.services.comparison_jobs import MAX_WAIT_SECONDS, finished, settled
from ragstone.dashboard.views import comparison as shown
from ragstone.errors import RagstoneError, UsageError
from ragstone.findings.stored import baseline_of
from ragstone.store import Store, StoredRun

router = APIRouter()

BaselineTarget = Annotated[
    list[str] | None, Query(max_length=20, description="Ids or names of runs; the first is the baseline.")
]
Baseline = Annotated[str, Query(max_length=300, description="Name of a baseline, or id or name of a run.")]
_MAX_OFFERED_RUNS = 50
_PAGE_WAIT_SECONDS = 0.08  # seconds that the page waits for the differences, enough for small runs


class CompareQuery(BaseModel):
    """The query of a comparison.

    The earliest of the runs is the baseline, unless one is named. The cases listed are those of a `metric` (by default
    the one that fell most) in the run `against` the baseline. With `wait` the page waits for the differences.
    """

    runs: Annotated[list[str], Field(max_length=20)] = []
    baseline: Annotated[str, Field(max_length=300)] = ""
    metric: str = ""
    against: str = ""
    moved: Literal["worse", "better", "flipped", ""] = ""
    most: Annotated[int, Field(ge=1, le=1_000)] = 40
    wait: bool = False


CompareQueryDep = Annotated[CompareQuery, Query()]


@router.get("/compare", include_in_schema=False)
async def page(request: Request, ctx: ContextDep, query: CompareQueryDep) -> Response:
    """Show a comparison; with fewer than two runs, show the form to choose them."""
    chosen = await to_thread(_runs_in_order, ctx.store, query)
    common = await to_thread(_form_values, ctx.store)
    if len(chosen) < LEAST:
        newest = chosen or await to_thread(ctx.store.runs, 1)
        earlier = await to_thread(baseline_of, ctx.store, newest[0]) if newest else None
        ready = newest if earlier is None else [earlier, *newest]
        return view(request, "compare_choose.html", chosen=[stored.run.id for stored in ready], **common)
    values = await to_thread(_page_values, ctx.store, chosen, query)
    draw = partial(view, request, "compare.html", bare=False, **common, **values)
    pending_page = await to_thread(draw, found=None)  # before the work begins, which would slow it
    figures = await to_thread(ctx.comparisons.ask, chosen)
    compared = await (finished(figures) if query.wait else settled(figures, _PAGE_WAIT_SECONDS))
    return await to_thread(draw, **_difference_values(compared, query)) if compared else pending_page


@router.get("/compare/differences", include_in_schema=False)
async def differences(request: Request, ctx: ContextDep, query: CompareQueryDep) -> Response:
    """Show the differences as a fragment of the page of a comparison, once they are computed."""
    chosen = await to_thread(_runs_in_order, ctx.store, query)
    if len(chosen) < LEAST:
        raise _too_few_runs()
    values = await to_thread(_page_values, ctx.store, chosen, query)
    try:
        compared = await settled(await to_thread(ctx.comparisons.ask, chosen), MAX_WAIT_SECONDS)
    except RagstoneError as error:
        return view(request, "_not_compared.html", why=str(error), **values)
    template = "_working.html" if compared is None else "_differences.html"
    return await to_thread(
        view, request, template, bare=True, **values, **_difference_values(compared, query)
    )


@router.get("/compare/case", include_in_schema=False)
def side_by_side(  # noqa: PLR0917  (as the address has them)
    request: Request,
    ctx: ContextDep,
    before: str,
    was: Annotated[int, Query(ge=0, le=2**53)],
    after: str,
    now: Annotated[int, Query(ge=0, le=2**53)],
) -> Response:
    """Show the answers of two runs to one question side by side, as a page or as a fragment of the comparison."""
    old, new = ctx.store.find(before), ctx.store.find(after)
    both = shown.sides(old, ctx.case(old, was), new, ctx.case(new, now))
    return view(
        request,
        "sides.html",
        bare="hx-request" in request.headers,
        sides=both,
        names=(name_of(old.run), name_of(new.run)),
    )


@router.get("/api/compare", tags=["runs"])
async def comparison(ctx: ContextDep, runs: BaselineTarget = None, baseline: Baseline = "") -> ComparisonSet:
    """Compare two to five runs: each with the baseline, which is the first of them unless named."""
    chosen = await to_thread(_chosen_runs, ctx.store, runs or [], baseline)
    if len(chosen) < LEAST:
        raise _too_few_runs()
    return await finished(await to_thread(ctx.comparisons.ask, chosen))


def _too_few_runs() -> UsageError:
    return UsageError(
        f"A comparison needs {LEAST} to {MOST} runs: give runs=ONE&runs=OTHER, or baseline=NAME&runs=OTHER."
    )


def _form_values(store: Store) -> dict[str, Any]:
    return {
        "offered": store.runs(_MAX_OFFERED_RUNS),
        "baselines": store.baselines.all(),
        "where": store.where,
        "most": MOST,
    }


def _page_values(store: Store, chosen: list[StoredRun], query: CompareQuery) -> dict[str, Any]:
    """Return the values of a page that are known before the runs are compared."""
    lines = [store.line(stored) for stored in chosen]
    return {
        "chosen": [stored.run.id for stored in chosen],
        "names": [name_of(stored.run) for stored in chosen],
        "links": shown.links(chosen, query.model_dump(include={"metric", "against", "moved", "most"})),
        "previews": shown.comparison_previews(chosen, lines),
        "results": sum(line.progress.done for line in lines),
        "setups": shown.setups(chosen, lines),
    }


def _difference_values(compared: ComparisonSet | None, query: CompareQuery) -> dict[str, Any]:
    if compared is None:
        return {"found": None}
    moves = shown.listed_changes(compared, query.against, query.metric, query.moved, query.most)
    metrics, rows = shown.matrix(compared)
    return {
        "found": compared,
        "reach": shown.reach,
        "moves": moves,
        "matrix_metrics": metrics,
        "matrix_rows": rows,
    }


def _runs_in_order(store: Store, query: CompareQuery) -> list[StoredRun]:
    """Return the runs of a page: the baseline, which is the earliest run unless one is named, then by their start."""
    chosen = _chosen_runs(store, query.runs, query.baseline)
    named, others = (chosen[:1], chosen[1:]) if query.baseline else ([], chosen)
    return [*named, *sorted(others, key=lambda stored: (stored.run.started, stored.number))]


def _chosen_runs(store: Store, wanted: list[str], baseline: str) -> list[StoredRun]:
    """Return the runs that are compared, the baseline first, each once.

    Raises:
        UsageError: there is no such run, or there are too many.
    """
    run_of_baseline = {item.name: item.run for item in store.baselines.all()}
    first = [run_of_baseline.get(baseline, baseline)] if baseline else []
    chosen = {stored.run.id: stored for stored in map(store.find, [*first, *(run for run in wanted if run)])}
    if len(chosen) > MOST:
        raise UsageError(f"{len(chosen)} runs are too many to compare at once: choose {LEAST} to {MOST}.")
    return list(chosen.values())
