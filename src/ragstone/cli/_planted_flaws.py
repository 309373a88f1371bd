"""Flaws that were planted in a dataset, and whether the run found them.

A test case says in its metadata which `flaw` it carries (None where it is sound), which `metric` must see it, with
which `metric_options`, and which metrics may see it `also`.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple, cast

from ragstone.case import TestCase
from ragstone.metrics import parse
from ragstone.reports import Report
from ragstone.result import Result


class PlantedFlaw(NamedTuple):
    """One planted flaw.

    Attributes:
        case: the test case that carries it.
        kind: what sort of flaw.
        detail: what exactly is wrong.
        result: of the metric that must see it; None where that was not measured.
        others: of metrics that may see it also, and did.
    """

    case: TestCase
    kind: str
    detail: str
    result: Result | None
    others: tuple[Result, ...]

    @property
    def found(self) -> bool:
        """Whether the metric that must see it scored on the wrong side of its threshold."""
        return self.result is not None and self.result.status == "FAIL"


class FalseAlarm(NamedTuple):
    """A sound test case in which metrics saw a flaw."""

    case: TestCase
    results: tuple[Result, ...]


class FlawReport(NamedTuple):
    """What was planted and found, what was found without being planted, and how many test cases carry no flaw."""

    flaws: tuple[PlantedFlaw, ...]
    alarms: tuple[FalseAlarm, ...]
    sound: int


def flaw_report(report: Report) -> FlawReport:
    """Return what a run found out about the planted flaws, in input order."""
    pairs = list(zip(report.cases, report.results, strict=True))
    sound = [(case, results) for case, results in pairs if not case.metadata.get("flaw")]
    alarms = [FalseAlarm(case, _alarms(case, results)) for case, results in sound]
    return FlawReport(
        flaws=tuple(_flaw(case, results) for case, results in pairs if case.metadata.get("flaw")),
        alarms=tuple(alarm for alarm in alarms if alarm.results),
        sound=len(sound),
    )


def _flaw(case: TestCase, results: Sequence[Result]) -> PlantedFlaw:
    watching = [result for result in results if _must_see(case, result)]
    return PlantedFlaw(
        case=case,
        kind=str(case.metadata["flaw"]).replace("_", " "),
        detail=str(case.metadata.get("detail", "")),
        result=watching[0] if watching else None,
        others=tuple(result for result in results if result.status == "FAIL" and _may_see(case, result)),
    )


def _alarms(case: TestCase, results: Sequence[Result]) -> tuple[Result, ...]:
    return tuple(result for result in results if result.status == "FAIL" and not _may_see(case, result))


def _must_see(case: TestCase, result: Result) -> bool:
    if _name(result) != case.metadata.get("metric"):
        return False
    options = cast("dict[str, Any]", case.metadata.get("metric_options") or {})
    metric = parse(result.spec)
    return all(getattr(metric, option, None) == value for option, value in options.items())


def _may_see(case: TestCase, result: Result) -> bool:
    return _name(result) in case.metadata.get("also", ())


def _name(result: Result) -> str:
    return result.spec.partition("(")[0]
