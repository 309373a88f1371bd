"""The demo's table of planted flaws, found or missed, and of sound cases that were flagged."""

from collections.abc import Iterator, Mapping

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from ragstone.cli._planted_flaws import FalseAlarm, FlawReport, PlantedFlaw, flaw_report
from ragstone.reports import Report
from ragstone.reports.console.glyphs import Glyphs, glyphs_for
from ragstone.reports.console.styles import (
    CONTRADICTED,
    NOT_MENTIONED,
    QUIET,
    STRONG,
    SUPPORTED,
    joined,
    print_parts,
    styled,
    untrusted,
)
from ragstone.reports.numbers import count, score
from ragstone.reports.view.metric_names import metric_name, metric_names
from ragstone.result import Result
from ragstone.status import STATUS_WORDS

Names = Mapping[str, str]

_MAX_NAME_LENGTH, _MAX_DETAIL_LENGTH = 80, 300


def show_planted_flaws(report: Report, console: Console) -> None:
    """Print the planted flaws, found or missed, and the false alarms."""
    print_parts(console, _parts(report, glyphs_for(console.encoding)))


def _parts(report: Report, glyphs: Glyphs) -> Iterator[RenderableType]:
    planted, names = flaw_report(report), metric_names(result for _, result in report.flat())
    yield joined(
        "\n", styled("PLANTED FLAWS", STRONG), styled("  each with the metric that must find it", QUIET), "\n"
    )
    flaws = _grid()
    for flaw in planted.flaws:
        flaws.add_row(_flaw_mark(flaw, glyphs), Group(*_flaw_lines(flaw, names, glyphs)))
    yield flaws
    if planted.alarms:
        yield joined("\n", styled("FALSE ALARMS", STRONG), styled("  these cases have no flaw", QUIET), "\n")
        alarms = _grid()
        for alarm in planted.alarms:
            alarms.add_row(
                styled(f"{glyphs.undecided} alarm", NOT_MENTIONED), Group(*_alarm_lines(alarm, names, glyphs))
            )
        yield alarms
    yield joined("\n", *_summary(planted))


def _grid() -> Table:
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True, min_width=8)
    table.add_column(overflow="fold")
    return table


def _flaw_mark(flaw: PlantedFlaw, glyphs: Glyphs) -> RenderableType:
    if flaw.found:
        return styled(f"{glyphs.passed} found", SUPPORTED)
    return styled(f"{glyphs.missed} missed", CONTRADICTED)


def _flaw_lines(flaw: PlantedFlaw, names: Names, glyphs: Glyphs) -> Iterator[RenderableType]:
    name = flaw.case.name or flaw.case.input
    yield joined(
        styled(flaw.kind, STRONG),
        "  ",
        untrusted(name, glyphs, _MAX_NAME_LENGTH),
        "  ",
        untrusted(_finding(flaw, names), glyphs, style=QUIET),
    )
    yield untrusted(flaw.detail, glyphs, _MAX_DETAIL_LENGTH, QUIET)


def _finding(flaw: PlantedFlaw, names: Names) -> str:
    if flaw.result is None:
        return "not measured"
    others = ", ".join(metric_name(result, names) for result in flaw.others)
    other_text = f"; found by {others}" if others and not flaw.found else ""
    return f"{_score_text(flaw.result, names)}{other_text}"


def _alarm_lines(alarm: FalseAlarm, names: Names, glyphs: Glyphs) -> Iterator[RenderableType]:
    yield untrusted(alarm.case.name or alarm.case.input, glyphs, _MAX_NAME_LENGTH)
    scores = ", ".join(_score_text(result, names) for result in alarm.results)
    yield untrusted(scores, glyphs, style=QUIET)


def _score_text(result: Result, names: Names) -> str:
    name = metric_name(result, names)
    if result.score is None or result.status == "undecided":
        return f"{name} {STATUS_WORDS[result.status] if result.status else 'not scored'}"
    return f"{name} {score(result.score, result.threshold)}"


def _summary(planted: FlawReport) -> Iterator[Text]:
    found_count = sum(flaw.found for flaw in planted.flaws)
    elsewhere_count = sum(bool(flaw.others) and not flaw.found for flaw in planted.flaws)
    elsewhere_text = f", {elsewhere_count} more by another metric" if elsewhere_count else ""
    unflagged_count = planted.sound - len(planted.alarms)
    yield styled(
        f"{found_count} of {count(len(planted.flaws), 'planted flaw')} found{elsewhere_text}; ", STRONG
    )
    yield styled(f"{unflagged_count} of {count(planted.sound, 'sound case')} not flagged.", STRONG)
