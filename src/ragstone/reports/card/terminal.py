"""A judge's card in a terminal."""

from collections.abc import Iterator

from rich.console import Console, RenderableType
from rich.table import Table

from ragstone.reports._glyphs import Glyphs, glyphs_for
from ragstone.reports._ink import QUIET, STRONG, foreign, indented, ink, line
from ragstone.reports._sheet import put, width_of
from ragstone.reports.card._card import JudgeReport


def show(found: JudgeReport, console: Console) -> None:
    """Print a card."""
    put(console, _parts(found, width_of(console), glyphs_for(console.encoding)))


def _parts(found: JudgeReport, width: int, glyphs: Glyphs) -> Iterator[RenderableType]:
    title = line("JUDGE CARD  ", foreign(found.card.judge, glyphs, 60, STRONG), " ")
    yield line(title, ink(glyphs.line * max(0, width - title.cell_len), QUIET))
    dot = f" {glyphs.separator} "
    where = foreign(found.dataset, glyphs, 60), dot, foreign(found.metric, glyphs, 80)
    yield line(*where, dot, f"asked {found.repeats} times\n")
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style=QUIET)
    table.add_column("")
    table.add_column("95 %", no_wrap=True)
    table.add_column("n", justify="right", no_wrap=True)
    table.add_column("")
    for name, figure, n, meaning in found.lines():
        table.add_row(ink(name), ink(figure, STRONG), f"{n:,}", ink(meaning, QUIET))
    yield table
    yield ""
    for note in found.notes:
        yield indented(line(f"{glyphs.separator} ", foreign(note, glyphs, 400)), 2)
