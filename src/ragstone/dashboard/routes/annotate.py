"""Annotation: a queue of cases or claims to judge by keyboard, blind, and the agreement of people and judge."""

from typing import Annotated, Literal
from urllib.parse import urlencode

from fastapi import APIRouter, Form, HTTPException, Query, Request
from starlette.responses import RedirectResponse, Response

from ragstone.dashboard.context import ContextDep
from ragstone.dashboard.deps import ActorDep, AnnotatorDep, case_or_404, remember, signed_name
from ragstone.dashboard.rendering import view
from ragstone.dashboard.routes.case import Index
from ragstone.dashboard.schemas.annotations import (
    LONGEST_NOTE,
    AnnotationIn,
    AnnotationOut,
    AnnotationTarget,
    annotation_out,
)
from ragstone.dashboard.security.access import LONGEST_NAME
from ragstone.dashboard.security.trail import Trail, TrailDep
from ragstone.dashboard.views.agreement import Agreement, agreement
from ragstone.dashboard.views.annotation import AnnotateQuery, AnnotationSession, annotation_view
from ragstone.dashboard.views.annotation_queue import ORDERS, QueueOrder, case_order, open_places
from ragstone.dashboard.views.case_annotations import WHOLE, annotations_for, claims_of
from ragstone.store import Annotation, Store, StoredRun, Target
from ragstone.verdict import VerdictValue

router = APIRouter()

_MAX_OFFERED_RUNS = 50
_SEE_OTHER = 303
Place = Annotated[int, Query(ge=-1, le=2**53)]
Name = Annotated[str, Form(max_length=LONGEST_NAME)]
Note = Annotated[str, Form(max_length=LONGEST_NOTE)]
Spec = Annotated[str, Form(max_length=2_000)]
Statement = Annotated[int, Form(ge=-1, le=2**31 - 1)]


@router.get("/annotate", include_in_schema=False)
def page(  # noqa: PLR0917  (as the address has them)
    request: Request,
    ctx: ContextDep,
    person: AnnotatorDep,
    run: str = "",
    of: Literal["cases", "claims"] = "cases",
    order: QueueOrder = "random",
    after: Place = -1,
    index: Place = -1,
    last: Place = -1,
) -> Response:
    """Show the next case, or claims, to judge; without an annotator or a run, show the form that asks for them."""
    runs = ctx.store.runs(_MAX_OFFERED_RUNS)
    if not runs or not run or not person:
        chosen = ctx.store.find(run) if run else runs[0] if runs else None
        shown = {
            "runs": runs,
            "chosen": chosen,
            "where": ctx.store.where,
            "orders": ORDERS,
            "draft": ctx.draft,
        }
        return view(request, "annotate_begin.html", person=person, of=of, order=order, **shown)
    stored = ctx.store.find(run)
    query = AnnotateQuery(of, order, after, index, last)
    shown = annotation_view(AnnotationSession(ctx.store, stored, person, query))
    return view(request, "annotate.html", stored=stored, person=person, query=query, orders=ORDERS, **shown)


@router.post("/annotate", include_in_schema=False)
def begin(  # noqa: PLR0917  (the fields of the form)
    actor: ActorDep,
    trail: TrailDep,
    person: Name,
    run: Annotated[str, Form(max_length=200)],
    of: Annotated[Literal["cases", "claims"], Form()] = "cases",
    order: Annotated[QueueOrder, Form()] = "random",
) -> Response:
    """Remember who annotates, and go to the queue."""
    query = urlencode({"run": run, "of": of, "order": order}, errors="replace")
    trail.skip()
    return remember(RedirectResponse(f"/annotate?{query}", _SEE_OTHER), signed_name(actor, person))


@router.post("/annotate/{run}", include_in_schema=False)
def judge(  # noqa: PLR0917  (the fields of the form)
    ctx: ContextDep,
    person: AnnotatorDep,
    trail: TrailDep,
    run: str,
    index: Annotated[int, Form(ge=0, le=2**53)],
    verdict: Annotated[Literal["yes", "no", "idk", "undo"], Form()],
    spec: Spec = "",
    statement: Statement = -1,
    note: Note = "",
    of: Annotated[Literal["cases", "claims"], Form()] = "cases",
    order: Annotated[QueueOrder, Form()] = "random",
    after: Annotated[int, Form(ge=-1)] = -1,
) -> Response:
    """Store a verdict, or remove it, and go to the next case."""
    stored = ctx.store.find(run)
    target = Target(spec, None if statement < 0 else statement)
    _store_or_remove(ctx.store, stored, person, index, target, verdict, note)
    _leave_trail(trail, stored, person, index, target, verdict)
    query: dict[str, object] = {"run": stored.run.id, "of": of, "order": order, "after": after, "last": index}
    if verdict == "undo" or (
        of == "claims" and not _all_claims_judged(ctx.store, stored, person, index, spec)
    ):
        query = {**query, "index": index, "last": -1}
    return RedirectResponse(f"/annotate?{urlencode(query)}", _SEE_OTHER)


@router.post("/runs/{run}/cases/{index}/verdict", include_in_schema=False)
def on_case(  # noqa: PLR0917  (the fields of the form)
    request: Request,
    ctx: ContextDep,
    actor: ActorDep,
    trail: TrailDep,
    run: str,
    index: Index,
    verdict: Annotated[Literal["yes", "no", "idk", "undo"], Form()],
    annotator: Name = "",
    note: Note = "",
) -> Response:
    """Store or remove a verdict from the page of a case."""
    stored = ctx.store.find(run)
    name = signed_name(actor, annotator)
    _store_or_remove(ctx.store, stored, name, index, WHOLE, verdict, note)
    _leave_trail(trail, stored, name, index, WHOLE, verdict)
    here = f"/runs/{stored.run.id}/cases/{index}"
    if "hx-request" not in request.headers:
        return remember(RedirectResponse(here, _SEE_OTHER), name)
    yours = annotations_for(case_or_404(ctx.store, stored, index), name)
    return remember(
        view(request, "_your_verdict.html", run=stored.run, here=here, index=index, yours=yours), name
    )


@router.get("/annotate/{run}/agreement", include_in_schema=False)
def figures(request: Request, ctx: ContextDep, run: str) -> Response:
    """Show the agreement of people and judge, as a fragment of the queue's page."""
    stored = ctx.store.find(run)
    return view(request, "_agreement.html", found=agreement(ctx.store, stored), run=stored.run)


@router.get("/api/runs/{run}/annotations", tags=["annotations"])
def listed(
    ctx: ContextDep,
    run: str,
    annotator: str | None = None,
    index: Annotated[int | None, Query(ge=0, le=2**53)] = None,
) -> list[AnnotationOut]:
    """Return the annotations of a run: all, one person's, or those on one case."""
    stored = ctx.store.find(run)
    return [annotation_out(item) for item in ctx.store.annotations.of(stored.number, index, annotator)]


@router.put("/api/runs/{run}/annotations", tags=["annotations"])
def put(ctx: ContextDep, actor: ActorDep, trail: TrailDep, run: str, saying: AnnotationIn) -> AnnotationOut:
    """Store a verdict; it replaces the same person's earlier one on the same target."""
    stored, name = ctx.store.find(run), signed_name(actor, saying.annotator)
    annotation = _store_verdict(
        ctx.store, stored, saying.index, name, saying.verdict, saying.target, saying.note
    )
    _leave_trail(trail, stored, name, saying.index, saying.target, saying.verdict)
    return annotation_out(annotation)


@router.delete("/api/runs/{run}/annotations", tags=["annotations"], status_code=204)
def take_back(
    ctx: ContextDep, actor: ActorDep, trail: TrailDep, run: str, about: Annotated[AnnotationTarget, Query()]
) -> None:
    """Remove a verdict."""
    stored, name = ctx.store.find(run), signed_name(actor, about.annotator)
    _leave_trail(trail, stored, name, about.index, about.target, "undo")
    if not ctx.store.annotations.remove(stored.number, about.index, name, about.target):
        raise HTTPException(404, f"{about.annotator!r} has no such annotation on case {about.index + 1}.")


@router.get("/api/runs/{run}/annotations/next", tags=["annotations"])
def next_case(
    ctx: ContextDep, run: str, annotator: str, order: QueueOrder = "random", after: Place = -1
) -> int | None:
    """Return the index of the next case that this person has not annotated; null where there is none."""
    stored = ctx.store.find(run)
    done = frozenset(item.case_index for item in ctx.store.annotations.of(stored.number, None, annotator))
    queued = next(open_places(case_order(ctx.store, stored, order, annotator), done, after), None)
    return None if queued is None else queued.case_index


@router.get("/api/runs/{run}/agreement", tags=["annotations"])
def agreed(ctx: ContextDep, run: str) -> Agreement:
    """Return the agreement of people with each other and with the judge."""
    return agreement(ctx.store, ctx.store.find(run))


def _store_or_remove(  # noqa: PLR0917  (the fields of a form)
    store: Store,
    stored: StoredRun,
    person: str,
    index: int,
    target: Target,
    verdict: VerdictValue | Literal["undo"],
    note: str,
) -> None:
    if verdict == "undo":
        store.annotations.remove(stored.number, index, person, target)
    else:
        _store_verdict(store, stored, index, person, verdict, target, note)


def _leave_trail(  # noqa: PLR0917
    trail: Trail,
    stored: StoredRun,
    person: str,
    index: int,
    target: Target,
    verdict: VerdictValue | Literal["undo"],
) -> None:
    claim = "" if target.statement is None else f"claim {target.statement + 1}"
    about = ", ".join(filter(None, (f"case {index + 1}", target.spec, claim)))
    said = "removed" if verdict == "undo" else verdict
    author = "" if person == trail.actor.name else f", as {person}"
    trail.note(stored.run.id, f"{about}: {said}{author}")


def _store_verdict(  # noqa: PLR0917
    store: Store, stored: StoredRun, index: int, person: str, verdict: VerdictValue, target: Target, note: str
) -> Annotation:
    claim, case = "", case_or_404(store, stored, index)
    if target.statement is not None:
        judged = claims_of(case, target.spec)
        if judged is None or target.statement >= len(judged.claims):
            raise HTTPException(
                404, f"Case {index + 1} has no claim {target.statement + 1} of {target.spec!r}."
            )
        claim = judged.claims[target.statement].statement or ""
    return store.annotations.put(
        stored.number, index, person, verdict, target=target, claim=claim, note=note.strip()
    )


def _all_claims_judged(store: Store, stored: StoredRun, person: str, index: int, spec: str) -> bool:
    judged = claims_of(case_or_404(store, stored, index), spec)
    annotated_claims = {
        item.target.statement
        for item in store.annotations.of(stored.number, index, person)
        if item.target.spec == spec
    }
    return judged is not None and all(claim.number - 1 in annotated_claims for claim in judged.claims)
