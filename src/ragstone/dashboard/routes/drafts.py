"""API of the drafted test set that is under review: progress of the review, and coverage of the set."""

from fastapi import APIRouter, HTTPException

from ragstone.dashboard.deps import ReviewDep
from ragstone.dashboard.routes.offers import Responses
from ragstone.dashboard.schemas.drafts import CoverageOut, ReviewOut, coverage_out, review_out
from ragstone.drafts.figures import figures_path, read_figures
from ragstone.reports.fingerprint import hash_test_set

router = APIRouter(prefix="/api/review", tags=["review"])
_UNKNOWN: Responses = {
    400: {"description": "the set, or its figures, cannot be read"},
    404: {"description": "no drafted test set is open, or it has no figures"},
}


@router.get("", responses=_UNKNOWN)
def summary(review: ReviewDep) -> ReviewOut:
    """Return how many questions of the drafted set were decided on, and the share of bad ones with its interval."""
    return review_out(review.path.name, hash_test_set(review.cases.values()), review.summary())


@router.get("/coverage", responses=_UNKNOWN)
def coverage(review: ReviewDep) -> CoverageOut:
    """Return what the drafted set covers by document and topic, its difficulty, and the outcome of its candidates."""
    figures = read_figures(review.path)
    if figures is None:
        raise HTTPException(404, f"There is no {figures_path(review.path).name}: `ragstone draft` writes it.")
    cases = review.cases.values()
    outdated = not figures.fit(cases)
    return coverage_out(review.path.name, hash_test_set(cases), figures, outdated=outdated)
