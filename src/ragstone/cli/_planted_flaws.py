"""Flaws planted in a dataset: whether a run found them, and which sound cases it flagged.

The metadata of a test case names its `flaw` (None for a sound case), the `metric` that must find it, and in `also`
other metrics that may find it.
"""

from collections.abc import Mapping
from typing import Literal, NamedTuple

from ragstone.case import TestCase
from ragstone.findings import Report
from ragstone.findings.numbers import count, score
from ragstone.findings.view.metric_names import metric_name, metric_names
from ragstone.metric_label import base_name
from ragstone.result import Result, passes
from ragstone.show.document import (
    Document,
    Item,
    Paragraph,
    StyledText,
    cut,
    line,
    listed,
    quiet,
    section,
    strong,
)
from ragstone.status import STATUS_WORDS

_Names = Mapping[str, str]

_MARKS = {
    "found": StyledText("✓ found    ", "yes"),
    "undecided": StyledText("? undecided", "idk"),
    "not found": StyledText("✗ not found", "no"),
}


class PlantedFlaw(NamedTuple):
    """One planted flaw.

    Attributes:
        case: the test case with the flaw.
        kind: the kind of flaw.
        result: result of the metric that must find the flaw; None if it was not measured.
        others: missed results of other metrics that may find the flaw.
    """

    case: TestCase
    kind: str
    result: Result | None
    others: tuple[Result, ...]

    @property
    def outcome(self) -> Literal["found", "undecided", "not found"]:
        """Whether the metric that must find the flaw scored on the wrong side of its cutoff."""
        result = self.result
        if result is not None and result.status == "undecided":
            return "undecided"
        if result is None or result.threshold is not None or result.score is None:
            return "found" if result is not None and result.status == "missed" else "not found"
        is_good = passes(result.score, result.cutoff, higher_is_better=result.higher_is_better)
        return "not found" if is_good else "found"


class FlawReport(NamedTuple):
    """The planted flaws, the sound test cases that metrics flagged, and the number of sound test cases."""

    flaws: tuple[PlantedFlaw, ...]
    alarms: tuple[tuple[TestCase, list[Result]], ...]
    sound: int


def flaw_report(report: Report) -> FlawReport:
    """Return the planted flaws and false alarms of a run, in input order."""
    flaws: list[PlantedFlaw] = []
    alarms: list[tuple[TestCase, list[Result]]] = []
    for case, results in zip(report.cases, report.results, strict=True):
        also = case.metadata.get("also", ())
        missed = [result for result in results if result.status == "missed"]
        excused = [result for result in missed if base_name(result.spec) in also]
        if case.metadata.get("flaw"):
            wanted = case.metadata.get("metric")
            expected = next((result for result in results if base_name(result.spec) == wanted), None)
            kind = str(case.metadata["flaw"]).replace("_", " ")
            flaws.append(PlantedFlaw(case, kind, expected, tuple(excused)))
        elif len(excused) < len(missed):
            alarms.append((case, [result for result in missed if result not in excused]))
    return FlawReport(tuple(flaws), tuple(alarms), len(report.cases) - len(flaws))


def planted_flaws(report: Report) -> Document:
    """Return the planted flaws, found or not, and the false alarms."""
    found, names = flaw_report(report), metric_names(result for _, result in report.flat())
    flaws = listed([_flaw(flaw, names) for flaw in found.flaws])
    alarms = listed([_alarm(case, results, names) for case, results in found.alarms])
    summary = Paragraph(line(strong(_summary(found), 300)))
    return Document(
        "",
        (),
        (),
        (
            *section("Planted flaws", *flaws, remark="each with the metric that must find it"),
            *section("False alarms", *alarms, remark="these cases have no flaw"),
            summary,
        ),
    )


def _flaw(flaw: PlantedFlaw, names: _Names) -> Item:
    told = "not measured"
    if flaw.result is not None:
        others = ", ".join(metric_name(result, names) for result in flaw.others)
        told = _score_text(flaw.result, names) + (
            f"; found by {others}" if others and flaw.outcome != "found" else ""
        )
    name = cut(flaw.case.name or flaw.case.input, 80)
    detail = str(flaw.case.metadata.get("detail", ""))
    return Item(
        line(strong(flaw.kind), f"  {name}  ", quiet(told)), _MARKS[flaw.outcome], (line(quiet(detail, 300)),)
    )


def _alarm(case: TestCase, results: list[Result], names: _Names) -> Item:
    scores = ", ".join(_score_text(result, names) for result in results)
    return Item(line(cut(case.name or case.input, 80)), StyledText("? alarm", "idk"), (line(quiet(scores)),))


def _score_text(result: Result, names: _Names) -> str:
    name = metric_name(result, names)
    if result.score is None or result.status == "undecided":
        return f"{name} {STATUS_WORDS[result.status]}"
    return f"{name} {score(result.score, result.threshold)}"


def _summary(planted: FlawReport) -> str:
    open_flaws = [flaw for flaw in planted.flaws if flaw.outcome != "found"]
    elsewhere_count = sum(bool(flaw.others) for flaw in open_flaws)
    undecided_count = sum(flaw.outcome == "undecided" and not flaw.others for flaw in open_flaws)
    elsewhere_text = f", {elsewhere_count} more by another metric" if elsewhere_count else ""
    undecided_text = f", {undecided_count} undecided" if undecided_count else ""
    unflagged_count = planted.sound - len(planted.alarms)
    return (
        f"{len(planted.flaws) - len(open_flaws)} of {count(len(planted.flaws), 'planted flaw')} found"
        f"{elsewhere_text}{undecided_text}; "
        f"{unflagged_count} of {count(planted.sound, 'sound case')} not flagged."
    )
