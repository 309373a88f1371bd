from itertools import combinations, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragstone.metrics.shared.tool_calls import best_in_order, best_matching, greedy_by_value

WEIGHT = st.floats(0, 1, allow_nan=False).map(lambda value: round(value, 3))


@st.composite
def tables(draw: st.DrawFn) -> list[list[float]]:
    rows, columns = draw(st.integers(0, 5)), draw(st.integers(0, 5))
    return [[draw(WEIGHT) for _ in range(columns)] for _ in range(rows)]


def brute_force(weights: list[list[float]], *, in_order: bool) -> float:
    rows, columns = len(weights), len(weights[0]) if weights else 0
    best = 0.0
    for size in range(1, min(rows, columns) + 1):
        for chosen in combinations(range(rows), size):
            for places in (combinations if in_order else permutations)(range(columns), size):
                best = max(best, sum(weights[i][j] for i, j in zip(chosen, places, strict=True)))
    return best


@given(tables())
def test_best_matching_equals_brute_force(weights: list[list[float]]) -> None:
    assert best_matching(weights) == pytest.approx(brute_force(weights, in_order=False))


@given(tables())
def test_best_in_order_equals_brute_force(weights: list[list[float]]) -> None:
    assert best_in_order(weights) == pytest.approx(brute_force(weights, in_order=True))


@given(tables())
def test_greedy_matching_never_exceeds_best_matching(weights: list[list[float]]) -> None:
    columns = range(len(weights[0]) if weights else 0)
    assert greedy_by_value(weights, list(columns)) <= best_matching(weights) + 1e-9
