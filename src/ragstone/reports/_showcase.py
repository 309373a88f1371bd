"""The worst cases of a terminal report: what was asked, what was answered, and why each metric is not content."""

from collections.abc import Iterator

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
from ragstone.result import Result

_MOST_FINDINGS = 2
_QUESTION, _ANSWER, _STATEMENT, _REASON, _NAME = 240, 320, 200, 300, 80
_DECISIVE = Style(bold=True, underline=True)


def showcase(item: CaseDigest, glyphs: Glyphs) -> RenderableType:
    """Return one test case with all that is wrong with it, its number in the margin."""
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(justify="right", min_width=4, no_wrap=True)
    grid.add_column(overflow="fold")
    grid.add_row(ink(f"{item.number:,}", QUIET), Group(*_case(item, glyphs)))
    return grid


def _case(item: CaseDigest, glyphs: Glyphs) -> Iterator[RenderableType]:
    case = item.case
    name = line("  ", foreign(case.name, glyphs, _NAME, QUIET)) if case.name else ""
    yield line(foreign(case.input, glyphs, _QUESTION, STRONG), name)
    if case.actual_output:
        yield foreign(case.actual_output, glyphs, _ANSWER)
    for result in item.below:
        yield from _result(item, result, glyphs)
    for result in item.failed:
        yield line(status_mark("ERROR", glyphs), " ", foreign(result.metric, glyphs, _NAME), " could not be measured")
    if item.fine:
        yield line(status_mark("PASS", glyphs), " ", ink(f"{count(item.fine, 'other metric')} passed", QUIET))
    yield ""


def _result(item: CaseDigest, result: Result, glyphs: Glyphs) -> Iterator[RenderableType]:
    value = ink(score(result.score or 0.0, result.threshold), STRONG)
    head = line(status_mark("FAIL", glyphs), " ", foreign(result.metric, glyphs, _NAME), " ", value)
    found = findings(item.case, result)
    if not found and result.reason:
        head = line(head, "  ", foreign(result.reason, glyphs, _REASON))
    yield head
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
