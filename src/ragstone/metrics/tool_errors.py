"""Tool errors: how many tool calls failed? Lower is better. No judge.

    score = calls that failed / all calls; 0 where no tool was called

A call failed if its `error` is set, as it is where a trace's span of a tool has the status error, or if its output
is an object that says so: `error` that is not empty, `isError` (Model Context Protocol) or `is_error` that is true,
`status` that is `error`. Where no call has an output or an error it is not known how they ended, and nothing is
measured. Source: own definition.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from ragstone.case import TestCase, ToolCall
from ragstone.errors import NotApplicable
from ragstone.metrics.base.metric import Metric, MetricContext, Score
from ragstone.metrics.shared.tool_calls import recorded_tool_calls
from ragstone.metrics.shared.trajectories import failure_of

_MAX_NAMED_CALLS = 3
_MAX_ERROR_LENGTH = 120


class ToolErrors(Metric):
    """How many tool calls failed? Lower is better. No judge call.

    Attributes:
        error_prefixes: prefixes of an output that mean that the call failed, such as `Error:`.
    """

    needs = ()
    higher_is_better = False

    error_prefixes: Sequence[str] = ()

    def assess(self, case: TestCase, ctx: MetricContext) -> Score:
        """Check the outcome of each call."""
        return self.score(recorded_tool_calls(self.title, case))

    def score(self, called: Sequence[ToolCall]) -> Score:
        """Score calls, in their order. Pure.

        Raises:
            NotApplicable: no call has a known outcome.
        """
        if not called:
            return Score(0.0, "No tool was called.", {"called": [], "failed": []})
        if all(call.output is None and call.error is None for call in called):
            raise NotApplicable(
                f"None of the {len(called)} tool calls has an output or an error: it is not known how they ended."
            )
        errors = [failure_of(call, self.error_prefixes) for call in called]
        succeeded = [call.name if error is None else None for call, error in zip(called, errors, strict=True)]
        failed = [
            {
                "call": number,
                "tool": call.name,
                "error": _shorten(error),
                "recovered": call.name in succeeded[number:],
            }
            for number, (call, error) in enumerate(zip(called, errors, strict=True), 1)
            if error is not None
        ]
        metadata = {"called": [call.name for call in called], "failed": failed}
        return Score(len(failed) / len(called), _reason(failed, len(called)), metadata)


def _reason(failed: Sequence[Mapping[str, Any]], calls: int) -> str:
    reason = f"{len(failed)} of {calls} tool calls failed."
    if not failed:
        return reason
    examples = "; ".join(f"{item['tool']} ({item['error']})" for item in failed[:_MAX_NAMED_CALLS])
    more = len(failed) - _MAX_NAMED_CALLS
    recovered = sum(item["recovered"] for item in failed)
    recovery = f" Followed by a call of the same tool that did not fail: {recovered}." if recovered else ""
    return f"{reason} Failed: {examples}{f'; and {more} more' if more > 0 else ''}.{recovery}"


def _shorten(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= _MAX_ERROR_LENGTH else f"{flat[: _MAX_ERROR_LENGTH - 1]}…"
