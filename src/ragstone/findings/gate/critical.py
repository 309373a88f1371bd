"""The results that a run lost against its baseline, and the critical test cases that do not pass any more."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from ragstone.findings.comparison import RunComparison
from ragstone.findings.gate.baseline_file import CRITICAL
from ragstone.findings.report import Report, repeated_scores
from ragstone.result import Result, passes
from ragstone.status import Status

_LOST = ("not_measured", "skipped", "gone")
_OUTCOMES = {
    "passed": "passed",
    "missed": "missed its threshold",
    "undecided": "is undecided",
    "not_measured": "was not measured",
    "skipped": "was skipped",
    "gone": "is gone",
}


@dataclass(frozen=True, slots=True)
class BrokenCase:
    """A critical test case that passed a metric in the baseline and does not any more.

    Attributes:
        case_id: id of the test case.
        question: its input.
        metric: the metric that it does not pass.
        status: that of the new result; `gone` if the run has no such test case or result.
        missed: number of measurements with a score that missed; of the repeats if there are any.
        measured: measurements with a score.
        reason: the reason of the current result.
        repeated: whether these are measurements that were repeated because the case broke.
    """

    case_id: str
    question: str
    metric: str
    status: Status | Literal["gone"]
    missed: int
    measured: int
    reason: str | None
    repeated: bool = False

    @property
    def confirmed(self) -> bool:
        """Whether most of the measurements missed, or there is no score at all."""
        return self.lost or 2 * self.missed > self.measured

    @property
    def lost(self) -> bool:
        """Whether there is no score any more, also not of a repeated measurement."""
        return self.status in _LOST and not self.measured

    @property
    def outcome(self) -> str:
        """What became of it: `missed in 2 of 3 measurements`, or why there is no score."""
        if self.measured:
            return f"missed in {self.missed} of {self.measured} measurements"
        return _OUTCOMES[self.status]


def lost_results(comparison: RunComparison) -> int:
    """Return how many scores of the baseline the run skipped or has no result for, those of missing cases included."""
    before, after = comparison.before.results, comparison.after.results
    spec_after, matched = dict(comparison.matched.metrics), comparison.matched.cases
    lost = sum(old.is_measured for was in matched.only_before for old in before[was])
    for was, now in matched.pairs:
        results = {result.spec: result for result in after[now]}
        for old in before[was]:
            new = results.get(spec_after.get(old.spec, old.spec))
            lost += old.is_measured and (new is None or new.status == "skipped")
    return lost


def cases_to_recheck(comparison: RunComparison) -> dict[str, tuple[str, ...]]:
    """Return the ids of the critical cases in the run that do not pass any more, with the specs to measure again."""
    specs_by_case: dict[str, tuple[str, ...]] = {}
    for broken, spec in _broken(comparison):
        if broken.status != "gone":
            specs_by_case[broken.case_id] = (*specs_by_case.get(broken.case_id, ()), spec)
    return specs_by_case


def broken_cases(comparison: RunComparison, rechecked: Report | None) -> Iterator[BrokenCase]:
    """Yield the critical test cases that do not pass any more, with their repeated measurements."""
    flat = rechecked.flat() if rechecked else ()
    repeated = {(case.id, result.spec): result for case, result in flat}
    for broken, spec in _broken(comparison):
        again = repeated.get((broken.case_id, spec))
        yield _measured(broken, again, repeated=True) if again and repeated_scores(again) else broken


def _broken(comparison: RunComparison) -> Iterator[tuple[BrokenCase, str]]:
    """Yield the critical test cases that do not pass any more, and the spec of the metric, as first measured."""
    matched, spec_after = comparison.matched, dict(comparison.matched.metrics)
    names = {spec: metric.name for spec, metric in zip(spec_after.values(), comparison.metrics, strict=True)}
    places, occurrences = dict(matched.cases.pairs), _more_occurrences(comparison)
    for was, old_case in enumerate(comparison.before.cases):
        now = places.get(was)
        case = old_case if now is None else comparison.after.cases[now]
        if CRITICAL not in (*case.tags, *old_case.tags):
            continue
        rows = [comparison.after.results[place] for place in (() if now is None else occurrences[now])]
        for old in comparison.before.results[was]:
            spec = spec_after.get(old.spec, old.spec)
            new = _worst(result for row in rows for result in row if result.spec == spec)
            if old.status != "passed" or (new is not None and new.status in ("passed", None)):
                continue
            status = "gone" if new is None or new.status is None else new.status
            reason = None if new is None else new.reason
            broken = BrokenCase(case.id, case.input, names.get(spec, old.metric), status, 0, 0, reason)
            yield broken if new is None or status != "missed" else _measured(broken, new), spec


def _more_occurrences(comparison: RunComparison) -> Mapping[int, Sequence[int]]:
    """Return the places of each matched case in the run: its own, and those of more cases with its id.

    A good row must not hide a bad one that follows it.
    """
    matched, cases = comparison.matched.cases, comparison.after.cases
    more: dict[str, list[int]] = {}
    for place in matched.only_after:
        more.setdefault(cases[place].id, []).append(place)
    return {now: (now, *more.get(cases[now].id, ())) for _, now in matched.pairs}


def _worst(results: Iterable[Result]) -> Result | None:
    """Return the first result that did not pass, else the first; None of none."""
    return min(results, key=lambda result: result.status in ("passed", None), default=None)


def _measured(broken: BrokenCase, result: Result, *, repeated: bool = False) -> BrokenCase:
    scores, direction = repeated_scores(result), result.higher_is_better
    missed = sum(not passes(score, result.cutoff, higher_is_better=direction) for score in scores)
    return replace(broken, missed=missed, measured=len(scores), repeated=repeated)
