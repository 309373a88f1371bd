"""A judge's card in a terminal."""

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
from ragstone.reports.judge_card.model import JudgeReport


def show(found: JudgeReport, console: Console) -> None:
    """Print a card."""
    print_parts(console, _parts(found, text_width(console), glyphs_for(console.encoding)))


def _parts(report: JudgeReport, width: int, glyphs: Glyphs) -> Iterator[RenderableType]:
    title = joined("JUDGE CARD  ", untrusted(report.card.judge, glyphs, 60, STRONG), " ")
    yield joined(title, styled(glyphs.line * max(0, width - title.cell_len), QUIET))
    dot = f" {glyphs.separator} "
    where = untrusted(report.dataset, glyphs, 60), dot, untrusted(report.metric, glyphs, 80)
    yield joined(*where, dot, f"asked {report.repeats} times\n")
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style=QUIET)
    table.add_column("")
    table.add_column("95 %", no_wrap=True)
    table.add_column("n", justify="right", no_wrap=True)
    table.add_column("")
    for name, figure, n, meaning in report.lines():
        table.add_row(styled(name), styled(figure, STRONG), f"{n:,}", styled(meaning, QUIET))
    yield table
    yield ""
    for note in report.notes:
        yield indented(joined(f"{glyphs.separator} ", untrusted(note, glyphs, 400)), 2)
