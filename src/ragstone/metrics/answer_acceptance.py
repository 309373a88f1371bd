"""Answer acceptance: would a careful expert who knows only the passages send the actual output as the answer?

    score = 1 if the judge accepts the output, 0 if not; undecided where it cannot tell

One reading of the whole case. `metadata["faults"]` quotes the words that are wrong, with their place in the output;
`metadata["unanswered"]` lists what was asked and is not answered. An empty output scores 0 without a judge call.
`context_sufficiency` reads the same review: measured together, both cost one call. Source: own definition.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from ragstone.errors import NotApplicable
from ragstone.metrics.base.metric import Metric, MetricContext, TestCase
from ragstone.metrics.base.score import verdict_dicts
from ragstone.metrics.shared.case_review import fault_dicts, review_case, shown_output
from ragstone.prompts import CaseReview, ReviewCase
from ragstone.score import Score, undecided_score
from ragstone.text.preparation import PreparedText
from ragstone.verdict import Verdict

_MAX_SHOWN = 3


class AnswerAcceptance(Metric):
    """Would a careful expert who knows only the passages send the actual output? One judge call."""

    needs = ("input", "actual_output")
    prompts = (ReviewCase,)
    output_form = "written"

    threshold: float | None = 1.0

    def missing(self, case: TestCase) -> tuple[str, ...]:
        """Return the needed fields that a test case lacks; an empty output is an answer, though not a good one."""
        lacking = super().missing(case)
        return tuple(name for name in lacking if name != "actual_output" or case.actual_output is None)

    async def assess(self, case: TestCase, ctx: MetricContext) -> Score:
        """Ask for the review of the case.

        Raises:
            NotApplicable: there are neither passages nor an expected output to judge by.
        """
        if case.get("retrieval_context") is None and case.get("expected_output") is None:
            raise NotApplicable(
                "There is nothing to judge the output by: give retrieval_context (an empty list if nothing was "
                "retrieved), or expected_output."
            )
        output = shown_output(case)
        if not output.text.strip():
            return Score(0.0, "The output is empty.", {"faults": [], "unanswered": [case.input]})
        score = self.score(await review_case(case, ctx), output)
        changes = {"prepared": list(output.changes)} if output.changes else {}
        return replace(score, metadata={**score.metadata, **changes})

    def score(self, review: CaseReview, output: PreparedText) -> Score:
        """Score a review of an output. Pure."""
        faults = fault_dicts(review.faults, output)
        metadata = {
            "answer": review.answer,
            "faults": faults,
            "unanswered": list(review.unanswered),
            "deciding": list(review.deciding),
            "probability": review.acceptable_probability,
            "verdicts": verdict_dicts(_verdicts(faults, review.unanswered, output.original)),
        }
        reason = _reason(review)
        if review.answer == "cannot_tell":
            return undecided_score(reason, metadata)
        lines = [f"{fault.kind}: “{fault.quote}” ({fault.reason.rstrip('.')})" for fault in review.faults]
        lines += [f"unanswered: {part}" for part in review.unanswered]
        score = Score(float(review.answer == "acceptable"), reason, metadata)
        return replace(score, findings=tuple(lines))


def _verdicts(faults: Iterable[dict[str, Any]], unanswered: Iterable[str], written: str) -> list[Verdict]:
    """Return the faults and what is not answered in the form in which all surfaces show verdicts.

    The statement of a fault is its words as they are written in the output.
    """
    found = [
        Verdict(
            written[slice(*fault["span"])] if fault["span"] else fault["quote"],
            "no",
            f"{fault['kind'].replace('_', ' ')}: {fault['reason']}",
            fault["passage"],
        )
        for fault in faults
    ]
    return [*found, *(Verdict(part, "idk") for part in unanswered)]


def _reason(review: CaseReview) -> str:
    said = {
        "acceptable": "The answer is acceptable.",
        "not_acceptable": "The answer is not acceptable.",
        "cannot_tell": "The judge cannot tell whether the answer is acceptable.",
    }[review.answer]
    faults = [_described(fault.quote, fault.kind, fault.reason) for fault in review.faults[:_MAX_SHOWN]]
    more = len(review.faults) - _MAX_SHOWN
    parts = [said, *faults, *([f"{more} more faults."] if more > 0 else [])]
    if review.unanswered:
        parts.append(f"Not answered: {'; '.join(review.unanswered[:_MAX_SHOWN]).rstrip('.')}.")
    return " ".join(parts)


def _described(quote: str, kind: str, reason: str) -> str:
    return f"“{quote}”: {kind.replace('_', ' ')} ({reason.rstrip('.')})."
