"""The tool calls of a test case. An empty list means that no tool was called; None is a missing field."""

import json
from collections.abc import Sequence

from ragstone.case import TestCase, ToolCall
from ragstone.errors import MissingField


def recorded_tool_calls(owner: str, case: TestCase) -> tuple[ToolCall, ...]:
    """Return the calls that were made, in order; an empty list means that no tool was called.

    Raises:
        MissingField: the test case does not record its calls.
    """
    if case.tools_called is None:
        raise MissingField(owner, f"test case {case.name or case.id!r}", ("tools_called",))
    return tuple(case.tools_called)


def tool_calls_json(calls: Sequence[ToolCall]) -> tuple[str, ...]:
    """Return each call as JSON, as shown to a judge."""
    return tuple(map(tool_call_json, calls))


def tool_call_json(call: ToolCall) -> str:
    """Return a call as JSON; values that JSON cannot represent are written as their repr."""
    return json.dumps(call.model_dump(exclude_none=True), ensure_ascii=False, default=repr)


Weights = Sequence[Sequence[float]]
"""How well row i pairs with column j, not negative."""


def best_matching(weights: Weights) -> float:
    """Return the largest sum of weights of pairs that use each row and each column at most once.

    The Hungarian algorithm with potentials (Kuhn 1955, Munkres 1957), in O(n³).
    """
    size = max(len(weights), max((len(row) for row in weights), default=0))
    # Rows and columns count from 1; 0 is where a search starts.
    cost = [[0.0] * (size + 1) for _ in range(size + 1)]
    for i, row in enumerate(weights, 1):
        for j, weight in enumerate(row, 1):
            cost[i][j] = -weight
    row_of = _min_cost_assignment(cost)
    return -sum(cost[row_of[column]][column] for column in range(1, size + 1))


def _min_cost_assignment(cost: list[list[float]]) -> list[int]:
    """Return, for each column, its row in a minimum-cost assignment."""
    indices = range(len(cost))
    row_potential, column_potential, row_of = [0.0] * len(cost), [0.0] * len(cost), [0] * len(cost)
    for new_row in indices[1:]:
        row_of[0], column = new_row, 0
        slack, previous_column, seen = [float("inf")] * len(cost), [0] * len(cost), set[int]()
        while row_of[column] or not seen:
            seen.add(column)
            row = row_of[column]
            unseen = [other for other in indices[1:] if other not in seen]
            for other in unseen:
                reduced = cost[row][other] - row_potential[row] - column_potential[other]
                if reduced < slack[other]:
                    slack[other], previous_column[other] = reduced, column
            column = min(unseen, key=slack.__getitem__)
            step = slack[column]
            for other in seen:
                row_potential[row_of[other]] += step
                column_potential[other] -= step
            for other in unseen:
                slack[other] -= step
        while column:
            row_of[column] = row_of[previous_column[column]]
            column = previous_column[column]
    return row_of


def best_in_order(weights: Weights) -> float:
    """Return the largest sum of weights of pairs that keep the order of rows and of columns (a weighted LCS)."""
    columns = max((len(row) for row in weights), default=0)
    best = [0.0] * (columns + 1)
    for row in weights:
        above, best = best, [0.0]
        for column, weight in enumerate(row):
            best.append(max(above[column + 1], best[column], above[column] + weight))
    return best[-1]


def greedy_by_value(weights: Weights, same: Sequence[int]) -> float:
    """Return DeepEval's sum: each row takes the best free column; columns equal to a taken one are taken too.

    Args:
        weights: how well row i pairs with column j.
        same: for each column, the number of the first column with equal content.
    """
    taken: set[int] = set()
    total = 0.0
    for row in weights:
        free = [(weight, column) for column, weight in enumerate(row) if same[column] not in taken]
        weight, column = max(free, default=(0.0, -1), key=lambda item: item[0])
        if weight > 0:
            total += weight
            taken.add(same[column])
    return total
