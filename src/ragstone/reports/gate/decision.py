"""The decision of a gate: red, yellow or green, with every reason.

A gate is red if a metric got significantly worse (`RunComparison.regressed`: corrected test and interval agree); if a
test case tagged `critical` that passed in the baseline fails now, and in most of its repeated measurements; or if too
many results could not be measured. The first measurement of a critical case is not one of the repeated ones, since the
case was selected because it failed. A gate is yellow if it is not red but has warnings, such as an old baseline.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import ClassVar, Literal

from ragstone.reports.comparison import Flip, MetricChange, RunComparison, compare
from ragstone.reports.fingerprint import hash_test_set
from ragstone.reports.formats.registry import Renderable
from ragstone.reports.gate.baseline_file import rounded
from ragstone.reports.numbers import count, percent
from ragstone.reports.report import Report, repeated_scores
from ragstone.result import Result, passes

CRITICAL = "critical"
"""The tag of a test case that must not break."""

MAX_UNMEASURED = 0.02
"""Share of results without a score that a gate accepts, by default."""

MAX_AGE = timedelta(days=14)
"""Age of a baseline from which a gate warns, by default."""


@dataclass(frozen=True, slots=True)
class GateBaseline:
    """The baseline that a run is compared with.

    Attributes:
        report: its scores.
        place: its source: a file, or a run in a store.
        test_set: digest of its questions and references; see `hash_test_set`.
    """

    report: Report
    place: str
    test_set: str


@dataclass(frozen=True, slots=True)
class BrokenCase:
    """A critical test case that passed in the baseline and fails now.

    Attributes:
        case_id: id of the test case.
        question: its input.
        metric: the metric that fails.
        failed: number of measurements with a score that failed; of the repeats if there are any.
        measured: measurements with a score.
        reason: the reason of the current result.
    """

    case_id: str
    question: str
    metric: str
    failed: int
    measured: int
    reason: str | None

    @property
    def confirmed(self) -> bool:
        """Whether most of the measurements failed."""
        return 2 * self.failed > self.measured


@dataclass(frozen=True, kw_only=True, repr=False)
class GateDecision(Renderable):
    """The decision of a gate.

    Attributes:
        name: name of the gate; it marks the pull request comment that the next decision replaces.
        comparison: comparison of the baseline and the new run.
        baseline: the baseline that the run was compared with.
        test_set: digest of the new run's questions and references.
        broken: critical cases that passed in the baseline and failed in the new run, confirmed or not.
        unmeasured: results of the new run without a score, skipped ones not counted.
        results: results of the new run, skipped ones not counted.
        max_unmeasured: the share of `unmeasured` that is accepted.
        staleness: warnings about the baseline: its age, another test set.
    """

    renderings: ClassVar = "gate"

    name: str
    comparison: RunComparison
    baseline: GateBaseline
    test_set: str
    broken: tuple[BrokenCase, ...]
    unmeasured: int
    results: int
    max_unmeasured: float
    staleness: tuple[str, ...]

    def __repr__(self) -> str:
        """Return the decision and its first reason."""
        return f"<GateDecision {self.state}: {self.verdict}>"

    @property
    def state(self) -> Literal["red", "yellow", "green"]:
        """Red blocks, yellow warns, green passes."""
        return "red" if self.reasons else "yellow" if self.warnings else "green"

    @property
    def warnings(self) -> tuple[str, ...]:
        """Reasons to doubt the decision: a stale baseline, another judge or wording, cases lost."""
        return (*self.staleness, *self.comparison.warnings)

    @property
    def exit_code(self) -> int:
        """Exit code for CI: 1 if red, 3 if the run is incomplete or nothing could be compared, otherwise 0."""
        if self.reasons:
            return 1
        return 0 if self.comparison.measured and self.comparison.after.complete else 3

    @property
    def reasons(self) -> tuple[str, ...]:
        """The reasons why the gate is red, one sentence each; empty if it is not."""
        reasons = [self.comparison.verdict] if self.comparison.regressed else []
        confirmed = [case for case in self.broken if case.confirmed]
        if confirmed:
            reasons.append(f"{count(len(confirmed), 'critical case')} broke.")
        if self.results and self.unmeasured > self.max_unmeasured * self.results:
            share = percent(self.unmeasured / self.results)
            reasons.append(
                f"{share} of the results could not be measured ({self.unmeasured} of {self.results}; "
                f"at most {percent(self.max_unmeasured)} are accepted)."
            )
        return tuple(reasons)

    @property
    def verdict(self) -> str:
        """The decision in a sentence or two."""
        return " ".join(self.reasons) or self.comparison.verdict


def decide(
    baseline: GateBaseline,
    report: Report,
    comparison: RunComparison,
    *,
    name: str,
    rechecked: Report | None = None,
    max_unmeasured: float = MAX_UNMEASURED,
    max_age: timedelta = MAX_AGE,
    now: datetime | None = None,
) -> GateDecision:
    """Decide whether a run is worse than a baseline.

    Args:
        baseline: the baseline.
        report: the new run.
        comparison: their comparison; see `compare_with_baseline`.
        name: name of the gate.
        rechecked: more measurements of the critical cases that broke; see `cases_to_recheck`.
        max_unmeasured: share of results without a score that is accepted, from 0 to 1.
        max_age: age of the baseline from which a warning is given.
        now: the time at which the age is determined; the start of the new run where None.
    """
    unmeasured, results = unmeasured_results(report)
    test_set = hash_test_set(report.cases)
    return GateDecision(
        name=name,
        comparison=comparison,
        baseline=baseline,
        test_set=test_set,
        broken=tuple(_broken_cases(comparison, report, rechecked)),
        unmeasured=unmeasured,
        results=results,
        max_unmeasured=max_unmeasured,
        staleness=_staleness(
            baseline, test_set, (now or report.run.started) - baseline.report.run.started, max_age
        ),
    )


def compare_with_baseline(baseline: GateBaseline, report: Report) -> RunComparison:
    """Compare a run with a baseline, both rounded to the decimals of a baseline, so rounding is not a difference."""
    return compare(_rounded_report(baseline.report), _rounded_report(report))


def unmeasured_results(report: Report) -> tuple[int, int]:
    """Return the number of results without a score, and of all results. A row that cannot be read counts in both.

    Skipped results do not count.
    """
    scores = [result.score for _, result in report.flat() if not result.skipped]
    return scores.count(None) + len(report.rejected), len(scores) + len(report.rejected)


def cases_to_recheck(comparison: RunComparison) -> dict[str, tuple[str, ...]]:
    """Return the ids of critical test cases that broke, with the specs of the metrics that they fail."""
    critical = {case.id for case in comparison.after.cases if CRITICAL in case.tags}
    specs_by_case: dict[str, tuple[str, ...]] = {}
    for (_, spec), change in zip(comparison.matched.metrics, comparison.metrics, strict=True):
        for flip in change.flips:
            if flip.broke and flip.case_id in critical:
                specs_by_case[flip.case_id] = (*specs_by_case.get(flip.case_id, ()), spec)
    return specs_by_case


def _broken_cases(comparison: RunComparison, report: Report, rechecked: Report | None) -> list[BrokenCase]:
    specs = cases_to_recheck(comparison)
    repeated = {} if rechecked is None else _by_case_and_spec(rechecked)
    measured = _by_case_and_spec(report)
    return [
        _broken_case(change, flip, measured[flip.case_id, spec], repeated.get((flip.case_id, spec)))
        for (_, spec), change in zip(comparison.matched.metrics, comparison.metrics, strict=True)
        for flip in change.flips
        if flip.broke and spec in specs.get(flip.case_id, ())
    ]


def _broken_case(change: MetricChange, flip: Flip, first: Result, repeated: Result | None) -> BrokenCase:
    scores = repeated_scores(repeated) or repeated_scores(first)
    failed = sum(not passes(score, first.cutoff, higher_is_better=first.higher_is_better) for score in scores)
    return BrokenCase(flip.case_id, flip.question, change.name, failed, len(scores), flip.reason)


def _by_case_and_spec(report: Report) -> dict[tuple[str, str], Result]:
    return {(case.id, result.spec or result.metric): result for case, result in report.flat()}


def _rounded_report(report: Report) -> Report:
    results: Sequence[Sequence[Result]] = [
        [result.model_copy(update={"score": rounded(result.score)}) for result in row]
        for row in report.results
    ]
    return replace(report, results=results)


def _staleness(baseline: GateBaseline, test_set: str, age: timedelta, max_age: timedelta) -> tuple[str, ...]:
    warnings: list[str] = []
    if age > max_age:
        warnings.append(
            f"The baseline is {count(age.days, 'day')} old: `ragstone gate --update` on the main branch renews it."
        )
    if test_set != baseline.test_set:
        warnings.append(
            f"The test set changed since the baseline ({baseline.test_set} before, {test_set} now): only the cases in "
            "common are compared."
        )
    return tuple(warnings)
