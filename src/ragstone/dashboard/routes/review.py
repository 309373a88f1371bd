"""A drafted test set: its questions one after the other, kept, edited or dropped by keyboard; what the set covers."""

from dataclasses import dataclass
from typing import Annotated, Literal
from urllib.parse import urlencode

from fastapi import APIRouter, Form, HTTPException, Query, Request
from starlette.responses import RedirectResponse, Response

from ragstone.dashboard.context import ActorDep, AnnotatorDep, ReviewDep, remember, signed_name
from ragstone.dashboard.rendering import view
from ragstone.dashboard.routes.offers import Responses
from ragstone.dashboard.security.access import LONGEST_NAME, TrailDep
from ragstone.drafts.figures import DraftFigures, figures_path, read_figures
from ragstone.drafts.review import SAMPLE, ReviewSummary
from ragstone.findings.fingerprint import hash_test_set
from ragstone.show.drafts import document

router = APIRouter()

Text = Annotated[str, Form(max_length=20_000)]
Skipped = Annotated[list[str], Query(default_factory=list)]
_UNKNOWN: Responses = {
    400: {"description": "the set, or its figures, cannot be read"},
    404: {"description": "no drafted test set is open, or it has no figures"},
}


@dataclass(frozen=True, slots=True)
class ReviewedSet:
    """A drafted set under review, with its digest as `run` prints it."""

    name: str
    test_set: str
    summary: ReviewSummary


@dataclass(frozen=True, slots=True)
class CoveredSet:
    """A drafted set with its figures, and its digest as `run` prints it.

    Attributes:
        outdated: whether the figures are those of another draft, or of the set before it was changed.
    """

    name: str
    test_set: str
    outdated: bool
    figures: DraftFigures


@router.get("/review", include_in_schema=False)
def page(
    request: Request, review: ReviewDep, person: AnnotatorDep, skipped: Skipped, last: str = ""
) -> Response:
    """Show the next question of the drafted set, and how many were bad so far."""
    return view(
        request,
        "review.html",
        person=person,
        case=review.next(skipped) if person else None,
        decision=review.decision(last),
        skipped=urlencode({"skipped": skipped}, doseq=True),
        summary=review.summary(),
        sample=SAMPLE,
        name=review.path.name,
    )


@router.post("/review/person", include_in_schema=False)
def begin(
    actor: ActorDep, trail: TrailDep, person: Annotated[str, Form(max_length=LONGEST_NAME)]
) -> Response:
    """Remember the reviewer's name."""
    trail.skip()
    return remember(RedirectResponse("/review", 303), signed_name(actor, person))


@router.post("/review", include_in_schema=False)
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
    review.decide(case_id, state, person, {"input": question, "expected_output": answer})
    trail.note(case_id, state)
    last = {} if state == "open" else {"last": case_id}
    return RedirectResponse(f"/review?{urlencode({**last, 'skipped': skipped}, doseq=True)}", 303)


@router.get("/review/coverage", include_in_schema=False)
def coverage_page(request: Request, review: ReviewDep) -> Response:
    """Show the coverage of the drafted set, and the outcome of its candidates."""
    figures, cases = read_figures(review.path), review.cases.values()
    found = document(figures, hash_test_set(cases)) if figures else None
    outdated = figures is not None and not figures.fit(cases)
    return view(request, "coverage.html", name=review.path.name, found=found, outdated=outdated)


@router.get("/api/review", tags=["review"], responses=_UNKNOWN)
def summary(review: ReviewDep) -> ReviewedSet:
    """Return how many questions of the drafted set were decided on, and the share of bad ones with its interval."""
    return ReviewedSet(review.path.name, hash_test_set(review.cases.values()), review.summary())


@router.get("/api/review/coverage", tags=["review"], responses=_UNKNOWN)
def coverage(review: ReviewDep) -> CoveredSet:
    """Return what the drafted set covers by document and topic, its difficulty, and the outcome of its candidates."""
    figures = read_figures(review.path)
    if figures is None:
        raise HTTPException(404, f"There is no {figures_path(review.path).name}: `ragstone draft` writes it.")
    cases = review.cases.values()
    return CoveredSet(review.path.name, hash_test_set(cases), not figures.fit(cases), figures)
