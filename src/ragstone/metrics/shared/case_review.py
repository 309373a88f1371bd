"""What the metrics that rest on the review of a whole case share: they ask the same prompt, which is sent once."""

from collections.abc import Iterable
from typing import Any

from ragstone.case import TestCase
from ragstone.engine.context import MetricContext
from ragstone.metrics.base.cases import references
from ragstone.prompts import CaseReview, Fault, ReviewCase
from ragstone.text.preparation import PreparedText, prepared
from ragstone.text.quotes import find_quote


def review_prompt(case: TestCase) -> ReviewCase:
    """Return the prompt that reviews a test case; its output is shown without the model's thoughts."""
    accepted = references(case) if case.get("expected_output") is not None else ()
    return ReviewCase(
        passages=case.get("retrieval_context"),
        input=case.input,
        actual_output=shown_output(case).text.strip(),
        expected_output=accepted if len(accepted) > 1 else "".join(accepted),
    )


async def review_case(case: TestCase, ctx: MetricContext) -> CaseReview:
    """Return the judge's review of a test case."""
    return await ctx.ask(review_prompt(case))


def shown_output(case: TestCase) -> PreparedText:
    """Return the actual output as a user is shown it, with the way back to the text as it was written."""
    return prepared(case.actual_output or "", "answer")


def fault_dicts(faults: Iterable[Fault], output: PreparedText) -> list[dict[str, Any]]:
    """Return the faults for the metadata, each with the span of its quote in the output as it was written.

    The span is None where the output does not have these words.
    """
    return [{**fault.model_dump(), "span": _original_span(fault.quote, output)} for fault in faults]


def _original_span(quote: str, output: PreparedText) -> tuple[int, int] | None:
    found = find_quote(quote, output.text)
    return None if found is None else output.original_span(*found)
