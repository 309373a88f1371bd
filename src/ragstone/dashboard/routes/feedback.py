"""API of feedback of the application's users on its answers, by trace, span or session."""

from typing import Annotated

from fastapi import APIRouter, Depends, HTTPException, Path, Query, Request, Response

from ragstone.dashboard.context import ContextDep
from ragstone.dashboard.security.access import TrailDep
from ragstone.dashboard.services.feedback import FeedbackIn, FeedbackIntake, FeedbackKept
from ragstone.store.queue.feedback import StoredFeedback, feedback_on, take_back

incoming = APIRouter(prefix="/feedback", tags=["watch"])  # of the pages and of the trace receiver
router = APIRouter(prefix="/api/feedback", tags=["watch"])
Id = Annotated[str, Query(max_length=64)]


def _intake(request: Request) -> FeedbackIntake:
    return request.app.state.feedback


@incoming.post(
    "",
    status_code=201,
    responses={200: {"model": FeedbackKept, "description": "it replaced earlier feedback"}},
)
def put(
    intake: Annotated[FeedbackIntake, Depends(_intake)], said: FeedbackIn, answer: Response
) -> FeedbackKept:
    """Store feedback on a trace, a span or a session; the trace may arrive later."""
    result = intake.keep(said)
    if result.replaced:
        answer.status_code = 200
    return result


@router.get("")
def listed(
    ctx: ContextDep,
    trace_id: Id = "",
    span_id: Id = "",
    session_id: Annotated[str, Query(max_length=500)] = "",
) -> list[StoredFeedback]:
    """Return the feedback on a trace, a span or a session, the latest first; 200 at most."""
    return feedback_on(ctx.store.traces.engine, trace_id, [span_id] if span_id else [], session_id)


@router.delete(
    "/{feedback_id}", status_code=204, responses={404: {"description": "there is no such feedback"}}
)
def remove(ctx: ContextDep, trail: TrailDep, feedback_id: Annotated[str, Path(max_length=200)]) -> None:
    """Delete the feedback of an id."""
    if not take_back(ctx.store.traces.engine, feedback_id):
        raise HTTPException(404, f"There is no feedback {feedback_id[:100]!r}.")
    trail.note(feedback_id)
