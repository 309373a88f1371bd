"""How often a gate fails: for two runs of one system, and for a system that got worse."""

from dataclasses import dataclass
from datetime import UTC, datetime

import numpy as np

from ragstone.case import TestCase
from ragstone.reports import Report
from ragstone.reports.fingerprint import hash_test_set
from ragstone.reports.gate import GateBaseline, decide
from ragstone.reports.gate.decision import CRITICAL, cases_to_recheck, compare_with_baseline
from ragstone.result import Result
from ragstone.run import Plan, Run

PULL_REQUESTS = 2000
CASES, METRICS, REPEATS = 60, 3, 3
_STARTED = datetime(2026, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class System:
    """A system under test.

    Attributes:
        steadiness: share of the scores that are equal in a second run.
        critical: number of critical cases.
        reliability: probability that a critical case passes in one measurement.
        fall: decrease of each score after the change.
        broken: number of critical cases that fail after the change.
    """

    steadiness: float = 0.5
    critical: int = 0
    reliability: float = 1.0
    fall: float = 0.0
    broken: int = 0


def red_share(system: System, pull_requests: int = PULL_REQUESTS, seed: int = 0) -> float:
    """Return the share of pull requests whose gate fails."""
    rng = np.random.default_rng(seed)
    return sum(_red(system, rng) for _ in range(pull_requests)) / pull_requests


def _red(system: System, rng: np.random.Generator) -> bool:
    before = rng.beta(4, 1, (CASES, METRICS))
    again = rng.beta(4, 1, (CASES, METRICS))
    same = rng.random((CASES, METRICS)) < system.steadiness
    after = np.clip(np.where(same, before, again) - system.fall, 0, 1)
    old, new = _report(before, system, rng, 0), _report(after, system, rng, system.broken)
    baseline = GateBaseline(old, "simulated", hash_test_set(old.cases))
    comparison = compare_with_baseline(baseline, new)
    suspects = cases_to_recheck(comparison)
    rechecked = _recheck(new, list(suspects), system, rng) if suspects else None
    return decide(baseline, new, comparison, name="simulated", rechecked=rechecked).state == "red"


def _report(scores: np.ndarray, system: System, rng: np.random.Generator, broken: int) -> Report:
    """Return a run: each metric's scores, and a metric that critical cases pass or fail."""
    cases = [
        TestCase(
            input=f"Question {number}?", id=str(number), tags=(CRITICAL,) if number < system.critical else ()
        )
        for number in range(CASES)
    ]
    checks = [float(number >= broken and rng.random() < system.reliability) for number in range(CASES)]
    results = [
        [_result(metric, score) for metric, score in enumerate(row)]
        + ([_result(METRICS, checks[number])] if number < system.critical else [])
        for number, row in enumerate(scores.tolist())
    ]
    names = tuple(f"metric_{number}" for number in range(METRICS + 1))
    run = Run(id="simulated", plan=Plan(metrics=names, judge="simulated"), started=_STARTED)
    return Report(run=run, cases=cases, results=results)


def _recheck(report: Report, ids: list[str], system: System, rng: np.random.Generator) -> Report:
    """Return three fresh measurements of each suspect by every metric."""
    cases = [case for case in report.cases if case.id in ids]
    results: list[list[Result]] = []
    for case in cases:
        chance = 0.0 if int(case.id) < system.broken else system.reliability
        scores = np.clip(rng.beta(4, 1, (METRICS, REPEATS)) - system.fall, 0, 1).tolist()
        checks = [float(rng.random() < chance) for _ in range(REPEATS)]
        results.append([_repeated(metric, each) for metric, each in enumerate([*scores, checks])])
    return Report(run=report.run, cases=cases, results=results)


def _repeated(metric: int, scores: list[float]) -> Result:
    repeats = {"repeats": [{"score": score} for score in scores]}
    return _result(metric, scores[0]).model_copy(update={"metadata": repeats})


def _result(metric: int, score: float) -> Result:
    return Result(
        metric=f"Metric{metric}",
        spec=f"metric_{metric}",
        score=score,
        success=score >= 0.5,
        judge="simulated",
    )
