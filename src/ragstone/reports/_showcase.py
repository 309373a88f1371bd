"""The worst cases of a terminal report: what was asked, what was answered, and why each metric is not content."""

from collections.abc import Iterator, Mapping

from rich.console import Group, RenderableType
from rich.style import Style
from rich.table import Table
from rich.text import Text

from ragstone.reports._digest import CaseDigest
from ragstone.reports._evidence import Finding, Quote, findings
from ragstone.reports._figures import count, score
from ragstone.reports._glyphs import Glyphs
from ragstone.reports._ink import (
    QUIET,
    STRONG,
    foreign,
    indented,
    ink,
    line,
    status_mark,
    verdict_mark,
    verdict_word,
)
from ragstone.reports._labels import label
from ragstone.result import Result

_MOST_FINDINGS = 2
_QUESTION, _ANSWER, _STATEMENT, _REASON, _NAME = 240, 320, 200, 300, 80
_DECISIVE = Style(bold=True, underline=True)


def showcase(item: CaseDigest, names: Mapping[str, str], glyphs: Glyphs) -> RenderableType:
    """Return one test case with all that is wrong with it, its number in the margin."""
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(justify="right", min_width=4, no_wrap=True)
    grid.add_column(overflow="fold")
    grid.add_row(ink(f"{item.number:,}", QUIET), Group(*_case(item, names, glyphs)))
    return grid


def _case(item: CaseDigest, names: Mapping[str, str], glyphs: Glyphs) -> Iterator[RenderableType]:
    case = item.case
    called = line("  ", foreign(case.name, glyphs, _NAME, QUIET)) if case.name else ""
    yield line(foreign(case.input, glyphs, _QUESTION, STRONG), called)
    if case.actual_output:
        yield foreign(case.actual_output, glyphs, _ANSWER)
    told: set[Finding] = set()
    for result in item.below:
        found = findings(case, result)
        new = [finding for finding in found if finding not in told]
        told.update(found)
        yield _head(result, label(result, names), glyphs, reason=not found)
        yield from _findings(new, glyphs)
    for result in item.failed:
        name = foreign(label(result, names), glyphs, _NAME)
        yield line(status_mark("ERROR", glyphs), " ", name, " could not be measured")
    if item.fine:
        yield line(status_mark("PASS", glyphs), " ", ink(f"{count(item.fine, 'other metric')} passed", QUIET))
    yield ""


def _head(result: Result, name: str, glyphs: Glyphs, *, reason: bool) -> Text:
    value = ink(score(result.score or 0.0, result.threshold), STRONG)
    because = line("  ", foreign(result.reason, glyphs, _REASON)) if reason and result.reason else ""
    return line(status_mark("FAIL", glyphs), " ", foreign(name, glyphs, _NAME), " ", value, because)


def _findings(found: list[Finding], glyphs: Glyphs) -> Iterator[RenderableType]:
    for finding in found[:_MOST_FINDINGS]:
        yield from _finding(finding, glyphs)
    if len(found) > _MOST_FINDINGS:
        yield indented(ink(f"and {len(found) - _MOST_FINDINGS} more", QUIET), 2)


def _finding(finding: Finding, glyphs: Glyphs) -> Iterator[RenderableType]:
    word = verdict_word(finding.verdict, finding.word)
    yield indented(line(verdict_mark(finding.verdict, glyphs), " ", word, "  ", _subject(finding, glyphs)), 2)
    if finding.reason:
        yield indented(foreign(finding.reason, glyphs, _REASON), 4)
    if finding.quote:
        source = ink(f"passage {finding.passage}: ", QUIET)
        yield indented(line(source, *_quotation(finding.quote, glyphs)), 4)


def _subject(finding: Finding, glyphs: Glyphs) -> Text:
    if finding.statement is None:
        return ink(f"passage {finding.passage}" if finding.passage else "")
    return line(glyphs.opening, foreign(finding.statement, glyphs, _STATEMENT), glyphs.closing)


def _quotation(quote: Quote, glyphs: Glyphs) -> Iterator[Text | str]:
    """Yield the decisive words in brackets, and quietly what stands around them, blanks between kept."""
    yield foreign(quote.before, glyphs, style=QUIET)
    yield " [" if quote.before[-1:].isspace() else "["
    yield foreign(quote.span, glyphs, _STATEMENT, _DECISIVE)
    yield "] " if quote.after[:1].isspace() else "]"
    yield foreign(quote.after, glyphs, style=QUIET)
