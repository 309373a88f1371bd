"""Redundant calls: how many tool calls repeat an earlier one? Lower is better. No judge.

    score = calls that are the same as an earlier call / all calls; 0 where no tool was called

Two calls are the same if they call one tool with equal arguments, after normalisation: the order of the arguments
does not matter, one that is null counts as not given, 2.0 is 2, and blanks in texts count as one. A call that
repeats one which failed is a retry and is not redundant. Source: own definition; MLflow's tool call efficiency asks
a judge for the same.
"""

from collections.abc import Sequence

from ragstone.case import TestCase, ToolCall
from ragstone.metrics.base.metric import Metric, MetricContext, Score
from ragstone.metrics.shared.tool_calls import recorded_tool_calls
from ragstone.metrics.shared.trajectories import name_calls, repeated_calls


class RedundantCalls(Metric):
    """How many tool calls repeat an earlier one? Lower is better. No judge call.

    Attributes:
        ignore: names of tools whose calls do not count, such as a clock that an agent may call repeatedly.
        count_retries: whether a call that repeats a failed call is redundant too.
    """

    needs = ()
    higher_is_better = False

    ignore: Sequence[str] = ()
    count_retries: bool = False

    def assess(self, case: TestCase, ctx: MetricContext) -> Score:
        """Compare each call with those before."""
        return self.score(recorded_tool_calls(self.title, case))

    def score(self, called: Sequence[ToolCall]) -> Score:
        """Score calls, in their order. Pure."""
        counted = [(number, call) for number, call in enumerate(called, 1) if call.name not in self.ignore]
        if not counted:
            return Score(0.0, "No tool was called that counts.", {"called": [], "redundant": []})
        calls = [call for _, call in counted]
        repeated = repeated_calls(calls, count_retries=self.count_retries)
        metadata = {
            "called": [call.name for call in calls],
            "redundant": [{"call": counted[index][0], "tool": calls[index].name} for index in repeated],
        }
        reason = f"{len(repeated)} of {len(calls)} tool calls repeat an earlier one."
        if repeated:
            reason += f" Repeated: {name_calls([calls[index] for index in repeated])}."
        return Score(len(repeated) / len(calls), reason, metadata)
