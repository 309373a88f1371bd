"""Add a real question to the test set: from the page of a trace or of a case, or by the API."""

from typing import Annotated, Self

from fastapi import APIRouter, Form, Request, Response
from pydantic import BaseModel, ConfigDict, Field, model_validator

from ragstone.dashboard.context import AppContext, ContextDep
from ragstone.dashboard.rendering import view
from ragstone.dashboard.security.trail import Trail, TrailDep
from ragstone.dashboard.services.test_set import AddedQuestion, GrowingTestSet
from ragstone.dashboard.views.test_set import LONGEST_EXPECTED, QuestionOffer, chosen_case

router = APIRouter()
_OK = 200
_MAX_ID_LENGTH = 200


class QuestionIn(BaseModel):
    """A question to be added.

    Attributes:
        trace_id: the trace that it is from.
        run: the run that it is from, instead.
        index: its place in the run, from 0.
        expected_output: what the answer should be; empty if unknown.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    trace_id: str = Field("", max_length=64)
    run: str = Field("", max_length=_MAX_ID_LENGTH)
    index: int = Field(0, ge=0, le=2**53)
    expected_output: str = Field("", max_length=LONGEST_EXPECTED)

    @model_validator(mode="after")
    def _one_source(self) -> Self:
        if bool(self.trace_id) == bool(self.run):
            raise ValueError("name a trace, or a run and the index of a case in it")
        return self


class QuestionOut(BaseModel):
    """The result of adding a question.

    Attributes:
        added: false where the same question is there already.
        number: its place in the file, from 1.
        case_id: id of the test case there.
        path: the file, as `ragstone run` takes it.
    """

    model_config = ConfigDict(frozen=True, from_attributes=True)

    added: bool
    number: int
    case_id: str
    path: str


@router.post(
    "/api/test-set",
    tags=["datasets"],
    status_code=201,
    responses={
        200: {"model": QuestionOut, "description": "the test set already has this question"},
        404: {"description": "there is no such trace or case"},
    },
)
def add(ctx: ContextDep, trail: TrailDep, question: QuestionIn, answer: Response) -> QuestionOut:
    """Add the question of a trace, or of a case of a run, to the test set of this server, once."""
    result = _add_question(ctx, trail, question)
    if not result.added:
        answer.status_code = _OK
    return QuestionOut.model_validate(result)


@router.post("/test-set", include_in_schema=False)
def add_here(  # noqa: PLR0917  (the fields of the form)
    request: Request,
    ctx: ContextDep,
    trail: TrailDep,
    trace: Annotated[str, Form(max_length=64)] = "",
    run: Annotated[str, Form(max_length=_MAX_ID_LENGTH)] = "",
    index: Annotated[int, Form(ge=0, le=2**53)] = 0,
    expected: Annotated[str, Form(max_length=LONGEST_EXPECTED)] = "",
) -> Response:
    """Add a question from its page, and show the result there."""
    question = QuestionIn.model_construct(trace_id=trace, run=run, index=index, expected_output=expected)
    result = _add_question(ctx, trail, question)
    offer = QuestionOffer(trace, run, index, expected, False, str(ctx.test_set))
    template = "_test_set.html" if "hx-request" in request.headers else "test_set.html"
    return view(request, template, offer=offer, added=result)


def _add_question(ctx: AppContext, trail: Trail, question: QuestionIn) -> AddedQuestion:
    case, provenance = chosen_case(ctx, question.trace_id, question.run, question.index)
    test_set = GrowingTestSet(ctx.test_set, ctx.redaction.value)
    result = test_set.add(case, provenance, question.expected_output)
    if result.added:
        trail.note(question.run or question.trace_id, f"test case {result.number}")
    else:
        trail.skip()
    return result
