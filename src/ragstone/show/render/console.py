"""A document in a terminal: from 20 to 120 columns, the same text with colours and without.

A table that is too narrow for a terminal is a paragraph for each row.
"""

import re
import sys
from collections.abc import Iterable, Iterator
from io import StringIO
from shutil import get_terminal_size
from typing import IO

from rich.console import Console, Group, RenderableType
from rich.table import Table as Grid
from rich.text import Text

from ragstone.show.document import (
    SIGNS,
    Bar,
    Block,
    Document,
    Item,
    Items,
    Line,
    Paragraph,
    Row,
    Scatter,
    Section,
    StyledText,
    Table,
    written,
)
from ragstone.show.document import line as line_of
from ragstone.show.render.chart import bar, draw
from ragstone.show.render.paint import STYLES, Paint, indented, lacks_signs

_MAX_WIDTH = 120
_BAR_WIDTH = 60
_TRAILING_BLANKS = re.compile(r" +$", re.MULTILINE)


def plain_console(file: IO[str], *, width: int | None = None) -> Console:
    """Return a console that interprets no markup and no emoji codes, and highlights nothing."""
    return Console(file=file, width=width, markup=False, emoji=False, highlight=False)


def show(document: Document, console: Console) -> None:
    """Print a document on a console made without markup, see `plain_console`, without blanks at the ends of lines."""
    _print(document, console, Paint(min(console.width, _MAX_WIDTH), lacks_signs(console.encoding)))


def text(document: Document) -> str:
    """Return a document as text without colours, as wide as the terminal allows."""
    file, width = StringIO(), min(get_terminal_size((100, 24)).columns, _MAX_WIDTH)
    paint = Paint(width, lacks_signs(sys.stdout.encoding or "ascii"))
    _print(document, plain_console(file, width=width), paint)
    return file.getvalue().rstrip("\n")


def _print(document: Document, console: Console, paint: Paint) -> None:
    with console.capture() as captured:
        for part in _document(document, paint):
            console.print(part, width=paint.width)
    console.file.write(_TRAILING_BLANKS.sub("", captured.get()))
    console.file.flush()


def _document(found: Document, paint: Paint) -> Iterator[RenderableType]:
    if found.kind:
        head = paint.text((StyledText(f"{found.kind.upper()}  "), *found.title, StyledText(" ")))
        yield Text.assemble(head, paint.quiet("─" * max(0, paint.width - head.cell_len)))
        yield from map(paint.text, found.facts)
        yield ""
    if found.blocks:
        yield from _blocks(found.blocks, paint)
        yield ""
    if found.verdict:
        mark = (SIGNS[found.status], " ") if found.status else ()
        yield paint.text(line_of(*mark, StyledText(found.verdict, "strong")))
    if found.change:
        yield paint.text(line_of(StyledText(found.change)))
    yield from map(paint.quiet, found.closing)


def _blocks(found: Iterable[Block], paint: Paint) -> Iterator[RenderableType]:
    for number, block in enumerate(written(found)):
        if number:
            yield ""
        yield from _block(block, paint)


def _block(block: Block, paint: Paint) -> Iterator[RenderableType]:
    match block:
        case Paragraph():
            yield paint.text(block.line)
        case Items():
            yield from _items(block, paint)
        case Table():
            yield from table_parts(block, paint)
        case Scatter():
            return
        case Bar():
            yield paint.text((StyledText(bar(block, min(_BAR_WIDTH, paint.width - 4))),))
        case Section():
            title = StyledText(block.title.upper(), "strong") if isinstance(block.title, str) else block.title
            yield paint.text(line_of(title, StyledText(f"  {block.remark}" if block.remark else "", "quiet")))
            yield indented(_blocks(block.blocks, paint))
        case Document():
            yield from _document(block, paint)


def _items(found: Items, paint: Paint) -> Iterator[RenderableType]:
    spaced = any(item.items or len(item.notes) > 1 for item in found.items)
    for number, item in enumerate(found.items):
        if number and spaced:
            yield ""
        yield _item(item, paint)


def _item(item: Item, paint: Paint) -> RenderableType:
    below = [*map(paint.text, item.notes), *(_item(inner, paint) for inner in item.items)]
    if item.mark is None:
        return Group(paint.text(item.line), *([indented(below)] if below else []))
    grid = Grid.grid(padding=(0, 1, 0, 0))
    grid.add_column(no_wrap=True)
    grid.add_column(overflow="fold")
    grid.add_row(paint.span(item.mark), Group(paint.text(item.line), *below))
    return grid


_MIN_AXIS_WIDTH, _AXIS_WIDTH, _WIDE_AXIS_WIDTH = 15, 25, 40
_MAX_NAME_WIDTH = 26
"""The names of a table are not broken where all of them are this short."""


def table_parts(table: Table, paint: Paint) -> Iterator[RenderableType]:
    """Yield the parts of a table."""
    yield from _paragraphs(table, paint) if paint.width < table.least_width else _grid(table, paint)


def _grid(table: Table, paint: Paint) -> Iterator[RenderableType]:
    plot = next((row.plot for row in table.rows if row.plot), None)
    grid = Grid(box=None, pad_edge=False, padding=(0, 2, 1 if plot else 0, 0), header_style=STYLES["quiet"])
    first, *others = table.columns
    widest = max((len(_plain(row.cells[0])) for row in table.rows), default=0)
    axis = min(paint.width - _text_width(table), _AXIS_WIDTH) if plot else _AXIS_WIDTH
    grid.add_column(
        paint.span(StyledText(first.name)),
        overflow="fold",
        max_width=30 if plot else 60,
        no_wrap=widest <= _MAX_NAME_WIDTH and axis >= _MIN_AXIS_WIDTH,
    )
    axis = max(axis, _MIN_AXIS_WIDTH)
    if plot:
        low, high = f"{plot.low:g}", f"{plot.high:g}"
        grid.add_column(f"{low}{high:>{axis - len(low)}}", no_wrap=True, min_width=axis)
    for each in others:
        justify = "right" if each.number else "left"
        grid.add_column(paint.span(StyledText(each.name)), justify=justify, overflow="fold")
    for row in table.rows:
        name, *cells = _cells(table, row, paint)
        if row.remark:
            name = Text.assemble(name, "\n", paint.quiet(row.remark))
        if plot:  # each figure has its interval on a line of its own
            cells = [Text("\n(").join(cell.split(" (")) for cell in cells]
            lines = (paint.span(StyledText(drawn)) for drawn in (draw(row.plot, axis) if row.plot else ()))
            cells.insert(0, Text("\n").join(lines))
        grid.add_row(name, *cells)
    yield grid
    yield from (paint.quiet(text) for row in table.rows for text in row.notes)
    if table.note:
        yield paint.quiet(table.note)


def _text_width(table: Table) -> int:
    """Return the width of the columns beside the plot, where no cell is broken but before a parenthesis."""
    columns = zip(*(row.cells for row in table.rows), strict=True)
    return sum(
        max(
            len(part)
            for cell in (column.name, *cells)
            for part in _plain(cell).replace(" (", "\n(").split("\n")
        )
        + 2
        for column, cells in zip(table.columns, columns, strict=True)
    )


def _paragraphs(table: Table, paint: Paint) -> Iterator[RenderableType]:
    for number, row in enumerate(table.rows):
        if number:
            yield ""
        name, *_ = _cells(table, row, paint)
        yield Text.assemble(name, paint.quiet(f"  {row.remark}" if row.remark else ""))
        yield indented(_under(table, row, paint))


def _under(table: Table, row: Row, paint: Paint) -> Iterator[RenderableType]:
    if row.plot is not None:
        low, high = f"{row.plot.low:g} ", f" {row.plot.high:g}"
        for drawn in draw(row.plot, min(_WIDE_AXIS_WIDTH, paint.width - len(low) - len(high) - 4)):
            yield paint.text((StyledText(low, "quiet"), StyledText(drawn), StyledText(high, "quiet")))
    yield paint.text(_stacked(table, row))
    for number, text in enumerate(row.notes):
        yield paint.span(StyledText(text, "quiet" if number else ""))


def _stacked(table: Table, row: Row) -> Line:
    """Return the cells of a row after its name on one line, each with the heading of its column."""
    spans: list[StyledText] = []
    for column, cell in list(zip(table.columns, row.cells, strict=True))[1:]:
        if text := _plain(cell):
            heading = "" if column.bare else f"{column.name} "
            spans += [StyledText(" · " if spans else ""), StyledText(f"{heading}{text}", column.style)]
    return line_of(*spans)


def _cells(table: Table, row: Row, paint: Paint) -> list[Text]:
    return [
        paint.text(line_of(StyledText(cell, column.style) if isinstance(cell, str) else cell))
        for column, cell in zip(table.columns, row.cells, strict=True)
    ]


def _plain(cell: Line | str) -> str:
    return cell if isinstance(cell, str) else "".join(span.text for span in cell)
