"""Flaws planted in a dataset, and whether a run found them.

The metadata of a test case names its `flaw` (None for a sound case), the `metric` that must find it, the
`metric_options` of that metric, and in `also` other metrics that may find it.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple, cast

from ragstone.case import TestCase
from ragstone.metric_label import base_name
from ragstone.metrics import parse
from ragstone.reports import Report
from ragstone.result import Result


class PlantedFlaw(NamedTuple):
    """One planted flaw.

    Attributes:
        case: the test case with the flaw.
        kind: the kind of flaw.
        detail: a description of the error.
        result: result of the metric that must find the flaw; None if it was not measured.
        others: failed results of other metrics that may find the flaw.
    """

    case: TestCase
    kind: str
    detail: str
    result: Result | None
    others: tuple[Result, ...]

    @property
    def found(self) -> bool:
        """Whether the metric that must find the flaw scored on the wrong side of its threshold."""
        return self.result is not None and self.result.status == "missed"


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
    expected_results = [result for result in results if _must_find(case, result)]
    return PlantedFlaw(
        case=case,
        kind=str(case.metadata["flaw"]).replace("_", " "),
        detail=str(case.metadata.get("detail", "")),
        result=expected_results[0] if expected_results else None,
        others=tuple(result for result in results if result.status == "missed" and _may_find(case, result)),
    )


def _false_alarms(case: TestCase, results: Sequence[Result]) -> tuple[Result, ...]:
    return tuple(result for result in results if result.status == "missed" and not _may_find(case, result))


def _must_find(case: TestCase, result: Result) -> bool:
    if _metric_name(result) != case.metadata.get("metric"):
        return False
    options = cast("dict[str, Any]", case.metadata.get("metric_options") or {})
    metric = parse(result.spec)
    return all(getattr(metric, option, None) == value for option, value in options.items())


def _may_find(case: TestCase, result: Result) -> bool:
    return _metric_name(result) in case.metadata.get("also", ())


def _metric_name(result: Result) -> str:
    return base_name(result.spec)
