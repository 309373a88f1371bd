"""A report on the tuning of a judge in a terminal."""

from collections.abc import Iterator

from rich.console import Console, RenderableType
from rich.table import Table

from ragstone.reports.console.glyphs import Glyphs, glyphs_for
from ragstone.reports.console.styles import (
    QUIET,
    STRONG,
    indented,
    joined,
    print_parts,
    styled,
    text_width,
    untrusted,
)
from ragstone.reports.tuning.model import FEW, TuningReport


def show(found: TuningReport, console: Console) -> None:
    """Print the report."""
    print_parts(console, _parts(found, text_width(console), glyphs_for(console.encoding)))


def _parts(report: TuningReport, width: int, glyphs: Glyphs) -> Iterator[RenderableType]:
    title = joined("TUNE  ", untrusted(report.metric, glyphs, 60, STRONG), " ")
    yield joined(title, styled(glyphs.line * max(0, width - title.cell_len), QUIET))
    where = f" {glyphs.separator} " if report.dataset else ""
    judge = untrusted(report.judge, glyphs, 60, STRONG)
    yield joined("judge ", judge, where, untrusted(report.dataset, glyphs, 60), "\n")
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), show_header=False)
    table.add_column(no_wrap=True)
    table.add_column()
    for name, text in report.lines():
        table.add_row(styled(name, QUIET), untrusted(text, glyphs, 200))
    yield indented(table, 2)
    yield ""
    yield untrusted(report.sentence(), glyphs, 400, STRONG)
    for note in _notes(report):
        yield indented(joined(f"{glyphs.separator} ", untrusted(note, glyphs, 400)), 2)


def _notes(report: TuningReport) -> Iterator[str]:
    if report.gain.n < FEW:
        yield f"{report.gain.n} labels are few: only a large gain could be shown."
    if report.tuning and report.tuning.guidance.rules:
        yield "Read the rules in the file before you use it: a model wrote them."
    yield from report.notes
