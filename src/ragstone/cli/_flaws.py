"""Flaws that were planted in a dataset, and whether the run found them.

A test case says in its metadata which `flaw` it carries (None where it is sound), which `metric` must see it, with
which `metric_options`, and which metrics may see it `also`.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple, cast

from ragstone.case import TestCase
from ragstone.metrics import Metric, parse
from ragstone.reports import Report
from ragstone.result import Result


class Flaw(NamedTuple):
    """One planted flaw.

    Attributes:
        case: the test case that carries it.
        kind: what sort of flaw.
        detail: what exactly is wrong.
        result: of the metric that must see it; None where that was not measured.
        others: titles of metrics that may see it also, and did.
    """

    case: TestCase
    kind: str
    detail: str
    result: Result | None
    others: tuple[str, ...]

    @property
    def found(self) -> bool:
        """Whether the metric that must see it scored on the wrong side of its threshold."""
        return self.result is not None and self.result.status == "FAIL"


class FalseAlarm(NamedTuple):
    """A sound test case in which a metric saw a flaw."""

    case: TestCase
    results: tuple[Result, ...]


def special_metrics(cases: Iterator[TestCase]) -> tuple[Metric, ...]:
    """Return the metrics with options of their own that some flaw needs, each once, in order."""
    found = (_watching(case) for case in cases if case.metadata.get("metric_options"))
    return tuple(dict.fromkeys(metric for metric in found if metric is not None))


def planted(report: Report) -> list[Flaw]:
    """Return every planted flaw with what became of it, in input order."""
    found: list[Flaw] = []
    for case, results in zip(report.cases, report.results, strict=True):
        metric = _watching(case)
        if metric is None:
            continue
        seen = [result for result in results if result.spec == repr(metric)]
        also = [result.metric for result in results if result.status == "FAIL" and _may_see(case, result)]
        found.append(
            Flaw(
                case=case,
                kind=str(case.metadata["flaw"]).replace("_", " "),
                detail=str(case.metadata.get("detail", "")),
                result=seen[0] if seen else None,
                others=tuple(dict.fromkeys(also)),
            )
        )
    return found


def sound(report: Report) -> int:
    """Return how many test cases carry no flaw."""
    return sum(_watching(case) is None for case in report.cases)


def false_alarms(report: Report) -> list[FalseAlarm]:
    """Return the sound test cases in which some metric that had no cause saw a flaw."""
    found: list[FalseAlarm] = []
    for case, results in zip(report.cases, report.results, strict=True):
        alarms = tuple(result for result in results if result.status == "FAIL" and not _may_see(case, result))
        if _watching(case) is None and alarms:
            found.append(FalseAlarm(case, alarms))
    return found


def _watching(case: TestCase) -> Metric | None:
    """Return the metric that must see the test case's flaw, None where it is sound."""
    if not case.metadata.get("flaw"):
        return None
    options = cast("dict[str, Any]", case.metadata.get("metric_options") or {})
    written = ", ".join(f"{name}={value!r}" for name, value in options.items())
    return parse(f"{case.metadata['metric']}({written})")


def _may_see(case: TestCase, result: Result) -> bool:
    return result.spec.partition("(")[0] in case.metadata.get("also", ())
