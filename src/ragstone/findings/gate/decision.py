"""The decision of a gate: red, yellow or green, with every reason.

Red: a metric got significantly worse (`RunComparison.regressed`) and not only within the margin; a test case tagged
`critical` that passed in the baseline has no score any more, or breaks again in most of the answers that the
application gives when it is asked again; too many results were not measured, those that the run lost included. The
first measurement of a critical case is not one of the repeated ones, since the case was selected because it missed.

Yellow: not red, but with warnings. A critical case that broke in the one answer that was judged is a warning, as such
an answer may be bad by chance: among ten that an application answers well nineteen times in twenty, one in three runs
has one. It is no pass either: the exit code is 3 until the application is asked again.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import ClassVar, Literal

from ragstone.findings.comparison import RunComparison, compare
from ragstone.findings.fingerprint import hash_test_set
from ragstone.findings.gate.baseline_file import rounded
from ragstone.findings.gate.critical import BrokenCase, broken_cases, lost_results
from ragstone.findings.numbers import count, percent
from ragstone.findings.registry import Renderable
from ragstone.findings.report import Report
from ragstone.result import Result

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
        edited: whether the current folder has another version of it than the revision where it was read.
    """

    report: Report
    place: str
    test_set: str
    edited: bool = False


@dataclass(frozen=True, kw_only=True, repr=False)
class GateDecision(Renderable):
    """The decision of a gate.

    Attributes:
        name: name of the gate; it marks the pull request comment that the next decision replaces.
        comparison: comparison of the baseline and the new run.
        baseline: the baseline that the run was compared with.
        test_set: digest of the new run's questions and references.
        broken: critical cases that passed in the baseline and do not any more, confirmed or not.
        asked_again: whether the repeated measurements are of new answers of the application.
        unmeasured: results of the new run that were not measured, and those that the baseline has and the run lost.
        results: results of the new run, skipped ones not counted, and those that it lost.
        max_unmeasured: the share of `unmeasured` that is accepted.
        staleness: warnings about the baseline and the dataset: its age, another test set, rows that were not read.
    """

    subject: ClassVar = "gate"

    name: str
    comparison: RunComparison
    baseline: GateBaseline
    test_set: str
    broken: tuple[BrokenCase, ...]
    asked_again: bool
    unmeasured: int
    results: int
    max_unmeasured: float
    staleness: tuple[str, ...]

    def __repr__(self) -> str:
        return f"<GateDecision {self.state}: {self.verdict}>"

    @property
    def state(self) -> Literal["red", "yellow", "green"]:
        """Red blocks, yellow warns, green passes."""
        if self.reasons:
            return "red"
        return "yellow" if self.warnings or self.comparison.state == "yellow" else "green"

    @property
    def warnings(self) -> tuple[str, ...]:
        """Reasons to doubt the decision: a stale baseline, another judge, what the comparison leaves open."""
        return (*self.staleness, *self.assumptions, *self.comparison.warnings)

    @property
    def exit_code(self) -> int:
        """Exit code for CI: 3 if nothing was measured or something could not be told; 1 if red; otherwise 0."""
        if self.reasons:
            return 3 if self._nothing_measured else 1
        told = self.comparison.after.complete and not self.assumptions
        return self.comparison.exit_code if told else 3

    @property
    def reasons(self) -> tuple[str, ...]:
        """The reasons why the gate is red, one sentence each; empty if it is not."""
        reasons = [self.comparison.verdict] if self.comparison.state == "red" else []
        if lost := self._critical(lambda case: case.lost):
            verb = "has" if lost == 1 else "have"
            reasons.append(f"{count(lost, 'critical case')} passed before and {verb} no score now.")
        if missed := self._critical(self._broke_again):
            reasons.append(f"{count(missed, 'critical case')} broke.")
        if self._nothing_measured:
            reasons.append("Nothing was measured in this run.")
        elif self.unmeasured > self.max_unmeasured * self.results:
            share = percent(self.unmeasured / self.results)
            reasons.append(
                f"{share} of the results could not be measured ({self.unmeasured} of {self.results}; "
                f"at most {percent(self.max_unmeasured)} are accepted)."
            )
        return tuple(reasons)

    @property
    def _nothing_measured(self) -> bool:
        return self.unmeasured >= self.results

    @property
    def assumptions(self) -> tuple[str, ...]:
        """What could not be told of critical cases that do not pass any more; they do not make the gate red."""
        found: list[str] = []
        judged_once = self._critical(
            lambda case: case.confirmed and not case.lost and not self._broke_again(case)
        )
        if judged_once:
            found.append(
                f"{count(judged_once, 'critical case')} broke. Only the answers in this run were judged: the gate "
                "would be red if the application always answered like this, and it was not asked again."
            )
        if undecided := self._critical(lambda case: case.status == "undecided"):
            verb = "is" if undecided == 1 else "are"
            found.append(f"{count(undecided, 'critical case')} passed before and {verb} undecided now.")
        return tuple(found)

    def _broke_again(self, case: BrokenCase) -> bool:
        """Return whether the application was asked again, and most of its new answers fail."""
        return self.asked_again and case.repeated and case.confirmed and not case.lost

    def _critical(self, condition: Callable[[BrokenCase], bool]) -> int:
        return len({case.case_id for case in self.broken if condition(case)})

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
    asked_again: bool = False,
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
        asked_again: whether those are of new answers: the application was asked again for each of them.
        max_unmeasured: share of results without a score that is accepted, from 0 to 1.
        max_age: age of the baseline from which a warning is given.
        now: the time at which the age is determined; the start of the new run where None.
    """
    unmeasured, results = unmeasured_results(report)
    lost, test_set = lost_results(comparison), hash_test_set(report.cases)
    age = (now or report.run.started) - baseline.report.run.started
    return GateDecision(
        name=name,
        comparison=comparison,
        baseline=baseline,
        test_set=test_set,
        broken=tuple(broken_cases(comparison, rechecked)),
        asked_again=asked_again,
        unmeasured=unmeasured + lost,
        results=results + lost,
        max_unmeasured=max_unmeasured,
        staleness=tuple(_staleness(baseline, report, test_set, age, max_age)),
    )


def compare_with_baseline(
    baseline: GateBaseline, report: Report, *, margin: float | None = None
) -> RunComparison:
    """Compare a run with a baseline, both rounded to the decimals of a baseline, so rounding is not a difference."""
    return compare(_rounded_report(baseline.report), _rounded_report(report), margin=margin)


def unmeasured_results(report: Report) -> tuple[int, int]:
    """Return the number of results that were not measured, and of all results.

    A row that cannot be read is in both, once for each metric. Skipped results do not count.
    """
    statuses = [result.status for _, result in report.flat() if not result.skipped]
    rejected = len(report.rejected) * max(len(report.run.plan.metrics), 1)
    return statuses.count("not_measured") + rejected, len(statuses) + rejected


def _rounded_report(report: Report) -> Report:
    fields = ("score", "low", "high")

    def with_digits(result: Result) -> Result:
        return result.model_copy(update={name: rounded(getattr(result, name)) for name in fields})

    return replace(report, results=[list(map(with_digits, row)) for row in report.results])


def _staleness(
    baseline: GateBaseline, report: Report, test_set: str, age: timedelta, max_age: timedelta
) -> Iterator[str]:
    if age > max_age:
        days = count(age.days, "day")
        yield f"The baseline is {days} old: `ragstone gate --update` on the main branch renews it."
    if baseline.edited:
        yield f"The baseline differs in the current folder; the run was compared with {baseline.place}."
    if test_set != baseline.test_set:
        yield (
            f"The test set changed since the baseline ({baseline.test_set} before, {test_set} now): only the cases in "
            "common are compared."
        )
    if rejected := report.rejected:
        yield f"{count(len(rejected), 'row')} could not be read: {rejected[0]}"
