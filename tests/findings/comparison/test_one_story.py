"""A comparison tells one story: interval, p-values, pass rates, sentence, sign, verdict, gate and exit code agree.

The law is checked over thousands of random comparisons: one to six metrics, no effect, small and large ones, few cases
and many, grouped or not, coarse scores and fine ones, either direction, with and without cases that lost their score.
"""

import json
import re
from collections import Counter
from functools import cache
from io import StringIO
from itertools import product
from typing import NamedTuple

import numpy as np
from tests.findings.sample import fixed_report
from tests.testing.for_each import for_each

from ragstone.case import TestCase
from ragstone.findings import Report
from ragstone.findings.comparison import RunComparison, RunScores, compare, compare_scores
from ragstone.findings.comparison.figures import details, difference
from ragstone.findings.gate import GateBaseline, decide
from ragstone.result import TOLERANCE, Result, passes
from ragstone.show.render.console import plain_console, show
from ragstone.stats.compare import Comparison
from ragstone.stats.metric_scores import MetricScores

NAMES = ("Faithfulness", "Hallucination", "ContextualRecall", "AnswerRelevancy", "Bias", "Groundedness")
LOWER = ("Hallucination", "Bias")
MANY, PRINTED = 1200, 60
GROUPS = 7


@cache
def cases_of(n: int) -> list[TestCase]:
    return [TestCase(input=f"q{i}?", id=f"c{i}", metadata={"doc": i % GROUPS}) for i in range(n)]


def report_of(
    scores: np.ndarray, name: str, *, width: np.ndarray | float = 0.0, cluster: str | None = None
) -> Report:
    """Return a report with a row of scores for each case; NaN is a result without a score.

    Args:
        scores: shape (cases, metrics).
        name: name of the run.
        width: how far the bounds of each score are from it, where a part of it is undecided.
        cluster: key of the groups.
    """
    cases = cases_of(len(scores))
    rows = [
        [_result(*cell) for cell in zip(NAMES, row, widths, strict=False)]
        for row, widths in zip(scores, np.broadcast_to(width, scores.shape), strict=True)
    ]
    return _report(name, cluster, cases, rows)


def _report(name: str, cluster: str | None, cases: list[TestCase], rows: list[list[Result]]) -> Report:
    run = fixed_report().run
    plan = run.plan.model_copy(update={"name": name, "cluster": cluster})
    return Report(run=run.model_copy(update={"plan": plan}), cases=cases, results=rows)


def _result(metric: str, score: float, width: float) -> Result:
    higher, measured = metric not in LOWER, not np.isnan(score)
    return Result(
        metric=metric,
        spec=metric.lower(),
        score=float(score) if measured else None,
        low=float(max(0.0, score - width)) if measured else None,
        high=float(min(1.0, score + width)) if measured else None,
        success=bool(measured and passes(score, 0.5, higher_is_better=higher)),
        higher_is_better=higher,
        judge="simulated",
        error=None if measured else "TimedOut: late",
        error_type=None if measured else "TimedOut",
    )


def scores_of(scores: np.ndarray, width: np.ndarray, name: str, cluster: str | None) -> RunScores:
    """Return the same as arrays, without the results one by one."""
    lows, highs = np.maximum(0.0, scores - width), np.minimum(1.0, scores + width)
    metrics: dict[str, MetricScores] = {}
    for place, metric in enumerate(NAMES[: scores.shape[1]]):
        higher = metric not in LOWER
        worst, best = (lows, highs) if higher else (highs, lows)
        passed, may_pass = (
            (end[:, place] - 0.5) * (1 if higher else -1) >= -TOLERANCE for end in (worst, best)
        )
        mean, low, high = (column[:, place] for column in (scores, lows, highs))
        metrics[metric.lower()] = MetricScores(
            metric,
            metric.lower(),
            0.5,
            higher,
            mean,
            low,
            high,
            passed,
            may_pass,
            categories=(),
            labels=np.full(len(scores), None, dtype=np.object_),
            labelled=np.zeros(len(scores), dtype=np.bool_),
        )
    report = _report(name, cluster, cases_of(len(scores)), [])
    return RunScores(report, [case.id for case in report.cases], metrics)


class Drawn(NamedTuple):
    """Scores of two runs, the widths of their bounds, all of shape (cases, metrics), and the key of the groups."""

    before: np.ndarray
    after: np.ndarray
    width_before: np.ndarray
    width_after: np.ndarray
    cluster: str | None


def drawn(seed: int) -> Drawn:
    rng = np.random.default_rng(seed)
    n, metrics = int(rng.choice([2, 5, 6, 8, 9, 12, 30, 60])), int(rng.integers(1, 7))
    shape = (n, metrics)
    steps = int(rng.choice([1, 1, 4, 1000]))
    before = np.round(rng.random(shape) ** rng.choice([0.1, 1.0]) * steps) / steps
    if rng.random() < 0.15:  # scores close to the threshold
        before, steps = 0.5 + rng.choice([-0.01, 0.01], shape, p=rng.permutation([0.15, 0.85])), 1000
    effect = rng.choice([0.0, 0.0, 0.1, 0.2, 0.4, 0.9], metrics) * rng.choice([-1, 1], metrics)
    noise = rng.normal(0, rng.choice([0.0, 0.05, 0.15]), shape)
    moved = rng.random(shape) < rng.choice([0.2, 0.5, 1.0])
    after = np.clip(np.round((before + np.where(moved, effect + noise, 0.0)) * steps) / steps, 0, 1)
    after[rng.random(shape) < rng.choice([0.0, 0.0, 0.05, 0.3])] = np.nan
    widths = [
        np.where(rng.random(shape) < rng.choice([0.0, 0.0, 0.1, 0.3]), rng.random(shape) / 2, 0.0)
        for _ in range(2)
    ]
    return Drawn(before, after, widths[0], widths[1], "doc" if n > GROUPS and rng.random() < 0.3 else None)


def compared(seed: int) -> RunComparison:
    found = drawn(seed)
    return compare_scores(
        scores_of(found.before, found.width_before, "old", found.cluster),
        scores_of(found.after, found.width_after, "new", found.cluster),
    )


def printed_interval(found: Comparison) -> tuple[float, float] | None:
    """Return the interval as it is printed; None where it is left out."""
    text = (
        difference(found)
        .replace("\N{MINUS SIGN}", "-")
        .replace("above 0", "1e-13")
        .replace("below 0", "-1e-13")
    )
    ends = re.search(r"\(([-+\de.]+) to ([-+\de.]+)\)", text)
    return (float(ends[1]), float(ends[2])) if ends else None


def check_metric(found: Comparison) -> None:
    """Check that the interval, the p-values, the pass rates and the sentence of a metric agree."""
    error, sentence = 1.0 - found.level + 1e-9, found.sentence()
    assert found.claimed is not (0.0 in found.interval)
    assert found.claimed is (found.adjusted_p <= error and found.change.direction != 0)
    assert found.adjusted_p >= found.p_value
    printed = printed_interval(found)
    assert printed is not None or not found.claimed
    if printed is not None:
        assert (printed[0] <= 0.0 <= printed[1]) is not found.claimed
    for mean in (found.difference, found.difference_high):
        assert mean is not None
        assert found.interval.low <= mean <= found.interval.high
    kinds = ("rose by", "fell by", "no difference", "too few to show", "whether it changed depends")
    assert sum(kind in sentence for kind in kinds) == 1
    assert ("rose by" in sentence or "fell by" in sentence) is found.claimed
    if found.claimed:
        rose = found.interval.low > 0.0
        assert ("rose by" in sentence) is rose
        assert (found.verdict == "better") is (rose is found.higher_is_better)
        assert found.can_show
    if found.verdict == "no difference shown" and found.p_value <= error and found.can_show:
        assert "after correction for" in sentence
        assert found.tested > 1
    if "this dataset could show" in sentence:
        assert found.p_value > error
        assert found.can_show
    if found.detectable is not None:
        assert found.can_show
    assert (found.verdict == "depends on the undecided") <= (found.undecided > 0)
    check_passes(found, sentence)


def check_passes(found: Comparison, sentence: str) -> None:
    rates = found.passes
    assert rates is not None
    assert (rates.verdict == "no change shown") is (0.0 in rates.interval)
    if rates.verdict != "no change shown":
        assert rates.adjusted_p <= 0.05 + 1e-9
        assert (
            (rates.after > rates.before)
            is (rates.after_high > rates.before_high)
            is (rates.verdict == "rose")
        )
        assert found.claimed or found.unseen_in_mean == rates.verdict
    assert (found.unseen_in_mean is not None) is ("but the pass rate" in sentence)
    is_score = set(np.unique(np.concatenate([found.change.lows, found.change.highs]))) <= {-1.0, 0.0, 1.0}
    if is_score and found.before in {0.0, 1.0} and not found.undecided:
        assert (rates.verdict == "no change shown") is not found.claimed


def check_run(found: RunComparison) -> None:
    """Check that verdict, findings, state and exit code follow from the metrics."""
    metrics = [metric for metric in found.metrics if metric.comparison.n]
    for metric in metrics:
        check_metric(metric.comparison)
        assert metric.comparison.tested == len(metrics)
        for text in details(metric, found, "metrics"):
            assert "nan" not in text
    worse = {metric.name for metric in metrics if metric.comparison.verdict == "worse"}
    hurt = {metric.name for metric in metrics if metric.comparison.unseen_in_mean == "fell"}
    open_ones = {metric.name for metric in metrics if metric.comparison.verdict == "depends on the undecided"}
    few = {metric.name for metric in metrics if not metric.comparison.can_show}
    assert found.regressed is bool(worse)
    assert (found.state == "red") is bool(worse)
    if not worse and metrics:
        assert (found.state == "yellow") is bool(hurt or open_ones or few or found.unmeasured)
    assert all(name in found.verdict for name in worse | hurt | open_ones)
    told = {sentence.partition(":")[0] for sentence in found.findings}
    assert told == ((hurt | open_ones | few) - worse) | {*found.unmeasured}
    collapsed = few == {metric.name for metric in metrics} and any(m.comparison.worse for m in metrics)
    assert found.exit_code == (1 if worse else 3 if not metrics or collapsed or found.unmeasured else 0)
    if "this dataset could show" in found.verdict:
        assert not any(metric.comparison.hidden_by_correction for metric in metrics)
        assert not hurt | open_ones


KINDS: tuple[object, ...] = (
    *product(("better", "worse", "no difference shown"), (False, True)),
    ("depends on the undecided", False),
    "hidden by correction",
    "too few",
    "pass rate alone fell",
    "pass rate alone rose",
    "next to 0",
    "groups",
)
"""What the random comparisons must hold."""


def kinds_of(found: Comparison) -> list[object]:
    """Return the kinds of a comparison."""
    ends = (abs(found.interval.low), abs(found.interval.high))
    named = {
        "hidden by correction": found.hidden_by_correction,
        "too few": not found.can_show,
        "next to 0": 0 < min(ends) < 1e-12,
        "groups": found.interval.units < found.n,
    }
    return [
        (found.verdict, found.interval.too_few),
        f"pass rate alone {found.unseen_in_mean}",
        *(name for name, holds in named.items() if holds),
    ]


def test_interval_p_values_pass_rates_sentence_and_exit_code_agree() -> None:
    kinds: Counter[object] = Counter()
    for seed in range(MANY):
        found = compared(seed)
        try:
            check_run(found)
        except AssertionError as error:
            error.add_note(f"seed {seed}")
            raise
        kinds.update(
            kind for metric in found.metrics if metric.comparison.n for kind in kinds_of(metric.comparison)
        )
    rare = [kind for kind in KINDS if kinds[kind] < 5]
    assert rare == []  # else the random comparisons would not hold what they are to test


@for_each("seed", range(PRINTED))
def test_every_rendering_and_the_gate_say_the_same(seed: int) -> None:
    given = drawn(seed)
    old = report_of(given.before, "old", width=given.width_before, cluster=given.cluster)
    new = report_of(given.after, "new", width=given.width_after, cluster=given.cluster)
    found = compare(old, new)
    check_run(found)
    assert [one.comparison for one in found.metrics] == [one.comparison for one in compared(seed).metrics]
    document = json.loads(found.to_json())
    assert (document["verdict"], document["state"], document["exit_code"]) == (
        found.verdict,
        found.state,
        found.exit_code,
    )
    for item, metric in zip(document["metrics"], found.metrics, strict=True):
        shown = metric.comparison
        assert (item["verdict"], item["sentence"], item["adjusted_p"]) == (
            shown.verdict,
            shown.sentence(),
            shown.adjusted_p,
        )
        if shown.n:
            assert (item["interval"]["low"], item["interval"]["high"]) == (
                shown.interval.low,
                shown.interval.high,
            )
    sign = {"red": "✗", "yellow": "⚠", "green": "✓"}[found.state]
    markdown = found.to_markdown()
    assert markdown.startswith(f"## {sign} ")
    paper = StringIO()
    show(found.document(), plain_console(paper, width=200))
    printed = " ".join(paper.getvalue().split())
    assert printed.endswith(f"{sign} {found.verdict}")
    assert all(finding in printed and finding in markdown for finding in found.findings)
    gate = decide(GateBaseline(old, "old.json", "same"), new, found, name="gate", max_unmeasured=1.0)
    assert (gate.state == "red") is (found.state == "red")
    assert gate.exit_code == found.exit_code
    if found.state == "yellow":
        assert gate.state == "yellow"


def test_interval_is_widened_for_six_metrics() -> None:
    rng = np.random.default_rng(4)
    before = rng.random((40, 6)) * 0.6
    after = before + rng.normal(0, 0.2, (40, 6))
    noise = rng.normal(0, 0.15, 40)
    after[:, 0] = before[:, 0] + 0.055 + noise - noise.mean()
    found = compare(report_of(before, "old"), report_of(np.clip(after, 0, 1), "new"))
    first = found.metrics[0].comparison
    assert 0.0 not in first.single_interval
    assert 0.0 in first.interval
    assert first.verdict == "no difference shown"
    assert "no difference shown after correction for 6 tested together" in first.sentence()
    assert "this one alone, uncorrected" in found.to_markdown()
    assert "(95 %, 6 together)" in found.to_markdown()


def test_sixteen_broken_passes_are_not_green() -> None:
    """Scores move across the threshold in both directions, so that the mean stays, and the pass rate falls."""
    before, after = np.full((60, 1), 0.55), np.full((60, 1), 0.55)
    after[:16], after[16:32] = 0.45, 0.65
    found = compare(report_of(before, "old"), report_of(after, "new"))
    shown = found.metrics[0].comparison
    assert (shown.verdict, shown.unseen_in_mean, found.state, found.exit_code) == (
        "no difference shown",
        "fell",
        "yellow",
        0,
    )
    assert "no difference in means" in shown.sentence()
    assert "but the pass rate fell from 100 % to 73.3 %" in shown.sentence()
    assert found.verdict == "The pass rate of Faithfulness fell; no difference in means shown."


@for_each("n, metrics, cluster", [(5, 1, None), (56, 4, "doc")])
def test_collapse_of_few_units_is_never_green(n: int, metrics: int, cluster: str | None) -> None:
    found = compare(
        report_of(np.ones((n, metrics)), "old", cluster=cluster),
        report_of(np.zeros((n, metrics)), "new", cluster=cluster),
    )
    units = "5 cases" if cluster is None else "7 groups"
    assert found.verdict.startswith(f"{units} are too few to show any difference")
    assert (found.state, found.exit_code) == ("yellow", 3)
    assert found.metrics[0].comparison.detectable is None


def test_vaguer_system_is_neither_better_nor_worse() -> None:
    """A fifth of the cases has no score any more: the outcome depends on it, in both directions of a metric."""
    before, after = np.full((60, 2), 0.9), np.full((60, 2), 0.9)
    before[:, 1] = after[:, 1] = 0.1
    after[:12] = np.nan
    found = compare(report_of(before, "old"), report_of(after, "new"))
    assert [one.comparison.verdict for one in found.metrics] == ["depends on the undecided"] * 2
    assert (found.state, found.exit_code) == ("yellow", 0)
    assert "depends on 12 undecided cases" in found.metrics[0].comparison.sentence()
