"""Step efficiency: how many tool calls were not wasted? No judge.

    score = useful calls / all calls; 1 where no tool was called

Where the test case says which calls are expected, a call is wasted if it failed or is none of them: each expected
call is paired with one call at most. An explicitly empty list says that no call is needed. Elsewhere a call is
wasted if it failed or repeats an earlier call that did not. What failed and what repeats is defined as in tool
errors and redundant calls. A call that is missing wastes nothing: it shows in trajectory match and tool
correctness. Source: own definition; DeepEval's step efficiency asks a judge.
"""

from collections.abc import Sequence

from ragstone.case import TestCase, ToolCall
from ragstone.metrics.base.metric import Metric, MetricContext, Score
from ragstone.metrics.shared.tool_calls import recorded_tool_calls
from ragstone.metrics.shared.trajectories import (
    ArgumentMode,
    failure_of,
    name_calls,
    pair_calls,
    repeated_calls,
)


class StepEfficiency(Metric):
    """How many tool calls were not wasted? No judge call.

    Attributes:
        arguments: how the arguments of a call must match, besides its name: `ignore`: not at all; `exact`:
            equal arguments; `subset`: only expected arguments; `superset`: all expected arguments, and
            possibly more.
    """

    needs = ()

    arguments: ArgumentMode = "ignore"

    def assess(self, case: TestCase, ctx: MetricContext) -> Score:
        """Look for calls that were wasted."""
        return self.score(recorded_tool_calls(self.title, case), case.get("expected_tools"))

    def score(self, called: Sequence[ToolCall], expected: Sequence[ToolCall] | None = None) -> Score:
        """Score calls, in their order; it may be unknown which are expected. Pure."""
        if not called:
            return Score(1.0, "No tool was called: no call was wasted.", {"called": [], "wasted": []})
        wasted = self._wasted(called, expected)
        metadata = {
            "called": [call.name for call in called],
            "wasted": [
                {"call": index + 1, "tool": called[index].name, "why": wasted[index]}
                for index in sorted(wasted)
            ],
        }
        reason = f"{len(called) - len(wasted)} of {len(called)} tool calls were useful."
        for why in dict.fromkeys(wasted[index] for index in sorted(wasted)):
            reason += (
                f" {why.capitalize()}: {name_calls([called[n] for n in sorted(wasted) if wasted[n] == why])}."
            )
        return Score(1 - len(wasted) / len(called), reason, metadata)

    def _wasted(self, called: Sequence[ToolCall], expected: Sequence[ToolCall] | None) -> dict[int, str]:
        """Return the position of each wasted call, with the reason."""
        wasted = {index: "failed" for index, call in enumerate(called) if failure_of(call) is not None}
        if expected is None:
            return dict.fromkeys(repeated_calls(called), "repeated") | wasted
        remaining = [index for index in range(len(called)) if index not in wasted]
        useful = set(pair_calls(expected, [called[index] for index in remaining], self.arguments).values())
        return wasted | {index: "not expected" for rank, index in enumerate(remaining) if rank not in useful}
