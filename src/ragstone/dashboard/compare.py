"""Is it better? Two to five runs on the same cases: each difference with its interval, and the cases behind it."""

from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from ragstone.dashboard._board import BoardOf
from ragstone.dashboard._compared import LEAST, MOST, Compared, compared, name_of
from ragstone.dashboard._comparison_sheet import chosen_moves, links, scale, setups, sides
from ragstone.dashboard._found import found_case
from ragstone.dashboard._views import view
from ragstone.errors import UsageError
from ragstone.store import Store, StoredRun

router = APIRouter()

Wanted = Annotated[
    list[str] | None, Query(max_length=20, description="Ids or names of runs; the first is the baseline.")
]
Baseline = Annotated[str, Query(max_length=300, description="Name of a baseline, or id or name of a run.")]
_OFFERED = 50


@router.get("/compare", include_in_schema=False)
def page(  # noqa: PLR0917  (as the address has them)
    request: Request,
    board: BoardOf,
    runs: Wanted = None,
    baseline: Baseline = "",
    metric: str = "",
    against: str = "",
    moved: Literal["worse", "better", "flipped", ""] = "",
    most: Annotated[int, Query(ge=1, le=1_000)] = 40,
) -> Response:
    """Show a comparison; where it is not clear of what, let one choose."""
    offered = board.store.runs(_OFFERED)
    common = {
        "offered": offered,
        "baselines": board.store.baselines.all(),
        "where": board.store.where,
        "most": MOST,
    }
    chosen = _chosen(board.store, runs or [], baseline)
    if len(chosen) < LEAST:
        ready = chosen or offered[1::-1]  # the last one, against the one before
        return view(request, "compare_choose.html", chosen=[one.run.id for one in ready], **common)
    found = compared(board.store, chosen)
    return view(
        request,
        "compare.html",
        found=found,
        chosen=[one.run.id for one in chosen],
        scale=scale(found),
        setups=setups(board.store, chosen),
        links=links(chosen),
        moves=chosen_moves(found, against, metric, moved, most),
        **common,
    )


@router.get("/compare/case", include_in_schema=False)
def side_by_side(  # noqa: PLR0917  (as the address has them)
    request: Request,
    board: BoardOf,
    before: str,
    was: Annotated[int, Query(ge=0, le=2**53)],
    after: str,
    now: Annotated[int, Query(ge=0, le=2**53)],
) -> Response:
    """Show the answers of two runs to one question side by side: alone, or into the page of the comparison."""
    old, new = board.store.find(before), board.store.find(after)
    both = sides(old, found_case(board.store, old, was), new, found_case(board.store, new, now))
    return view(
        request,
        "sides.html",
        bare="hx-request" in request.headers,
        sides=both,
        names=(name_of(old.run), name_of(new.run)),
    )


@router.get("/api/compare", tags=["runs"])
def comparison(board: BoardOf, runs: Wanted = None, baseline: Baseline = "") -> Compared:
    """Compare two to five runs: each with the baseline, which is the first of them unless named."""
    chosen = _chosen(board.store, runs or [], baseline)
    if len(chosen) < LEAST:
        raise UsageError(
            f"A comparison takes {LEAST} to {MOST} runs: runs=ONE&runs=OTHER, or baseline=NAME&runs=OTHER."
        )
    return compared(board.store, chosen)


def _chosen(store: Store, wanted: list[str], baseline: str) -> list[StoredRun]:
    """Return the runs that are compared, the baseline first, each once.

    Raises:
        UsageError: there is no such run, or there are too many.
    """
    named = {one.name: one.run for one in store.baselines.all()}
    first = [named.get(baseline, baseline)] if baseline else []
    found = {stored.run.id: stored for stored in map(store.find, [*first, *(run for run in wanted if run)])}
    if len(found) > MOST:
        raise UsageError(f"{len(found)} runs are too many to compare at once: choose {LEAST} to {MOST}.")
    return list(found.values())
