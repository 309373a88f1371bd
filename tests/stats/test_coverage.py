"""Do the intervals cover what they claim? Simulated, seeded.

Every regime draws datasets from a known truth through the public functions: up to DRAWS, of which the page tells, and
fewer where one costs more. A regime that leaves 93-97 % stands in `EXCEPTIONS` with the band it does reach.
`python -m benchmarks.coverage` prints the tables of `benchmarks/coverage/tables.md`; the tests hold that page to them,
but for the columns of groups and of false alarms at 200, which take half the time of the others together.
"""

from functools import partial
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from benchmarks.coverage import DRAWS, SIZES
from benchmarks.coverage.comparison import (
    false_alarms,
    false_alarms_by_topic,
    false_alarms_over_metrics,
)
from benchmarks.coverage.correction import JUDGES, LABELS, corrections
from benchmarks.coverage.field import (
    CHANGES,
    KINDS,
    VAGUE,
    bounded_coverage,
    difference_coverage,
    false_claims,
    grouped_pass_alarms,
    narrowing,
    power_at_smallest,
    vaguer_called_better,
)
from benchmarks.coverage.intervals import (
    CLUSTERED,
    MEANS,
    RANGES,
    RATES,
    clustered_coverage,
    mean_coverage,
    range_coverage,
    rate_coverage,
)
from benchmarks.coverage.labels import TRUTHS, coverage, independent
from tests.testing.for_each import for_each

pytestmark = pytest.mark.slow
PAGE = Path(__file__).resolve().parents[2] / "benchmarks" / "coverage" / "tables.md"
# Another numpy may draw other numbers from the same seed: four standard errors of 2,000 draws at 5 %.
DRAWN_OTHERWISE = 2.0


def by_chance(draws: int) -> float:
    """Return the most significant results that so many draws bring at 5 %, in 995 of 1,000 simulations."""
    return 0.05 + 2.6 * (0.05 * 0.95 / draws) ** 0.5


BAND = (0.93, 0.97)
EXCEPTIONS: dict[tuple[str, int], tuple[float, float]] = {
    # Counts are whole numbers: at a single rate coverage jumps; its mean over rates is what can be held.
    ("rate 0.02", 10): (0.93, 0.985),
    ("rate 0.02", 30): (0.93, 0.980),
    ("rate 0.1", 10): (0.929, 0.97),
    ("rate 0.1", 30): (0.93, 0.975),
    ("rate 0.3", 10): (0.924, 0.97),
    ("rate 0.3", 30): (0.929, 0.97),
    ("rate 0.5", 10): (0.93, 0.979),
    ("rate 0.9", 10): (0.929, 0.97),
    ("rate 0.9", 30): (0.93, 0.975),
    ("rate 0.98", 10): (0.93, 0.985),
    ("rate 0.98", 30): (0.93, 0.980),
    # Few clusters that stand or fall together near 1: the failing cluster is often not in the sample at all.
    ("clustered rate 0.95", 10): (0.93, 0.985),
    ("clustered rate 0.95", 30): (0.915, 0.97),
    ("clustered ratio 0.95", 10): (0.905, 0.97),
    ("clustered ratio 0.95", 30): (0.905, 0.97),
    ("harsh, noisy", 20): (0.925, 0.97),  # 93.6 % of the page's draws, fewer of their first half
}


def documented(row: str, column: int) -> float:
    """Return the figure that the page gives in the table row so named; the page must have it once."""
    lines = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith(f"| {row} |")]
    assert len(lines) == 1, f"{row!r} is in {len(lines)} table rows of {PAGE.name}"
    return float(lines[0].removeprefix(f"| {row} |").split("|")[column])


@for_each("kind, n", product(MEANS, SIZES))
def test_coverage_of_mean_intervals(kind: str, n: int) -> None:
    low, high = EXCEPTIONS.get((kind, n), BAND)
    found = mean_coverage(kind, n)[0]
    assert low <= found <= high
    assert 100 * found == pytest.approx(documented(kind, SIZES.index(n)), abs=DRAWN_OTHERWISE)


@for_each("rate, n", product(RATES, SIZES))
def test_coverage_of_rate_intervals(rate: float, n: int) -> None:
    low, high = EXCEPTIONS.get((f"rate {rate}", n), BAND)
    found = rate_coverage(rate, n)
    assert low <= found <= high
    assert 100 * found == pytest.approx(documented(str(rate), SIZES.index(n)), abs=0.051)  # not drawn


@for_each("span, n", product(RANGES, SIZES))
def test_coverage_of_rate_intervals_over_a_range(span: tuple[float, float], n: int) -> None:
    low, high = EXCEPTIONS.get((f"any of {span[0]}-{span[1]}", n), BAND)
    found = range_coverage(*span, n)
    assert low <= found <= high
    row = f"any of {span[0]}-{span[1]}"
    assert 100 * found == pytest.approx(documented(row, SIZES.index(n)), abs=DRAWN_OTHERWISE)


@for_each("rate, n", product(RATES, SIZES))
def test_exact_rate_intervals_cover_at_least_95_percent(rate: float, n: int) -> None:
    assert rate_coverage(rate, n, "exact") >= 0.95 - 1e-9


@for_each("kind, groups", product(CLUSTERED, SIZES[:2]))
def test_coverage_of_clustered_intervals(kind: str, groups: int) -> None:
    low, high = EXCEPTIONS.get((f"clustered {kind}", groups), BAND)
    found = clustered_coverage(kind, groups, draws=DRAWS // 2)
    assert low <= found <= high
    assert 100 * found == pytest.approx(documented(kind, SIZES.index(groups)), abs=DRAWN_OTHERWISE)


@for_each("kind, n", product(["ratio", "near_one"], SIZES[:2]))
def test_false_alarms_between_equal_runs_are_rare(kind: str, n: int) -> None:
    small, claimed = false_alarms(kind, n, DRAWS)  # the page's figures are of four times as many
    assert claimed <= small <= by_chance(DRAWS)
    assert 100 * claimed == pytest.approx(documented(f"{kind}, n = {n}", 1), abs=DRAWN_OTHERWISE)


def test_false_alarms_over_five_metrics_are_rare_after_correction() -> None:
    plain, corrected = false_alarms_over_metrics(50, DRAWS // 4)
    assert plain > 0.15  # what looking at five for the price of one would cost
    assert corrected <= by_chance(DRAWS // 4)


def test_false_alarms_by_topic_are_rare_with_clusters() -> None:
    clustered, ignored = false_alarms_by_topic()
    assert clustered <= by_chance(DRAWS)
    assert ignored > 0.2  # what believing dependent cases would cost


@for_each("name", TRUTHS)
def test_intervals_of_label_shares_hold_together(name: str) -> None:
    for place, n in enumerate(SIZES):
        found = coverage(TRUTHS[name], partial(independent, n=n, truth=TRUTHS[name]))
        assert found >= 0.93
        assert 100 * found == pytest.approx(documented(name, place), abs=DRAWN_OTHERWISE)


@for_each("kind, n", product(KINDS, (30, 200)))
def test_smallest_difference_is_found_with_80_percent_power(kind: str, n: int) -> None:
    assert 0.75 <= power_at_smallest(kind, n, 200)[1] <= 0.97


@for_each("name, n", product(CHANGES, (12, 60)))
def test_intervals_of_differences_cover_what_few_changes_hide(name: str, n: int) -> None:
    assert difference_coverage(name, n, 400)[0] >= 0.92


def test_three_metrics_of_one_system_raise_few_alarms() -> None:
    found = {(kind, n): false_claims(kind, n, 3, 100) for kind, n in product(KINDS, [12, 60])}
    assert {of: each for of, each in found.items() if each[0] > by_chance(100) or each[1] > 0.03} == {}
    assert np.mean([claimed for claimed, _ in found.values()]) <= by_chance(100 * len(found))


def test_pass_rates_of_documents_that_turn_as_a_whole_raise_few_alarms() -> None:
    flipped, ignored = grouped_pass_alarms(20, 6, 0.3, 1000)
    assert flipped <= by_chance(DRAWS) + 0.01
    assert ignored > 0.1


@for_each("name, n", product(VAGUE, (12, 200)))
def test_bounded_means_cover_whatever_is_undecided(name: str, n: int) -> None:
    assert bounded_coverage(name, n, 400)[0] >= 0.94


def test_an_equal_system_with_a_vaguer_judge_is_not_called_better() -> None:
    claimed, left_out, _ = vaguer_called_better(200, 0.4, 300)
    assert claimed <= 0.05
    assert left_out > 0.3  # what leaving out the undecided would claim


@for_each("checks", (10, 20))
def test_ten_checks_halve_the_width(checks: int) -> None:
    covered, width = narrowing(200, checks, VAGUE["8 % undecided, whatever they are"], 400)
    assert covered >= 0.92
    assert width < 0.55


@for_each("judge, labels", product(JUDGES, LABELS[::2]))
def test_ppi_is_unbiased_and_no_wider_than_labels_alone(judge: str, labels: int) -> None:
    found = corrections(judge, labels, draws=DRAWS // 2)
    low, high = EXCEPTIONS.get((judge, labels), BAND)
    assert low <= found.coverage <= high
    assert 100 * found.coverage == pytest.approx(documented(f"{judge} | {labels}", 2), abs=DRAWN_OTHERWISE)
    assert abs(found.bias) <= 4 * found.bias_error
    assert found.width <= 1.012
    # Where all labels but one happen to pass, the labels alone look more certain than they are.
    assert found.widest <= (1.25 if "rate" in judge and labels <= 50 else 1.07)
    if labels >= 50 and "noise" not in judge:
        assert found.width < 0.96


@for_each("labels", LABELS)
def test_precise_but_biased_judge_narrows_the_interval(labels: int) -> None:
    found = corrections("harsh, precise", labels, draws=DRAWS // 2)
    assert found.judge_bias < -0.2
    assert found.width < 0.75
