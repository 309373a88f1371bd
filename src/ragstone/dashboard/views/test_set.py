"""Offers of the pages to add a trace or a case to the test set, with the answer that people consider right."""

from dataclasses import dataclass
from typing import Any

from fastapi import HTTPException

from ragstone.case import TestCase
from ragstone.dashboard.context import AppContext
from ragstone.dashboard.deps import case_or_404
from ragstone.dashboard.views.trace import trace_case
from ragstone.store.queue.feedback import feedback_on
from ragstone.store.queue.overview import read_trace
from ragstone.store.write.rows import storable_text
from ragstone.traces.cases import TraceOptions

LONGEST_EXPECTED = 20_000
"""Characters of an expected output that a page offers and takes."""
_TRACEPARENT_PARTS = 4


@dataclass(frozen=True, slots=True)
class QuestionOffer:
    """A question that may be added to the test set.

    Attributes:
        trace: id of the trace that it is from; empty for a case of a run.
        run: id of the run that it is from; empty for a trace.
        index: its place in the run, from 0.
        expected: the expected output that is offered: the correction of a user, else that of the case; empty where
            there is none, or one longer than `LONGEST_EXPECTED`.
        is_correction: whether a user gave it.
        path: the file to which it is added.
    """

    trace: str
    run: str
    index: int
    expected: str
    is_correction: bool
    path: str


def offer_trace(ctx: AppContext, trace: str, case: TestCase | None) -> QuestionOffer | None:
    """Return the offer of the page of a trace; None if the trace gives no test case."""
    if case is None:
        return None
    return _offer(ctx, case, trace=trace, corrections=trace)


def offer_case(ctx: AppContext, run: str, index: int, case: TestCase) -> QuestionOffer:
    """Return the offer of the page of a case."""
    return _offer(ctx, case, run=run, index=index, corrections=_trace_of(case))


def chosen_case(ctx: AppContext, trace: str, run: str, index: int) -> tuple[TestCase, dict[str, Any]]:
    """Return the test case to add, and its provenance.

    Raises:
        HTTPException: 404, there is none.
        NotInStore: there is no such run.
    """
    if not trace:
        stored = ctx.store.find(run)
        case = case_or_404(ctx.store, stored, index).case
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
    expected = answer if len(answer) <= LONGEST_EXPECTED else ""  # a cut answer would be a different one
    return QuestionOffer(trace, run, index, expected, bool(correction), str(ctx.test_set))


def _trace_of(case: TestCase) -> str:
    """Return the id of the trace that a case of a run was made from; empty without one."""
    parts = str(case.metadata.get("traceparent") or "").split("-")
    return parts[1] if len(parts) == _TRACEPARENT_PARTS else ""
