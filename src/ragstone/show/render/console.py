"""A document in a terminal: from 20 to 120 columns, the same text with colours and without."""

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
    Paragraph,
    Scatter,
    Section,
    StyledText,
    Table,
    written,
)
from ragstone.show.document import line as line_of
from ragstone.show.render.chart import bar
from ragstone.show.render.paint import Paint, indented, lacks_signs
from ragstone.show.render.rows import table_parts

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
