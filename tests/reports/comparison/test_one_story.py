"""A comparison tells one story: interval, sentence, sign, verdict and exit code agree in every rendering.

The law is checked over random comparisons: one to six metrics, no effect, small and large ones, few cases and many,
coarse scores and fine ones, either direction.
"""

import json
import re
from dataclasses import replace
from io import StringIO

import numpy as np
import pytest
from tests.reports.sample import case, fixed_report, result

from ragstone.reports import Report
from ragstone.reports.comparison import RunComparison, compare
from ragstone.reports.comparison.console import show
from ragstone.reports.comparison.figures import difference
from ragstone.reports.console.styles import plain_console
from ragstone.stats.compare import Comparison

NAMES = ("Faithfulness", "Hallucination", "ContextualRecall", "AnswerRelevancy", "Bias", "Groundedness")
LOWER = ("Hallucination", "Bias")


def report_of(scores: np.ndarray, names: tuple[str, ...], name: str) -> Report:
    """Return a report with a row of scores for each case."""
    base = fixed_report()
    plan = base.run.plan.model_copy(update={"name": name, "metrics": names})
    cases = [case(number) for number in range(len(scores))]
    return replace(
        base,
        run=base.run.model_copy(update={"plan": plan}),
        cases=cases,
        results=[
            [
                result(item, float(score), metric=metric, higher_is_better=metric not in LOWER)
                for metric, score in zip(names, row, strict=True)
            ]
            for item, row in zip(cases, scores, strict=True)
        ],
    )


def drawn(seed: int) -> RunComparison:
    rng = np.random.default_rng(seed)
    n, metrics = int(rng.choice([2, 6, 8, 9, 12, 30, 80])), int(rng.integers(1, 7))
    steps = int(rng.choice([1, 4, 1000]))
    before = np.round(rng.random((n, metrics)) * steps) / steps
    effect = rng.choice([0.0, 0.0, 0.1, 0.2, 0.4, 0.9], metrics) * rng.choice([-1, 1], metrics)
    after = np.clip(np.round((before + effect + rng.normal(0, 0.15, (n, metrics))) * steps) / steps, 0, 1)
    return compare(report_of(before, NAMES[:metrics], "old"), report_of(after, NAMES[:metrics], "new"))


def printed_interval(found: Comparison) -> tuple[float, float] | None:
    """Return the interval as it is printed; None where it is left out."""
    ends = re.search(r"\(([-+\d.]+) to ([-+\d.]+)\)", difference(found).replace("\N{MINUS SIGN}", "-"))
    return (float(ends[1]), float(ends[2])) if ends else None


@pytest.mark.parametrize("seed", range(120))
def test_interval_sentence_sign_and_exit_code_agree(seed: int) -> None:
    found = drawn(seed)
    document = {item["metric"]: item for item in json.loads(found.to_json())["metrics"]}
    for metric in found.metrics:
        shown = metric.comparison
        claimed = shown.verdict != "no difference shown"
        assert claimed is not (0.0 in shown.interval)
        assert shown.tested == len(found.metrics)
        printed = printed_interval(shown)
        assert printed is not None or not claimed
        if printed is not None:
            assert (printed[0] <= 0.0 <= printed[1]) is not claimed
        sentence = shown.sentence()
        assert ("no difference this dataset could show" in sentence) is not claimed
        if claimed:
            rose = shown.interval.low > 0.0
            assert f" {'rose' if rose else 'fell'} by " in sentence
            assert (shown.verdict == "better") is (rose is shown.higher_is_better)
            assert shown.adjusted_p <= 0.05 + 1e-9
        item = document[metric.name]
        assert (item["verdict"], item["sentence"]) == (shown.verdict, sentence)
        assert (item["interval"]["low"], item["interval"]["high"]) == (
            shown.interval.low,
            shown.interval.high,
        )
        assert shown.interval.low <= shown.single_interval.low + 1e-12
        assert shown.interval.high >= shown.single_interval.high - 1e-12
    worse = [metric for metric in found.metrics if metric.comparison.verdict == "worse"]
    assert found.exit_code == (1 if worse else 0)
    assert found.regressed is bool(worse)
    assert all(metric.name in found.verdict for metric in worse)
    assert found.to_markdown().startswith("## ✗" if worse else "## ✓")
    paper = StringIO()
    show(found, plain_console(paper, width=200))
    printed_verdict = " ".join(paper.getvalue().split())
    assert printed_verdict.endswith(f"{'✗' if worse else '✓'} {found.verdict}")


def test_random_comparisons_cover_every_verdict() -> None:
    """The random comparisons above hold what they are to test."""
    kinds = {
        (metric.comparison.verdict, metric.comparison.interval.too_few, metric.comparison.tested > 1)
        for seed in range(120)
        for metric in drawn(seed).metrics
    }
    assert {(verdict, few) for verdict, few, _ in kinds} >= {
        ("better", False),
        ("worse", False),
        ("worse", True),
        ("no difference shown", False),
        ("no difference shown", True),
    }


def test_interval_is_widened_for_six_metrics() -> None:
    rng = np.random.default_rng(4)
    before = rng.random((40, 6)) * 0.6
    after = before + rng.normal(0, 0.2, (40, 6))
    noise = rng.normal(0, 0.15, 40)
    after[:, 0] = before[:, 0] + 0.055 + noise - noise.mean()
    found = compare(report_of(before, NAMES, "old"), report_of(np.clip(after, 0, 1), NAMES, "new"))
    first = found.metrics[0].comparison
    assert 0.0 not in first.single_interval
    assert 0.0 in first.interval
    assert first.verdict == "no difference shown"
    assert "this one alone, uncorrected" in found.to_markdown()
    assert "(95 %, 6 together)" in found.to_markdown()
