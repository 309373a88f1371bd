"""Review of a drafted test set: one question after the other, kept, edited or dropped by keyboard."""

from typing import Annotated, Literal
from urllib.parse import urlencode

from fastapi import APIRouter, Form, HTTPException, Query, Request
from starlette.responses import RedirectResponse, Response

from ragstone.dashboard.context import AppContext, ContextDep
from ragstone.dashboard.deps import LONGEST_NAME, AnnotatorDep, clean_name, remember
from ragstone.dashboard.rendering import view
from ragstone.drafts.review import SAMPLE, DraftReview

router = APIRouter(prefix="/review", include_in_schema=False)

_FOUND = 303
_LONGEST_TEXT = 20_000
Text = Annotated[str, Form(max_length=_LONGEST_TEXT)]


@router.get("")
def page(
    request: Request,
    ctx: ContextDep,
    person: AnnotatorDep,
    skipped: Annotated[list[str] | None, Query()] = None,
    last: str = "",
) -> Response:
    """Show the next question of the drafted set, and how many were bad so far."""
    review = _review(ctx)
    case = review.next(skipped or ()) if person else None
    said = review.decision(last)
    shown = {"case": case, "summary": review.summary(), "sample": SAMPLE, "name": review.path.name}
    return view(request, "review.html", person=person, said=said, skipped=skipped or [], **shown)


@router.post("/person")
def begin(person: Annotated[str, Form(max_length=LONGEST_NAME)]) -> Response:
    """Remember who reviews."""
    return remember(RedirectResponse("/review", _FOUND), clean_name(person))


@router.post("")
def decide(  # noqa: PLR0917  (the fields of the form)
    ctx: ContextDep,
    person: AnnotatorDep,
    case_id: Annotated[str, Form(max_length=200)],
    state: Annotated[Literal["keep", "edit", "drop", "open"], Form()],
    question: Text = "",
    answer: Text = "",
) -> Response:
    """Store a decision and go on."""
    changed = {"input": question, "expected_output": answer}
    _review(ctx).decide(case_id, state, person, changed)
    query = "" if state == "open" else f"?{urlencode({'last': case_id})}"
    return RedirectResponse(f"/review{query}", _FOUND)


def _review(ctx: AppContext) -> DraftReview:
    if ctx.draft is None:
        raise HTTPException(404, "No drafted test set is open: ragstone serve --review draft.jsonl")
    return DraftReview(ctx.draft)
