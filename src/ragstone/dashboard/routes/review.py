"""A drafted test set: its questions one after the other, kept, edited or dropped by keyboard; what the set covers."""

from typing import Annotated, Literal
from urllib.parse import urlencode

from fastapi import APIRouter, Form, Query, Request
from starlette.responses import RedirectResponse, Response

from ragstone.dashboard.deps import ActorDep, AnnotatorDep, ReviewDep, remember, signed_name
from ragstone.dashboard.rendering import view
from ragstone.dashboard.security.access import LONGEST_NAME
from ragstone.dashboard.security.trail import TrailDep
from ragstone.drafts.figures import read_figures
from ragstone.drafts.review import SAMPLE
from ragstone.findings.fingerprint import hash_test_set
from ragstone.show.drafts import document

router = APIRouter(prefix="/review", include_in_schema=False)

_SEE_OTHER = 303
_MAX_TEXT_LENGTH = 20_000
Text = Annotated[str, Form(max_length=_MAX_TEXT_LENGTH)]
Skipped = Annotated[list[str], Query(default_factory=list)]


@router.get("")
def page(
    request: Request,
    review: ReviewDep,
    person: AnnotatorDep,
    skipped: Skipped,
    last: str = "",
) -> Response:
    """Show the next question of the drafted set, and how many were bad so far."""
    case = review.next(skipped) if person else None
    decision = review.decision(last)
    shown = {"case": case, "summary": review.summary(), "sample": SAMPLE, "name": review.path.name}
    again = urlencode({"skipped": skipped}, doseq=True)
    return view(request, "review.html", person=person, said=decision, skipped=again, **shown)


@router.post("/person")
def begin(
    actor: ActorDep, trail: TrailDep, person: Annotated[str, Form(max_length=LONGEST_NAME)]
) -> Response:
    """Remember the reviewer's name."""
    trail.skip()
    return remember(RedirectResponse("/review", _SEE_OTHER), signed_name(actor, person))


@router.post("")
def decide(  # noqa: PLR0917  (the fields of the form)
    review: ReviewDep,
    person: AnnotatorDep,
    trail: TrailDep,
    case_id: Annotated[str, Form(max_length=200)],
    state: Annotated[Literal["keep", "edit", "drop", "open"], Form()],
    skipped: Skipped,
    question: Text = "",
    answer: Text = "",
) -> Response:
    """Store a decision and go on with the next question that was not skipped."""
    changed = {"input": question, "expected_output": answer}
    review.decide(case_id, state, person, changed)
    trail.note(case_id, state)
    last = {} if state == "open" else {"last": case_id}
    return RedirectResponse(f"/review?{urlencode({**last, 'skipped': skipped}, doseq=True)}", _SEE_OTHER)


@router.get("/coverage")
def coverage(request: Request, review: ReviewDep) -> Response:
    """Show the coverage of the drafted set, and the outcome of its candidates."""
    figures, name = read_figures(review.path), review.path.name
    if figures is None:
        return view(request, "coverage.html", name=name, found=None)
    found = document(figures, hash_test_set(review.cases.values()))
    other = "" if figures.fit(review.cases.values()) else _OTHER_DRAFT
    return view(request, "coverage.html", name=name, found=found, other=other)


_OTHER_DRAFT = (
    "The figures belong to another draft: the test set was drafted from other passages, or has changed since."
)
