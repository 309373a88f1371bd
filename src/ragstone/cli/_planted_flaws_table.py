"""The demo's planted flaws, found or not, and sound cases that were flagged."""

from collections.abc import Mapping

from ragstone.cli._planted_flaws import FalseAlarm, FlawReport, PlantedFlaw, flaw_report
from ragstone.findings import Report
from ragstone.findings.numbers import count, score
from ragstone.findings.view.metric_names import metric_name, metric_names
from ragstone.result import Result
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

Names = Mapping[str, str]

_MARKS = {
    "found": StyledText("✓ found    ", "yes"),
    "undecided": StyledText("? undecided", "idk"),
    "not found": StyledText("✗ not found", "no"),
}


def planted_flaws(report: Report) -> Document:
    """Return the planted flaws, found or not, and the false alarms."""
    found, names = flaw_report(report), metric_names(result for _, result in report.flat())
    flaws = listed([_flaw(flaw, names) for flaw in found.flaws])
    alarms = listed([_alarm(alarm, names) for alarm in found.alarms])
    return Document(
        "",
        (),
        (),
        (
            *section("Planted flaws", *flaws, remark="each with the metric that must find it"),
            *section("False alarms", *alarms, remark="these cases have no flaw"),
            Paragraph(line(strong(_summary(found), 300))),
        ),
    )


def _flaw(flaw: PlantedFlaw, names: Names) -> Item:
    name = cut(flaw.case.name or flaw.case.input, 80)
    text = line(strong(flaw.kind), f"  {name}  ", quiet(_finding(flaw, names)))
    return Item(text, _MARKS[flaw.outcome], (line(quiet(flaw.detail, 300)),))


def _finding(flaw: PlantedFlaw, names: Names) -> str:
    if flaw.result is None:
        return "not measured"
    others = ", ".join(metric_name(result, names) for result in flaw.others)
    other_text = f"; found by {others}" if others and flaw.outcome != "found" else ""
    return f"{_score_text(flaw.result, names)}{other_text}"


def _alarm(alarm: FalseAlarm, names: Names) -> Item:
    scores = ", ".join(_score_text(result, names) for result in alarm.results)
    name = cut(alarm.case.name or alarm.case.input, 80)
    return Item(line(name), StyledText("? alarm", "idk"), (line(quiet(scores)),))


def _score_text(result: Result, names: Names) -> str:
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
