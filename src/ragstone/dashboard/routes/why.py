"""Why the test cases of a run missed: the causes with their shares, where misses are frequent, the evidence."""

from asyncio import to_thread
from functools import lru_cache
from typing import Annotated, Any

from fastapi import APIRouter, Form, HTTPException, Query, Request
from markupsafe import Markup
from starlette.responses import RedirectResponse, Response

from ragstone.dashboard.context import ActorDep, AnnotatorDep, ContextDep, RunDep, remember, signed_name
from ragstone.dashboard.rendering import view
from ragstone.dashboard.routes.results import UNKNOWN
from ragstone.dashboard.security.access import LONGEST_NAME, TrailDep
from ragstone.dashboard.security.permissions import may
from ragstone.dashboard.services.comparison import name_of
from ragstone.dashboard.services.comparison_jobs import MAX_WAIT_SECONDS, finished, settled
from ragstone.dashboard.views.annotation import open_places
from ragstone.dashboard.views.why import diagnosis_of, page_texts
from ragstone.findings.diagnosis import explain
from ragstone.findings.diagnosis.causes import CAUSES
from ragstone.findings.diagnosis.checks import OUTCOMES, check_order
from ragstone.findings.stored import report_from_store
from ragstone.show import diagnosis
from ragstone.show.render.json import plain
from ragstone.store import CAUSE, Store, StoredRun

router = APIRouter()
_PAGE_WAIT_SECONDS = 0.1  # seconds that the page waits for the causes, enough for small runs
_SEE_OTHER = 303
_CAUSE_KEYS = "123456789abcdefghilm"  # of the causes to choose; others have a meaning on that page
After = Annotated[int, Query(ge=-1, le=2**53)]

Cluster = Annotated[
    str, Query(max_length=200, description="Key of the metadata by which test cases are grouped.")
]


@router.get("/runs/{run}/why", include_in_schema=False)
async def page(
    request: Request,
    stored: RunDep,
    ctx: ContextDep,
    cluster: Cluster = "",
    wait: bool = False,  # noqa: FBT001, FBT002  (part of the address)
) -> Response:
    """Show the causes; while those of a large run are found, a page that asks for them again."""
    if cluster:
        return _page(request, stored, await to_thread(page_texts, ctx.store, stored.run.id, cluster))
    # Before the work, which slows it.
    pending_page = await to_thread(lambda: _page(request, stored, cases=ctx.store.line(stored).cases))
    text = await to_thread(ctx.why_pages.ask, [stored])
    patience = MAX_WAIT_SECONDS if "hx-request" in request.headers else _PAGE_WAIT_SECONDS
    found = await (finished(text) if wait else settled(text, patience))
    return pending_page if found is None else _page(request, stored, found)


def _page(
    request: Request, stored: StoredRun, texts: tuple[str, str] = ("", ""), *, cases: int = 0
) -> Response:
    body = Markup(texts[may(request.state.actor.role, "annotate")])  # noqa: S704  (drawn by a template)
    return view(request, "why.html", run=stored.run, name=name_of(stored.run), body=body, cases=cases)


@router.get("/api/runs/{run}/why", tags=["runs"], responses=UNKNOWN)
def why(run: str, ctx: ContextDep, cluster: Cluster = "") -> dict[str, Any]:
    """Return the cause of each miss of a run, and the shares of the causes, as `ragstone explain` writes them."""
    return plain(diagnosis.values(diagnosis_of(ctx.store, run, cluster)))


@router.get("/runs/{run}/why/checks", include_in_schema=False)
def checks(
    request: Request, stored: RunDep, ctx: ContextDep, person: AnnotatorDep, after: After = -1
) -> Response:
    """Show the next case whose cause a person is to name, without the judge's verdicts."""
    annotations = ctx.store.annotations.of(stored.number, None, person) if person else []
    done = {annotation.case_index: annotation for annotation in annotations if annotation.target == CAUSE}
    order = _cases_to_check(ctx.store, stored.run.id, ctx.store.change_marker(stored).of_results)
    place = next(open_places(order, frozenset(done), after), -1) if person else -1
    return view(
        request,
        "check_causes.html",
        run=stored.run,
        name=name_of(stored.run),
        person=person,
        item=ctx.store.case(stored, order[place]) if place >= 0 else None,
        place=place,
        done=len(done.keys() & {*order}),
        total=len(order),
        last=max(done.values(), key=lambda annotation: annotation.updated, default=None),
        causes=list(zip(_CAUSE_KEYS, CAUSES.values(), strict=False)),
    )


@router.post("/runs/{run}/why/checks", include_in_schema=False)
def check(  # noqa: PLR0917  (the fields of the form)
    stored: RunDep,
    ctx: ContextDep,
    actor: ActorDep,
    trail: TrailDep,
    cause: Annotated[str, Form(max_length=40)] = "",
    index: Annotated[int, Form(ge=-1, le=2**53)] = -1,
    annotator: Annotated[str, Form(max_length=LONGEST_NAME)] = "",
) -> Response:
    """Store the cause that a person names, or remove the last one, and go to the next case."""
    name = signed_name(actor, annotator)
    if index < 0:
        trail.skip()
    else:
        trail.note(stored.run.id, f"case {index + 1}: cause {cause}")
    if cause == "undo":
        ctx.store.annotations.remove(stored.number, index, name, CAUSE)
    elif index >= 0:
        if cause not in OUTCOMES:
            raise HTTPException(422, f"There is no cause {cause!r}.")
        ctx.store.annotations.put(stored.number, index, name, "yes", target=CAUSE, note=cause)
    return remember(RedirectResponse(f"/runs/{stored.run.id}/why/checks", _SEE_OTHER), name)


@lru_cache(maxsize=16)
def _cases_to_check(store: Store, run: str, _state: object) -> tuple[int, ...]:
    """Return the places in the run of the cases to check, in their order; found again with another `_state`."""
    stored = store.find(run)
    places = store.cases(stored).places()
    order = check_order(explain(report_from_store(store, stored)))
    return tuple(places[place] for place in order)
