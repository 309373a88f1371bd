"""How often a gate fails: for two runs of one system, and for a system that got worse."""

from dataclasses import dataclass, replace
from datetime import UTC, datetime

import numpy as np

from benchmarks.coverage.field import Pair, fallen, verdict_pair
from ragstone.case import TestCase
from ragstone.findings import Report
from ragstone.findings.fingerprint import hash_test_set
from ragstone.findings.gate import GateBaseline, decide
from ragstone.findings.gate.baseline_file import CRITICAL
from ragstone.findings.gate.critical import cases_to_recheck
from ragstone.findings.gate.decision import compare_with_baseline
from ragstone.result import Result
from ragstone.run import Plan, Run

CASES, METRICS, REPEATS = 60, 3, 3
_STARTED = datetime(2026, 1, 1, tzinfo=UTC)


def _report(scores: np.ndarray, system: "System", rng: np.random.Generator) -> Report:
    """Return a run: each metric's scores, and a metric that critical cases pass or fail."""
    cases = [
        TestCase(
            input=f"Question {number}?", id=str(number), tags=(CRITICAL,) if number < system.critical else ()
        )
        for number in range(CASES)
    ]
    checks = [float(number >= system.broken and rng.random() < system.reliability) for number in range(CASES)]
    results = [
        [_result(metric, score) for metric, score in enumerate(row)]
        + ([_result(METRICS, checks[number])] if number < system.critical else [])
        for number, row in enumerate(scores.tolist())
    ]
    names = tuple(f"metric_{number}" for number in range(METRICS + 1))
    run = Run(id="simulated", plan=Plan(metrics=names, judge="simulated"), started=_STARTED)
    return Report(run=run, cases=cases, results=results)


def _recheck(report: Report, ids: list[str], system: "System", rng: np.random.Generator) -> Report:
    """Return the measurements of three new answers to each suspect."""
    cases = [case for case in report.cases if case.id in ids]
    results: list[list[Result]] = []
    for case in cases:
        chance = 0.0 if int(case.id) < system.broken else system.reliability
        scores = [pair[0].tolist() for pair in _pairs(rng, REPEATS)]
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


PULL_REQUESTS = 500


@dataclass(frozen=True)
class System:
    """A system whose scores are as in the field: pass or fail, k of n claims, k of n with most at 1.

    Attributes:
        falls: decrease of the mean of each metric after the change.
        critical: number of critical cases.
        reliability: probability that the application answers a critical case well.
        broken: number of critical cases that it never answers well after the change.
        asks: whether the gate calls the application again.
        lost: share of the results that are not measured after the change.
    """

    falls: tuple[float, float, float] = (0.0, 0.0, 0.0)
    critical: int = 0
    reliability: float = 1.0
    broken: int = 0
    asks: bool = False
    lost: float = 0.0


SYSTEMS = {
    "the same system": System(),
    "the same, 10 critical cases answered well in 95 %": System(critical=10, reliability=0.95),
    "the same, and the application is asked again": System(critical=10, reliability=0.95, asks=True),
    "one of the 10 is broken, and the application is asked again": System(
        critical=10, reliability=0.95, broken=1, asks=True
    ),
    "all three means 0.05 lower": System(falls=(0.05, 0.05, 0.05)),
    "one of three means 0.05 lower": System(falls=(0.0, 0.05, 0.0)),
    "all three means 0.1 lower": System(falls=(0.1, 0.1, 0.1)),
    "10 % of the results are not measured any more": System(lost=0.1),
}
_FALLING_BY = (1.0, 0.5, 0.5)


def states(system: System, seed: int = 0) -> tuple[float, float]:
    """Return the shares of pull requests whose gate is red, and yellow."""
    rng = np.random.default_rng(seed)
    states = [_state(system, rng) for _ in range(PULL_REQUESTS)]
    return states.count("red") / len(states), states.count("yellow") / len(states)


def _pairs(rng: np.random.Generator, n: int) -> list[Pair]:
    """Return the scores of each metric in two runs of one system."""
    return [
        verdict_pair(rng, n),
        verdict_pair(rng, n, claims=6),
        verdict_pair(rng, n, claims=6, mean=0.85, piled=0.7),
    ]


def _state(system: System, rng: np.random.Generator) -> str:
    pairs = _pairs(rng, CASES)
    before = np.stack([pair[0] for pair in pairs], axis=1)
    changes = zip(pairs, system.falls, _FALLING_BY, strict=True)
    after = np.stack([fallen(rng, pair[1], fall, size) for pair, fall, size in changes], axis=1)
    old, new = _report(before, replace(system, broken=0), rng), _report(after, system, rng)
    results = [[_lost(each) if rng.random() < system.lost else each for each in row] for row in new.results]
    new = Report(run=new.run, cases=new.cases, results=results)
    baseline = GateBaseline(old, "simulated", hash_test_set(old.cases))
    comparison = compare_with_baseline(baseline, new)
    suspects = cases_to_recheck(comparison) if system.asks else {}
    rechecked = _recheck(new, list(suspects), system, rng) if suspects else None
    found = decide(
        baseline,
        new,
        comparison,
        name="simulated",
        rechecked=rechecked,
        asked_again=system.asks,
        max_unmeasured=1.0 if system.lost else 0.02,
    )
    return found.state


def _lost(result: Result) -> Result:
    return result.model_copy(update={"score": None, "low": None, "high": None, "error": "TimedOut: late"})
