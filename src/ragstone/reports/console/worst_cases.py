"""The worst cases of a terminal report: the question, the answer, and why each metric missed."""

from collections.abc import Iterator, Mapping

from rich.console import Group, RenderableType
from rich.style import Style
from rich.table import Table
from rich.text import Text

from ragstone.reports.console.glyphs import Glyphs
from ragstone.reports.console.styles import (
    QUIET,
    STRONG,
    indented,
    joined,
    status_mark,
    styled,
    untrusted,
    verdict_mark,
    verdict_word,
)
from ragstone.reports.numbers import count, score
from ragstone.reports.view.findings import Finding, Quote, findings
from ragstone.reports.view.metric_names import metric_name
from ragstone.reports.view.report_view import CaseView
from ragstone.result import Result
from ragstone.status import STATUS_WORDS

_MAX_FINDINGS = 2
_MAX_QUESTION, _MAX_ANSWER, _MAX_STATEMENT, _MAX_REASON, _MAX_NAME = 240, 320, 200, 300, 80
"""Maximum lengths of texts, in characters."""

_DECISIVE_STYLE = Style(bold=True, underline=True)


def worst_case(item: CaseView, names: Mapping[str, str], glyphs: Glyphs) -> RenderableType:
    """Return one test case with its misses and their reasons, its number in the margin."""
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(justify="right", min_width=4, no_wrap=True)
    grid.add_column(overflow="fold")
    grid.add_row(styled(f"{item.number:,}", QUIET), Group(*_case_lines(item, names, glyphs)))
    return grid


def _case_lines(item: CaseView, names: Mapping[str, str], glyphs: Glyphs) -> Iterator[RenderableType]:
    case = item.case
    name_text = joined("  ", untrusted(case.name, glyphs, _MAX_NAME, QUIET)) if case.name else ""
    yield joined(untrusted(case.input, glyphs, _MAX_QUESTION, STRONG), name_text)
    if case.actual_output:
        yield untrusted(case.actual_output, glyphs, _MAX_ANSWER)
    shown: set[Finding] = set()
    for result in item.missed:
        case_findings = findings(case, result)
        new_findings = [finding for finding in case_findings if finding not in shown]
        shown.update(case_findings)
        yield _missed_line(result, metric_name(result, names), glyphs, reason=not case_findings)
        yield from _findings(new_findings, glyphs)
    for result in (*item.undecided, *item.not_measured):
        name = untrusted(metric_name(result, names), glyphs, _MAX_NAME)
        word = STATUS_WORDS[result.status] if result.status else ""
        yield joined(status_mark(result.status, glyphs), " ", name, f" {word}")
    if item.passed:
        passed = styled(f"{count(item.passed, 'other metric')} passed", QUIET)
        yield joined(status_mark("passed", glyphs), " ", passed)
    yield ""


def _missed_line(result: Result, name: str, glyphs: Glyphs, *, reason: bool) -> Text:
    value = styled(score(result.score or 0.0, result.threshold), STRONG)
    reason_text = (
        joined("  ", untrusted(result.reason, glyphs, _MAX_REASON)) if reason and result.reason else ""
    )
    return joined(
        status_mark("missed", glyphs), " ", untrusted(name, glyphs, _MAX_NAME), " ", value, reason_text
    )


def _findings(new_findings: list[Finding], glyphs: Glyphs) -> Iterator[RenderableType]:
    for finding in new_findings[:_MAX_FINDINGS]:
        yield from _finding(finding, glyphs)
    if len(new_findings) > _MAX_FINDINGS:
        yield indented(styled(f"and {len(new_findings) - _MAX_FINDINGS} more", QUIET), 2)


def _finding(finding: Finding, glyphs: Glyphs) -> Iterator[RenderableType]:
    word = verdict_word(finding.verdict, finding.word)
    yield indented(
        joined(verdict_mark(finding.verdict, glyphs), " ", word, "  ", _subject(finding, glyphs)), 2
    )
    if finding.reason:
        yield indented(untrusted(finding.reason, glyphs, _MAX_REASON), 4)
    if finding.quote:
        source = styled(f"passage {finding.passage}: ", QUIET)
        yield indented(joined(source, *_quotation(finding.quote, glyphs)), 4)


def _subject(finding: Finding, glyphs: Glyphs) -> Text:
    if finding.statement is None:
        return styled(f"passage {finding.passage}" if finding.passage else "")
    return joined(glyphs.opening, untrusted(finding.statement, glyphs, _MAX_STATEMENT), glyphs.closing)


def _quotation(quote: Quote, glyphs: Glyphs) -> Iterator[Text | str]:
    """Yield the decisive words in brackets and the text around them dimmed. Blanks between them are kept."""
    yield untrusted(quote.before, glyphs, style=QUIET)
    yield " [" if quote.before[-1:].isspace() else "["
    yield untrusted(quote.span, glyphs, _MAX_STATEMENT, _DECISIVE_STYLE)
    yield "] " if quote.after[:1].isspace() else "]"
    yield untrusted(quote.after, glyphs, style=QUIET)
