"""Tool correctness: did the agent call the tools that it should have called? No judge.

    score = largest total similarity of pairs (expected call, made call) / number of expected calls

Each call is paired at most once, so a tool expected twice must be called twice; other calls made besides cost nothing.
`should_consider_ordering` pairs in order (weighted longest common subsequence); `should_exact_match` demands the same
calls in the same places. Two calls of one name are similar by their parameters, where these count: the share of keys
with equal values. An explicitly empty list of expected calls says that none may be made: 1 where
none was, else 0. `compat="deepeval"` pairs greedily and takes equal calls for one, as DeepEval does.
Source: DeepEval, tool correctness.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, cast

from ragstone.case import TestCase, ToolCall
from ragstone.metrics.base.metric import Metric, MetricContext, Score
from ragstone.metrics.shared.tool_calls import (
    best_in_order,
    best_matching,
    greedy_by_value,
    recorded_tool_calls,
)


class ToolCorrectness(Metric):
    """Did the agent call the tools that it should have called? No judge call.

    Attributes:
        should_consider_ordering: whether the order of the calls matters.
        should_exact_match: whether the calls must be the same in the same positions, no more and no fewer.
        check_parameters: whether the arguments count.
        check_output: whether the outputs of the tools must be equal.
        compat: `deepeval` for DeepEval's greedy pairing, in which equal calls count once.
    """

    needs = ("expected_tools",)

    should_consider_ordering: bool = False
    should_exact_match: bool = False
    check_parameters: bool = False
    check_output: bool = False
    compat: Literal["deepeval"] | None = None

    async def assess(self, case: TestCase, ctx: MetricContext) -> Score:
        """Compare the calls."""
        return self.score(recorded_tool_calls(self.title, case), case.get("expected_tools"))

    def score(self, called: Sequence[ToolCall], expected: Sequence[ToolCall]) -> Score:
        """Score two lists of calls. Pure."""
        names = {"called": [call.name for call in called], "expected": [call.name for call in expected]}
        if not expected:
            reason = f"No tool call is expected; {len(called)} were made."
            return Score(0.0 if called else 1.0, reason, {**names, "similarities": []})
        weights = [[self._similarity(wanted, made) for made in called] for wanted in expected]
        total = self._total(weights, called)
        value = min(1.0, total / len(expected))
        missing = [
            wanted.name for wanted, row in zip(expected, weights, strict=True) if max(row, default=0.0) < 1
        ]
        reason = f"{total:g} of {len(expected)} expected tool calls were made."
        if missing and value < 1:
            reason += f" Missing or different: {', '.join(missing)}."
        return Score(value, reason, {**names, "similarities": weights})

    def _total(self, weights: list[list[float]], called: Sequence[ToolCall]) -> float:
        if self.should_exact_match:
            indices = range(len(weights))
            same = len(weights) == len(called) and all(weights[i][i] == 1 for i in indices)
            return float(len(weights)) if same else 0.0
        if self.should_consider_ordering:
            return best_in_order(weights)
        if self.compat == "deepeval":
            return greedy_by_value(weights, [list(called).index(call) for call in called])
        return best_matching(weights)

    def _similarity(self, wanted: ToolCall, made: ToolCall) -> float:
        if wanted.name != made.name or (self.check_output and wanted.output != made.output):
            return 0.0
        if not self.check_parameters:
            return 1.0
        return _mapping_similarity(wanted.input_parameters or {}, made.input_parameters or {})


def _mapping_similarity(wanted: Mapping[str, Any], made: Mapping[str, Any]) -> float:
    """Return the share of all keys whose values are equal, mappings inside compared likewise."""
    if wanted == made:
        return 1.0
    keys = wanted.keys() | made.keys()
    return sum(_value_similarity(wanted[key], made[key]) for key in wanted.keys() & made.keys()) / len(keys)


def _value_similarity(wanted: object, made: object) -> float:
    if isinstance(wanted, dict) and isinstance(made, dict):
        return _mapping_similarity(cast("dict[str, Any]", wanted), cast("dict[str, Any]", made))
    return float(wanted == made)
