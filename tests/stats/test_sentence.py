"""The sentence a manager reads."""

from tests.testing.for_each import for_each

from ragstone.stats.compare import compare_runs
from ragstone.stats.comparison_figures import _digits


@for_each(
    "size, n, told",
    [(0.3, 40, "rose by 0.30"), (0.004, 400, "rose by 0.004"), (0.05, 200, "rose by 0.05")],
)
def test_sentence_shows_as_many_digits_as_needed(size: float, n: int, told: str) -> None:
    before = [0.5 + 0.001 * (i % 3) for i in range(n)]
    after = [x + size + 0.001 * (i % 2) - 0.0005 for i, x in enumerate(before)]
    assert (
        f"Answer relevancy {told} (95 %: "
        in compare_runs(before, after, metric="answer_relevancy").sentence()
    )


def test_sentence_counts_in_singular_and_plural() -> None:
    before = [0.5] * 20
    one_worse = compare_runs(before, [0.0] + [0.5] * 19).sentence()
    assert one_worse.endswith("; 1 case got worse, 0 better, 19 the same.")
    one = compare_runs([0.5], [0.5]).sentence()
    assert one.endswith(": 1 case is too few to show any difference; the one case scored the same.")
    assert "all 20 cases scored the same." in compare_runs(before, before).sentence()


@for_each("value, digits", [(0.0, 2), (0.02, 2), (0.019, 2), (0.004, 3), (1e-6, 6), (1e-9, 6)])
def test_a_number_has_two_to_six_decimals(value: float, digits: int) -> None:
    assert _digits(value) == digits
