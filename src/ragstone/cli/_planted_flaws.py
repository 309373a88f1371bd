"""Flaws planted in a dataset, and whether a run found them.

The metadata of a test case names its `flaw` (None for a sound case), the `metric` that must find it, and in `also`
other metrics that may find it.
"""

from collections.abc import Sequence
from typing import Literal, NamedTuple

from ragstone.case import TestCase
from ragstone.findings import Report
from ragstone.metric_label import base_name
from ragstone.result import Result, passes


class PlantedFlaw(NamedTuple):
    """One planted flaw.

    Attributes:
        case: the test case with the flaw.
        kind: the kind of flaw.
        detail: a description of the error.
        result: result of the metric that must find the flaw; None if it was not measured.
        others: missed results of other metrics that may find the flaw.
    """

    case: TestCase
    kind: str
    detail: str
    result: Result | None
    others: tuple[Result, ...]

    @property
    def outcome(self) -> Literal["found", "undecided", "not found"]:
        """Whether the metric that must find the flaw scored on the wrong side of its cutoff."""
        if self.result is None:
            return "not found"
        if self.result.status == "undecided":
            return "undecided"
        return "found" if _is_flagged(self.result) else "not found"


class FalseAlarm(NamedTuple):
    """A sound test case that metrics flagged, with their results."""

    case: TestCase
    results: tuple[Result, ...]


class FlawReport(NamedTuple):
    """The planted flaws, the false alarms, and the number of test cases without a flaw."""

    flaws: tuple[PlantedFlaw, ...]
    alarms: tuple[FalseAlarm, ...]
    sound: int


def flaw_report(report: Report) -> FlawReport:
    """Return the planted flaws and false alarms of a run, in input order."""
    pairs = list(zip(report.cases, report.results, strict=True))
    sound = [(case, results) for case, results in pairs if not case.metadata.get("flaw")]
    alarms = [FalseAlarm(case, _false_alarms(case, results)) for case, results in sound]
    return FlawReport(
        flaws=tuple(_planted_flaw(case, results) for case, results in pairs if case.metadata.get("flaw")),
        alarms=tuple(alarm for alarm in alarms if alarm.results),
        sound=len(sound),
    )


def _planted_flaw(case: TestCase, results: Sequence[Result]) -> PlantedFlaw:
    expected_results = [result for result in results if _metric_name(result) == case.metadata.get("metric")]
    return PlantedFlaw(
        case=case,
        kind=str(case.metadata["flaw"]).replace("_", " "),
        detail=str(case.metadata.get("detail", "")),
        result=expected_results[0] if expected_results else None,
        others=tuple(result for result in results if result.status == "missed" and _may_find(case, result)),
    )


def _false_alarms(case: TestCase, results: Sequence[Result]) -> tuple[Result, ...]:
    return tuple(result for result in results if result.status == "missed" and not _may_find(case, result))


def _is_flagged(result: Result) -> bool:
    """Whether a result missed its threshold, or scored on the wrong side of 0.5 without one."""
    if result.threshold is not None or result.score is None:
        return result.status == "missed"
    return not passes(result.score, result.cutoff, higher_is_better=result.higher_is_better)


def _may_find(case: TestCase, result: Result) -> bool:
    return _metric_name(result) in case.metadata.get("also", ())


def _metric_name(result: Result) -> str:
    return base_name(result.spec)
