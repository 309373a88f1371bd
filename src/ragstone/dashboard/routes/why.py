"""Why the test cases of a run missed: the causes with their shares, where misses are frequent, the evidence."""

import json
from asyncio import to_thread
from functools import lru_cache, partial
from typing import Annotated, Any

from fastapi import APIRouter, Form, HTTPException, Query, Request
from markupsafe import Markup
from starlette.responses import RedirectResponse, Response

from ragstone.dashboard.context import ContextDep
from ragstone.dashboard.deps import ActorDep, AnnotatorDep, remember, signed_name
from ragstone.dashboard.rendering import drawn, view
from ragstone.dashboard.routes.results import UNKNOWN
from ragstone.dashboard.security.access import LONGEST_NAME
from ragstone.dashboard.security.permissions import may
from ragstone.dashboard.security.trail import TrailDep
from ragstone.dashboard.services.comparison import name_of
from ragstone.dashboard.services.comparison_jobs import WhyPagesDep, finished, settled
from ragstone.dashboard.views.annotation_queue import open_places
from ragstone.findings.diagnosis import Diagnosis, explain
from ragstone.findings.diagnosis.causes import CAUSES
from ragstone.findings.diagnosis.checks import OUTCOMES, check_order, with_annotations
from ragstone.findings.diagnosis.figures import (
    checks_sentence,
    judged_text,
    passed_text,
    similar_examples,
    similar_name,
    similar_sentence,
    similar_text,
    slice_name,
    slice_text,
    slices_sentence,
    worth_assumption,
    worth_text,
)
from ragstone.findings.stored import report_from_store
from ragstone.findings.view.refusals import abstention_rows, interval_text
from ragstone.store import CAUSE, Store, StoredRun

router = APIRouter()
_PAGE_WAIT_SECONDS = 0.1
"""Seconds that the page waits for the causes, enough for small runs."""

_MAX_WAIT_SECONDS = 20.0
"""Seconds after which the page asks for the causes again, so that no proxy cuts the request off."""

_MAX_CASES = 12
_MAX_SLICES = 8
_MAX_EXAMPLES = 3
_SEE_OTHER = 303
_CAUSE_KEYS = "123456789abcdefghilm"
"""The key of each cause where people check causes; the others have a meaning there."""
After = Annotated[int, Query(ge=-1, le=2**53)]

Cluster = Annotated[
    str, Query(max_length=200, description="Key of the metadata by which test cases are grouped.")
]


@router.get("/runs/{run}/why", include_in_schema=False)
async def page(  # noqa: PLR0917  (as FastAPI hands them in)
    request: Request,
    run: str,
    ctx: ContextDep,
    why_pages: WhyPagesDep,
    cluster: Cluster = "",
    wait: bool = False,  # noqa: FBT001, FBT002  (part of the address)
) -> Response:
    """Show the causes; while those of a large run are found, a page that asks for them again."""
    stored = await to_thread(ctx.store.find, run)
    if cluster:
        return _page(request, stored, await to_thread(page_texts, ctx.store, stored.run.id, cluster))
    pending_page = await to_thread(
        _pending_page, request, ctx.store, stored
    )  # before the work, which slows it
    text = await to_thread(why_pages.ask, [stored])
    patience = _MAX_WAIT_SECONDS if "hx-request" in request.headers else _PAGE_WAIT_SECONDS
    found = await (finished(text) if wait else settled(text, patience))
    return pending_page if found is None else _page(request, stored, found)


def _pending_page(request: Request, store: Store, stored: StoredRun) -> Response:
    cases = store.line(stored).cases
    return view(request, "why.html", run=stored.run, name=name_of(stored.run), body="", cases=cases)


def _page(request: Request, stored: StoredRun, texts: tuple[str, str]) -> Response:
    body = Markup(texts[may(request.state.actor.role, "annotate")])  # noqa: S704  (drawn by a template)
    return view(request, "why.html", run=stored.run, name=name_of(stored.run), body=body)


def page_texts(store: Store, run: str, cluster: str = "") -> tuple[str, str]:
    """Return the body of the page, for readers and for those who annotate.

    It has some ten kilobytes, where the diagnosis of a large run takes seconds.
    """
    diagnosis = _diagnosis(store, run, cluster)
    slices = diagnosis.slices.found[:_MAX_SLICES] if diagnosis.slices else ()
    similar = diagnosis.similar.found[:_MAX_SLICES] if diagnosis.similar else ()
    body = partial(
        drawn,
        "_why.html",
        run=diagnosis.report.run,
        name=name_of(diagnosis.report.run),
        found=diagnosis,
        places=store.cases(store.find(run)).places(),
        most=_MAX_CASES,
        interval_text=interval_text,
        worth_text=worth_text,
        assumption=worth_assumption(diagnosis),
        passed_text=passed_text(diagnosis),
        judged_text=judged_text,
        checks_sentence=checks_sentence(diagnosis),
        refusals=abstention_rows(diagnosis.abstention),
        slices=[(slice_name(group), slice_text(group)) for group in slices],
        slices_sentence=slices_sentence(diagnosis.slices),
        similar=[
            (similar_name(group), similar_text(group), similar_examples(diagnosis, group, _MAX_EXAMPLES))
            for group in similar
        ],
        similar_sentence=similar_sentence(diagnosis),
    )
    return body(annotates=False), body(annotates=True)


@router.get("/api/runs/{run}/why", tags=["runs"], responses=UNKNOWN)
def why(run: str, ctx: ContextDep, cluster: Cluster = "") -> dict[str, Any]:
    """Return the cause of each miss of a run, and the shares of the causes, as `ragstone explain` writes them."""
    return json.loads(_diagnosis(ctx.store, run, cluster).to_json())


@router.get("/runs/{run}/why/checks", include_in_schema=False)
def checks(request: Request, run: str, ctx: ContextDep, person: AnnotatorDep, after: After = -1) -> Response:
    """Show the next case whose cause a person is to name, without the judge's verdicts."""
    stored = ctx.store.find(run)
    annotations = ctx.store.annotations.of(stored.number, None, person) if person else []
    done = {annotation.case_index: annotation for annotation in annotations if annotation.target == CAUSE}
    order = _cases_to_check(ctx.store, stored.run.id, ctx.store.change_marker(stored).of_results)
    next_case = next(open_places(order, frozenset(done), after), None) if person else None
    return view(
        request,
        "check_causes.html",
        run=stored.run,
        name=name_of(stored.run),
        person=person,
        item=ctx.store.case(stored, next_case.case_index) if next_case else None,
        place=next_case.place if next_case else -1,
        done=len(done.keys() & {*order}),
        total=len(order),
        last=max(done.values(), key=lambda annotation: annotation.updated, default=None),
        causes=list(zip(_CAUSE_KEYS, CAUSES.values(), strict=False)),
    )


@router.post("/runs/{run}/why/checks", include_in_schema=False)
def check(  # noqa: PLR0917  (the fields of the form)
    run: str,
    ctx: ContextDep,
    actor: ActorDep,
    trail: TrailDep,
    cause: Annotated[str, Form(max_length=40)] = "",
    index: Annotated[int, Form(ge=-1, le=2**53)] = -1,
    annotator: Annotated[str, Form(max_length=LONGEST_NAME)] = "",
) -> Response:
    """Store the cause that a person names, or remove the last one, and go to the next case."""
    stored = ctx.store.find(run)
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
def _cases_to_check(store: Store, run: str, state: object) -> tuple[int, ...]:
    """Return the places in the run of the cases to check, in their order; found again when the run has changed."""
    del state  # part of the cache key only
    stored = store.find(run)
    diagnosis = explain(report_from_store(store, stored))
    places = store.cases(stored).places()
    return tuple(places[place] for place in check_order(diagnosis))


def _diagnosis(store: Store, run: str, cluster: str) -> Diagnosis:
    stored = store.find(run)
    diagnosis = explain(report_from_store(store, stored), cluster=cluster or None)
    return with_annotations(diagnosis, store.annotations.of(stored.number), store.cases(stored).places())
