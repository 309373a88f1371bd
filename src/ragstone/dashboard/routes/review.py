"""A drafted test set: its questions one after the other, kept, edited or dropped by keyboard; what the set covers."""

from collections.abc import Sequence
from typing import Annotated, Literal
from urllib.parse import urlencode

from fastapi import APIRouter, Form, HTTPException, Query, Request
from starlette.responses import RedirectResponse, Response

from ragstone.case import TestCase
from ragstone.dashboard.context import AppContext, ContextDep
from ragstone.dashboard.deps import LONGEST_NAME, AnnotatorDep, clean_name, remember
from ragstone.dashboard.rendering import view
from ragstone.drafts.figures import read_figures
from ragstone.drafts.review import SAMPLE, DraftReview
from ragstone.reports.drafts.view import head, sentences, tables
from ragstone.reports.fingerprint import hash_test_set

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


@router.get("/coverage")
def coverage(request: Request, ctx: ContextDep) -> Response:
    """Show what the drafted set covers, and what became of its candidates."""
    review = _review(ctx)
    figures, name = read_figures(review.path), review.path.name
    if figures is None:
        return view(request, "coverage.html", name=name, figures=None, facts=())
    cases = [*review.cases.values()]
    return view(
        request,
        "coverage.html",
        name=name,
        figures=figures,
        facts=head(figures, hash_test_set(cases)),
        sentences=[*sentences(figures)],
        tables=tables(figures),
        other=_OTHER if _drafted_from(cases) != {figures.corpus} or len(cases) != figures.size else "",
    )


_OTHER = (
    "The figures are those of another draft: the test set was drafted from other passages, or changed since."
)


def _drafted_from(cases: Sequence[TestCase]) -> set[str]:
    return {str(case.metadata["draft"].get("corpus")) for case in cases}


def _review(ctx: AppContext) -> DraftReview:
    if ctx.draft is None:
        raise HTTPException(404, "No drafted test set is open: ragstone serve --review draft.jsonl")
    return DraftReview(ctx.draft)
