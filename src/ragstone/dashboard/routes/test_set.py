"""Add a real question to the test set: from the page of a trace or of a case, or by the API."""

from dataclasses import dataclass
from typing import Annotated, Any, Self

from fastapi import APIRouter, Form, HTTPException, Request, Response
from pydantic import BaseModel, Field, model_validator

from ragstone.case import TestCase
from ragstone.dashboard.context import AppContext, ContextDep
from ragstone.dashboard.rendering import view
from ragstone.dashboard.security.access import Trail, TrailDep
from ragstone.dashboard.services.test_set import AddedQuestion, GrowingTestSet
from ragstone.dashboard.views.trace import trace_case
from ragstone.store.queue.feedback import feedback_on
from ragstone.store.queue.overview import read_trace
from ragstone.store.write.rows import storable_text
from ragstone.traces.cases import TraceOptions

router = APIRouter()
_MAX_ID_LENGTH = 200
_LONGEST_EXPECTED = 20_000  # characters of an expected output that a page offers and takes
_TRACEPARENT_PARTS = 4


class QuestionIn(BaseModel, frozen=True, extra="forbid"):
    """A question to be added, of a trace or of a case of a run (`index` from 0), with the expected output, if known."""

    trace_id: str = Field("", max_length=64)
    run: str = Field("", max_length=_MAX_ID_LENGTH)
    index: int = Field(0, ge=0, le=2**53)
    expected_output: str = Field("", max_length=_LONGEST_EXPECTED)

    @model_validator(mode="after")
    def _one_source(self) -> Self:
        if bool(self.trace_id) == bool(self.run):
            raise ValueError("name a trace, or a run and the index of a case in it")
        return self


@dataclass(frozen=True, slots=True)
class QuestionOffer:
    """A question of a trace, or of a case of a run, that may be added to the test set.

    `expected` is the correction of a user, else the expected output of the case.
    """

    trace: str
    run: str
    index: int
    expected: str
    is_correction: bool
    path: str


@router.post(
    "/api/test-set",
    tags=["datasets"],
    status_code=201,
    responses={
        200: {"model": AddedQuestion, "description": "the test set already has this question"},
        404: {"description": "there is no such trace or case"},
    },
)
def add(ctx: ContextDep, trail: TrailDep, question: QuestionIn, answer: Response) -> AddedQuestion:
    """Add the question of a trace, or of a case of a run, to the test set of this server, once."""
    result = _add_question(ctx, trail, question)
    if not result.added:
        answer.status_code = 200
    return result


@router.post("/test-set", include_in_schema=False)
def add_here(  # noqa: PLR0917  (the fields of the form)
    request: Request,
    ctx: ContextDep,
    trail: TrailDep,
    trace: Annotated[str, Form(max_length=64)] = "",
    run: Annotated[str, Form(max_length=_MAX_ID_LENGTH)] = "",
    index: Annotated[int, Form(ge=0, le=2**53)] = 0,
    expected: Annotated[str, Form(max_length=_LONGEST_EXPECTED)] = "",
) -> Response:
    """Add a question from its page, and show the result there."""
    question = QuestionIn.model_construct(trace_id=trace, run=run, index=index, expected_output=expected)
    result = _add_question(ctx, trail, question)
    offer = QuestionOffer(trace, run, index, expected, False, str(ctx.test_set))
    template = "_test_set.html" if "hx-request" in request.headers else "test_set.html"
    return view(request, template, offer=offer, added=result)


def _add_question(ctx: AppContext, trail: Trail, question: QuestionIn) -> AddedQuestion:
    case, provenance = _chosen_case(ctx, question.trace_id, question.run, question.index)
    test_set = GrowingTestSet(ctx.test_set, ctx.redaction.value)
    result = test_set.add(case, provenance, question.expected_output)
    if result.added:
        trail.note(question.run or question.trace_id, f"test case {result.number}")
    else:
        trail.skip()
    return result


def offer_trace(ctx: AppContext, trace: str, case: TestCase | None) -> QuestionOffer | None:
    """Return the offer of the page of a trace; None if the trace gives no test case."""
    if case is None:
        return None
    return _offer(ctx, case, trace=trace, corrections=trace)


def offer_case(ctx: AppContext, run: str, index: int, case: TestCase) -> QuestionOffer:
    """Return the offer of the page of a case."""
    return _offer(ctx, case, run=run, index=index, corrections=_trace_of(case))


def _chosen_case(ctx: AppContext, trace: str, run: str, index: int) -> tuple[TestCase, dict[str, Any]]:
    """Return the test case to add, and its provenance; 404 where there is none."""
    if not trace:
        stored = ctx.store.find(run)
        case = ctx.case(stored, index).case
        origin = {"trace_id": _trace_of(case)} if _trace_of(case) else {}
        return case, {"run": stored.run.id, "case": index, **origin}
    stored_trace = read_trace(ctx.store.traces.engine, storable_text(trace))
    case = trace_case(stored_trace, TraceOptions())[0] if stored_trace else None
    if case is None:
        raise HTTPException(404, f"There is no trace {trace[:64]!r} with a question and an answer.")
    return case, {"trace_id": trace}


def _offer(
    ctx: AppContext, case: TestCase, *, corrections: str, trace: str = "", run: str = "", index: int = 0
) -> QuestionOffer:
    feedback = feedback_on(ctx.store.traces.engine, corrections) if corrections else []
    correction = next((item.correction for item in feedback if item.correction), "")
    answer = correction or case.expected_output or ""
    expected = answer if len(answer) <= _LONGEST_EXPECTED else ""  # a cut answer would be a different one
    return QuestionOffer(trace, run, index, expected, bool(correction), str(ctx.test_set))


def _trace_of(case: TestCase) -> str:
    parts = str(case.metadata.get("traceparent") or "").split("-")
    return parts[1] if len(parts) == _TRACEPARENT_PARTS else ""
