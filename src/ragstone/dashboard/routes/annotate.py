"""Annotation: a queue of cases or claims to judge by keyboard, blind, and the agreement of people and judge."""

from typing import Annotated, Literal, NamedTuple
from urllib.parse import urlencode

from fastapi import APIRouter, Form, HTTPException, Query, Request
from pydantic import BaseModel, Field
from starlette.responses import RedirectResponse, Response

from ragstone.dashboard.context import (
    ActorDep,
    AnnotatorDep,
    AppContext,
    ContextDep,
    RunDep,
    remember,
    signed_name,
)
from ragstone.dashboard.rendering import view
from ragstone.dashboard.routes.case import Index
from ragstone.dashboard.security.access import LONGEST_NAME, Trail, TrailDep
from ragstone.dashboard.views import annotation as queue
from ragstone.dashboard.views.agreement import Agreement, agreement
from ragstone.dashboard.views.case_annotations import (
    LONGEST_NOTE,
    WHOLE,
    AnnotationIn,
    AnnotationOut,
    AnnotationTarget,
    annotation_out,
    annotations_for,
    claims_of,
    labelled_claims,
)
from ragstone.store import Annotation, StoredRun, Target
from ragstone.verdict import VerdictValue

router = APIRouter()

_MAX_OFFERED_RUNS = 50
Place = Annotated[int, Query(ge=-1, le=2**53)]
Name = Annotated[str, Form(max_length=LONGEST_NAME)]
Note = Annotated[str, Form(max_length=LONGEST_NOTE)]
Kind = Literal["cases", "claims"]
Said = Literal["yes", "no", "idk", "undo"]


class VerdictForm(BaseModel):
    """A verdict of the queue's page, and the place in the queue; `statement` is -1 for a whole case."""

    index: int = Field(ge=0, le=2**53)
    verdict: Said
    spec: str = Field("", max_length=2_000)
    statement: int = Field(-1, ge=-1, le=2**31 - 1)
    note: str = Field("", max_length=LONGEST_NOTE)
    of: Kind = "cases"
    order: queue.QueueOrder = "random"
    after: int = Field(-1, ge=-1)


@router.get("/annotate", include_in_schema=False)
def page(  # noqa: PLR0917  (as the address has them)
    request: Request,
    ctx: ContextDep,
    person: AnnotatorDep,
    run: str = "",
    of: Kind = "cases",
    order: queue.QueueOrder = "random",
    after: Place = -1,
    index: Place = -1,
    last: Place = -1,
) -> Response:
    """Show the next case, or claims, to judge; without an annotator or a run, show the form that asks for them."""
    runs = ctx.store.runs(_MAX_OFFERED_RUNS)
    if not runs or not run or not person:
        chosen = ctx.store.find(run) if run else runs[0] if runs else None
        shown = {"runs": runs, "chosen": chosen, "where": ctx.store.where, "orders": queue.ORDERS}
        template = "annotate_begin.html"
        return view(request, template, person=person, of=of, order=order, draft=ctx.draft, **shown)
    stored = ctx.store.find(run)
    query = queue.AnnotateQuery(of, order, after, index, last)
    shown = queue.annotation_view(queue.AnnotationSession(ctx.store, stored, person, query))
    return view(
        request, "annotate.html", stored=stored, person=person, query=query, orders=queue.ORDERS, **shown
    )


@router.post("/annotate", include_in_schema=False)
def begin(  # noqa: PLR0917  (the fields of the form)
    actor: ActorDep,
    trail: TrailDep,
    person: Name,
    run: Annotated[str, Form(max_length=200)],
    of: Annotated[Kind, Form()] = "cases",
    order: Annotated[queue.QueueOrder, Form()] = "random",
) -> Response:
    """Remember who annotates, and go to the queue."""
    query = urlencode({"run": run, "of": of, "order": order}, errors="replace")
    trail.skip()
    return remember(RedirectResponse(f"/annotate?{query}", 303), signed_name(actor, person))


@router.post("/annotate/{run}", include_in_schema=False)
def judge(
    ctx: ContextDep,
    person: AnnotatorDep,
    trail: TrailDep,
    stored: RunDep,
    said: Annotated[VerdictForm, Form()],
) -> Response:
    """Store a verdict, or remove it, and go to the next case."""
    target = Target(said.spec, None if said.statement < 0 else said.statement)
    about = _Place(stored, said.index, person, target)
    about.keep(ctx, trail, said.verdict, said.note)
    query = {
        "run": stored.run.id,
        "of": said.of,
        "order": said.order,
        "after": said.after,
        "last": said.index,
    }
    if said.verdict == "undo" or (said.of == "claims" and not about.all_claims_judged(ctx)):
        query |= {"index": said.index, "last": -1}
    return RedirectResponse(f"/annotate?{urlencode(query)}", 303)


@router.post("/runs/{run}/cases/{index}/verdict", include_in_schema=False)
def on_case(  # noqa: PLR0917  (the fields of the form)
    request: Request,
    ctx: ContextDep,
    actor: ActorDep,
    trail: TrailDep,
    stored: RunDep,
    index: Index,
    verdict: Annotated[Said, Form()],
    annotator: Name = "",
    note: Note = "",
) -> Response:
    """Store or remove a verdict from the page of a case."""
    name = signed_name(actor, annotator)
    _Place(stored, index, name, WHOLE).keep(ctx, trail, verdict, note)
    here = f"/runs/{stored.run.id}/cases/{index}"
    if "hx-request" not in request.headers:
        return remember(RedirectResponse(here, 303), name)
    yours = annotations_for(ctx.case(stored, index), name)
    return remember(
        view(request, "_your_verdict.html", run=stored.run, here=here, index=index, yours=yours), name
    )


@router.get("/annotate/{run}/agreement", include_in_schema=False)
def figures(request: Request, ctx: ContextDep, stored: RunDep) -> Response:
    """Show the agreement of people and judge, as a fragment of the queue's page."""
    return view(request, "_agreement.html", found=agreement(ctx.store, stored), run=stored.run)


@router.get("/api/runs/{run}/annotations", tags=["annotations"])
def listed(
    ctx: ContextDep,
    stored: RunDep,
    annotator: str | None = None,
    index: Annotated[int | None, Query(ge=0, le=2**53)] = None,
) -> list[AnnotationOut]:
    """Return the annotations of a run: all, one person's, or those on one case."""
    return [annotation_out(item) for item in ctx.store.annotations.of(stored.number, index, annotator)]


@router.put("/api/runs/{run}/annotations", tags=["annotations"])
def put(
    ctx: ContextDep, actor: ActorDep, trail: TrailDep, stored: RunDep, saying: AnnotationIn
) -> AnnotationOut:
    """Store a verdict; it replaces the same person's earlier one on the same target."""
    name = signed_name(actor, saying.annotator)
    about = _Place(stored, saying.index, name, saying.target)
    about.leave_trail(trail, saying.verdict)
    return annotation_out(about.put(ctx, saying.verdict, saying.note))


@router.delete("/api/runs/{run}/annotations", tags=["annotations"], status_code=204)
def take_back(
    ctx: ContextDep,
    actor: ActorDep,
    trail: TrailDep,
    stored: RunDep,
    about: Annotated[AnnotationTarget, Query()],
) -> None:
    """Remove a verdict."""
    place = _Place(stored, about.index, signed_name(actor, about.annotator), about.target)
    if not place.keep(ctx, trail, "undo"):
        raise HTTPException(404, f"{about.annotator!r} has no such annotation on case {about.index + 1}.")


@router.get("/api/runs/{run}/annotations/next", tags=["annotations"])
def next_case(
    ctx: ContextDep, stored: RunDep, annotator: str, order: queue.QueueOrder = "random", after: Place = -1
) -> int | None:
    """Return the index of the next case that this person has not annotated; null where there is none."""
    done = frozenset(item.case_index for item in ctx.store.annotations.of(stored.number, None, annotator))
    places = queue.case_order(ctx.store, stored, order, annotator)
    return next((places[place] for place in queue.open_places(places, done, after)), None)


@router.get("/api/runs/{run}/agreement", tags=["annotations"])
def agreed(ctx: ContextDep, stored: RunDep) -> Agreement:
    """Return the agreement of people with each other and with the judge."""
    return agreement(ctx.store, stored)


class _Place(NamedTuple):
    """What is annotated, and by whom."""

    stored: StoredRun
    case_index: int
    person: str
    target: Target

    def keep(self, ctx: AppContext, trail: Trail, said: Said, note: str = "") -> bool:
        """Store a verdict, or remove it; return whether there was one to remove."""
        self.leave_trail(trail, said)
        if said == "undo":
            return ctx.store.annotations.remove(self.stored.number, self.case_index, self.person, self.target)
        self.put(ctx, said, note)
        return True

    def put(self, ctx: AppContext, verdict: VerdictValue, note: str) -> Annotation:
        """Store a verdict."""
        claim, case = "", ctx.case(self.stored, self.case_index)
        spec, statement = self.target.spec, self.target.statement
        if statement is not None:
            judged = claims_of(case, spec)
            if judged is None or statement >= len(judged.claims):
                raise HTTPException(
                    404, f"Case {self.case_index + 1} has no claim {statement + 1} of {spec!r}."
                )
            claim = judged.claims[statement].statement or ""
        return ctx.store.annotations.put(
            self.stored.number,
            self.case_index,
            self.person,
            verdict,
            target=self.target,
            claim=claim,
            note=note.strip(),
        )

    def leave_trail(self, trail: Trail, said: VerdictValue | Said) -> None:
        """Write a line to the audit log."""
        claim = "" if self.target.statement is None else f"claim {self.target.statement + 1}"
        about = ", ".join(filter(None, (f"case {self.case_index + 1}", self.target.spec, claim)))
        author = "" if self.person == trail.actor.name else f", as {self.person}"
        trail.note(self.stored.run.id, f"{about}: {'removed' if said == 'undo' else said}{author}")

    def all_claims_judged(self, ctx: AppContext) -> bool:
        """Return whether the person has judged all claims of the metric."""
        judged = claims_of(ctx.case(self.stored, self.case_index), self.target.spec)
        own = ctx.store.annotations.of(self.stored.number, self.case_index, self.person)
        done = labelled_claims(own, self.target.spec)
        return judged is not None and all(claim.number - 1 in done for claim in judged.claims)
