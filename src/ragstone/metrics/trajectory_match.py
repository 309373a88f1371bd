"""Trajectory match: are the tool calls the expected ones? No judge.

    score = 1 where the calls that were made match the expected ones in the chosen mode, else 0

`strict`: the same calls in the same order. `unordered`: the same calls, in any order. `subset`: no call but
expected ones. `superset`: all expected calls; others besides are allowed. Each call is paired at most once, so a
call expected twice must be made twice. An explicitly empty list of expected calls says that none may be made: in
every mode 1 where none was, else 0. Source: the modes are those of LangChain's agentevals (where `superset` of an
empty list allows any call).
"""

from collections.abc import Sequence
from typing import Literal

from ragstone.case import TestCase, ToolCall
from ragstone.metrics.base.metric import Metric, MetricContext, Score
from ragstone.metrics.shared.tool_calls import recorded_tool_calls
from ragstone.metrics.shared.trajectories import ArgumentMode, name_calls, pair_calls


class TrajectoryMatch(Metric):
    """Are the tool calls the expected ones? No judge call.

    Attributes:
        mode: `strict`, `unordered`, `subset` or `superset`: which difference from the expected calls is allowed.
        arguments: `exact`: equal arguments; `ignore`: only names count; `subset`: a call has only expected
            arguments; `superset`: a call has all expected arguments, and may have more.
    """

    needs = ("expected_tools",)

    threshold: float = 1.0
    mode: Literal["strict", "unordered", "subset", "superset"] = "strict"
    arguments: ArgumentMode = "exact"

    def assess(self, case: TestCase, ctx: MetricContext) -> Score:
        """Compare the calls."""
        return self.score(recorded_tool_calls(self.title, case), case.get("expected_tools"))

    def score(self, called: Sequence[ToolCall], expected: Sequence[ToolCall]) -> Score:
        """Score the calls that were made against the expected ones. Pure."""
        pairs = pair_calls(expected, called, self.arguments)
        paired = set(pairs.values())
        missing = [call for index, call in enumerate(expected) if index not in pairs]
        surplus = [call for index, call in enumerate(called) if index not in paired]
        moved = None if missing or surplus else self._first_moved(called, expected)
        metadata = {
            "mode": self.mode,
            "called": [call.name for call in called],
            "expected": [call.name for call in expected],
            "missing": [call.name for call in missing],
            "surplus": [call.name for call in surplus],
        }
        if not expected:
            reason = f"No tool call is expected; {len(called)} were made."
            return Score(0.0 if called else 1.0, reason, metadata)
        problems = self._problems(missing, surplus, moved)
        if problems:
            return Score(0.0, f"The tool calls do not match ({self.mode}): {'; '.join(problems)}.", metadata)
        return Score(1.0, f"The {len(called)} tool calls match the expected ones ({self.mode}).", metadata)

    def _problems(
        self, missing: Sequence[ToolCall], surplus: Sequence[ToolCall], moved: str | None
    ) -> list[str]:
        problems: list[str] = []
        if missing and self.mode != "subset":
            problems.append(f"missing or different: {name_calls(missing)}")
        if surplus and self.mode != "superset":
            problems.append(f"not expected: {name_calls(surplus)}")
        if moved is not None and self.mode == "strict":
            problems.append(moved)
        return problems

    def _first_moved(self, called: Sequence[ToolCall], expected: Sequence[ToolCall]) -> str | None:
        """Return the first difference in order, or None without one."""
        for number, (wanted, made) in enumerate(zip(expected, called, strict=True), 1):
            if not pair_calls([wanted], [made], self.arguments):
                with_other = " with other arguments" if made.name == wanted.name else ""
                return f"call {number} is {made.name}, where {wanted.name} is expected{with_other}"
        return None
