"""API of the drafted test set that is under review: progress of the review, and coverage of the set."""

from dataclasses import dataclass

from fastapi import APIRouter, HTTPException

from ragstone.dashboard.deps import ReviewDep
from ragstone.dashboard.routes.offers import Responses
from ragstone.drafts.figures import DraftFigures, figures_path, read_figures
from ragstone.drafts.review import ReviewSummary
from ragstone.findings.fingerprint import hash_test_set

router = APIRouter(prefix="/api/review", tags=["review"])
_UNKNOWN: Responses = {
    400: {"description": "the set, or its figures, cannot be read"},
    404: {"description": "no drafted test set is open, or it has no figures"},
}


@dataclass(frozen=True, slots=True)
class ReviewedSet:
    """A drafted set under review.

    Attributes:
        name: file name of the set.
        test_set: its digest, as `run` prints it.
        summary: progress of the review.
    """

    name: str
    test_set: str
    summary: ReviewSummary


@dataclass(frozen=True, slots=True)
class CoveredSet:
    """A drafted set with its figures.

    Attributes:
        name: file name of the set.
        test_set: its digest, as `run` prints it.
        outdated: whether the figures are those of another draft, or of the set before it was changed.
        figures: coverage of the set, and the outcome of its candidates.
    """

    name: str
    test_set: str
    outdated: bool
    figures: DraftFigures


@router.get("", responses=_UNKNOWN)
def summary(review: ReviewDep) -> ReviewedSet:
    """Return how many questions of the drafted set were decided on, and the share of bad ones with its interval."""
    return ReviewedSet(review.path.name, hash_test_set(review.cases.values()), review.summary())


@router.get("/coverage", responses=_UNKNOWN)
def coverage(review: ReviewDep) -> CoveredSet:
    """Return what the drafted set covers by document and topic, its difficulty, and the outcome of its candidates."""
    figures = read_figures(review.path)
    if figures is None:
        raise HTTPException(404, f"There is no {figures_path(review.path).name}: `ragstone draft` writes it.")
    cases = review.cases.values()
    return CoveredSet(review.path.name, hash_test_set(cases), not figures.fit(cases), figures)
