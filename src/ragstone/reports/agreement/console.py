"""Agreement report in a terminal: figures with intervals beside those of one annotator, and the worst disagreements."""

from collections.abc import Iterator

from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from ragstone.reports.agreement.disagreements import Disagreement
from ragstone.reports.agreement.figures import (
    AgreementFigure,
    figures,
    format_estimate,
    label_summary,
    people_figures,
    sentences,
)
from ragstone.reports.agreement.model import AgreementReport, MetricAgreement
from ragstone.reports.console.glyphs import Glyphs, glyphs_for
from ragstone.reports.console.styles import (
    QUIET,
    STRONG,
    indented,
    joined,
    print_parts,
    status_mark,
    styled,
    text_width,
    untrusted,
)
from ragstone.reports.numbers import score
from ragstone.reports.view.report_view import dataset_name
from ragstone.stats.agreement import LabelAgreement

_BAR_WIDTH = 20
_MAX_NOTES = 5


def show(found: AgreementReport, console: Console) -> None:
    """Print an agreement report."""
    print_parts(console, _parts(found, text_width(console), glyphs_for(console.encoding)))


def _parts(agreed: AgreementReport, width: int, glyphs: Glyphs) -> Iterator[RenderableType]:
    title = joined("AGREE  ", untrusted(dataset_name(agreed.report), glyphs, 60, STRONG), " ")
    yield joined(title, styled(glyphs.line * max(0, width - title.cell_len), QUIET))
    judge = untrusted(agreed.report.run.plan.judge, glyphs, 80, STRONG)
    yield joined(
        "judge ", judge, f" {glyphs.separator} ", untrusted(label_summary(agreed.labels), glyphs, 120), "\n"
    )
    for metric in agreed.metrics:
        yield from _metric(metric, glyphs)
    people_rows = list(people_figures(agreed))
    if people_rows and agreed.people:
        yield joined(styled("PEOPLE WITH EACH OTHER", STRONG), styled(f"  n {agreed.people.n:,}", QUIET))
        yield indented(_table(people_rows, glyphs), 2)
        yield ""
    yield from _notes(agreed, glyphs)


def _metric(metric: MetricAgreement, glyphs: Glyphs) -> Iterator[RenderableType]:
    yield joined(untrusted(metric.name, glyphs, 60, STRONG), styled(f"  n {metric.n:,}", QUIET))
    rows = list(figures(metric))
    if rows:
        yield indented(_table(rows, glyphs), 2)
    for text in sentences(metric):
        yield indented(joined(f"{glyphs.separator} ", _ascii(text, glyphs)), 2)
    yield ""
    if metric.decisions:
        yield indented(_confusion(metric.decisions), 2)
        yield ""
        yield indented(_curve(metric.decisions, glyphs), 2)
        yield ""
    if metric.worst:
        yield indented(styled("worst disagreements", STRONG), 2)
        for item in metric.worst:
            yield indented(_disagreement(item, glyphs), 4)
        yield ""


def _table(rows: list[AgreementFigure], glyphs: Glyphs) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style=QUIET)
    table.add_column("")
    table.add_column("judge with people", no_wrap=True)
    any_person = any(figure.person for figure in rows)
    if any_person:
        table.add_column("one person with the others", no_wrap=True)
    for name, judge, person in rows:
        cells = [
            styled(name),
            _ascii(format_estimate(judge), glyphs),
            *([_ascii(format_estimate(person), glyphs)] if any_person else []),
        ]
        table.add_row(*cells)
    return table


def _confusion(decisions: LabelAgreement) -> Table:
    counts = decisions.confusion
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style=QUIET)
    table.add_column(f"at {score(decisions.threshold)}", style=QUIET)
    table.add_column("judge yes", justify="right")
    table.add_column("judge no", justify="right")
    table.add_row("people yes", f"{counts.true_positive:,}", f"{counts.false_negative:,}")
    table.add_row("people no", f"{counts.false_positive:,}", f"{counts.true_negative:,}")
    return table


def _curve(decisions: LabelAgreement, glyphs: Glyphs) -> Table:
    """Return the reliability curve: the share of cases that people label yes, by the judge's score."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style=QUIET)
    table.add_column("judge's score", justify="right")
    table.add_column("people say yes", no_wrap=True)
    table.add_column("", no_wrap=True)
    table.add_column("n", justify="right")
    full, empty = glyphs.bars[-1], " "
    for part in decisions.curve:
        bar = full * round(_BAR_WIDTH * part.rate)
        rate = _ascii(f"{score(part.rate)} ({part.interval})", glyphs)
        table.add_row(score(part.score), rate, f"{bar:{empty}<{_BAR_WIDTH}}", f"{part.n:,}")
    return table


def _disagreement(item: Disagreement, glyphs: Glyphs) -> Text:
    heading = f" {item.number:,}  people {item.people:.2g}, judge {score(item.judge)}  "
    reason = joined("\n", untrusted(item.reason, glyphs, 240, QUIET)) if item.reason else ""
    output = joined("\n", untrusted(item.output, glyphs, 200)) if item.question and item.output else ""
    text = untrusted(item.question or item.output, glyphs, 100)
    return joined(status_mark("missed", glyphs), heading, text, output, reason)


def _notes(agreed: AgreementReport, glyphs: Glyphs) -> Iterator[RenderableType]:
    rejected = agreed.report.rejected
    notes = [*agreed.report.run.notes, *(f"not read: {row}" for row in rejected[:_MAX_NOTES])]
    if len(rejected) > _MAX_NOTES:
        notes.append(f"and {len(rejected) - _MAX_NOTES:,} other rows not read")
    if notes:
        yield styled("NOTES\n", STRONG)
        for note in notes:
            yield indented(joined(f"{glyphs.separator} ", untrusted(note, glyphs, 400)), 2)


def _ascii(text: str, glyphs: Glyphs) -> Text:
    return untrusted(text.replace("\N{EN DASH}", "-") if glyphs.ascii else text, glyphs, 400)
