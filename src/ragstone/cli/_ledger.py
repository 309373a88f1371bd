"""The demo's ledger: flaw by flaw, planted and found or missed; and the sound answers that were left alone."""

from collections.abc import Iterator

from rich.console import Console, Group, RenderableType
from rich.table import Table

from ragstone.cli._flaws import FalseAlarm, Flaw, false_alarms, planted, sound
from ragstone.reports import Report
from ragstone.reports._figures import count, score
from ragstone.reports._glyphs import Glyphs, glyphs_for
from ragstone.reports._ink import CONTRADICTED, QUIET, STRONG, SUPPORTED, foreign, ink, line
from ragstone.result import Result

_WIDEST = 120
_NAME, _DETAIL = 80, 300


def show_ledger(report: Report, console: Console) -> None:
    """Print what was planted, what was found, and what was found without being planted."""
    glyphs = glyphs_for(console.encoding)
    for part in _parts(report, glyphs):
        console.print(part, width=min(console.width, _WIDEST))


def _parts(report: Report, glyphs: Glyphs) -> Iterator[RenderableType]:
    flaws, alarms, unflawed = planted(report), false_alarms(report), sound(report)
    found = sum(flaw.found for flaw in flaws)
    yield line("\n", ink("PLANTED FLAWS", STRONG), ink("  each by the metric that must see it", QUIET), "\n")
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for flaw in flaws:
        table.add_row(_mark(flaw, glyphs), Group(*_flaw(flaw, glyphs)))
    for alarm in alarms:
        table.add_row(ink(f"{glyphs.failed} alarm", CONTRADICTED), Group(*_alarm(alarm, glyphs)))
    yield table
    yield line(
        "\n",
        ink(f"{found} of {count(len(flaws), 'planted flaw')} found", STRONG),
        f"{_elsewhere(flaws)}. {_left_alone(len(alarms), unflawed)}",
    )


def _mark(flaw: Flaw, glyphs: Glyphs) -> RenderableType:
    if flaw.found:
        return ink(f"{glyphs.passed} found", SUPPORTED)
    return ink(f"{glyphs.below} missed", CONTRADICTED)


def _flaw(flaw: Flaw, glyphs: Glyphs) -> Iterator[RenderableType]:
    name = flaw.case.name or flaw.case.input
    yield line(ink(flaw.kind, STRONG), "  ", foreign(name, glyphs, _NAME), "  ", ink(_seen(flaw), QUIET))
    yield foreign(flaw.detail, glyphs, _DETAIL, QUIET)


def _seen(flaw: Flaw) -> str:
    if flaw.result is None:
        return "not measured"
    others = f"; seen by {', '.join(flaw.others)}" if flaw.others and not flaw.found else ""
    return f"{_scored(flaw.result)}{others}"


def _alarm(alarm: FalseAlarm, glyphs: Glyphs) -> Iterator[RenderableType]:
    seen = ", ".join(map(_scored, alarm.results))
    name = alarm.case.name or alarm.case.input
    yield line(ink("sound", STRONG), "  ", foreign(name, glyphs, _NAME), "  ", ink(seen, QUIET))


def _scored(result: Result) -> str:
    if result.score is None:
        return f"{result.metric} not measured"
    return f"{result.metric} {score(result.score, result.threshold)}"


def _elsewhere(flaws: list[Flaw]) -> str:
    number = sum(bool(flaw.others) and not flaw.found for flaw in flaws)
    return f", {number} more by another metric" if number else ""


def _left_alone(alarms: int, unflawed: int) -> str:
    return f"{unflawed - alarms} of {count(unflawed, 'sound case')} left alone by every metric without cause to complain."
