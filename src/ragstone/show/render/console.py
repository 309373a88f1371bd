"""A document in a terminal: from 20 to 120 columns, in colour or without, in Unicode or ASCII.

Colours mark verdicts only, and a sign or a word always gives the same information. They are the terminal's named
colours, so they stay readable in its light or dark theme. No text is parsed as markup.
"""

import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from io import StringIO
from shutil import get_terminal_size
from typing import IO

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.style import Style
from rich.table import Table as Grid
from rich.text import Text

from ragstone.reports.printable import printable
from ragstone.show.document import (
    SIGNS,
    Block,
    Document,
    Item,
    Items,
    Line,
    Paragraph,
    Row,
    Section,
    Span,
    Table,
)
from ragstone.show.document import line as line_of
from ragstone.show.render.ascii import lacks_signs, to_ascii
from ragstone.show.render.chart import draw

_MAX_WIDTH, _AXIS_WIDTH, _WIDE_AXIS_WIDTH = 120, 25, 40
_MAX_NAME_WIDTH = 26
"""The names of a table are not broken where all of them are this short."""
_STYLES = {
    "strong": Style(bold=True),
    "quiet": Style(dim=True),
    "yes": Style(color="cyan"),
    "no": Style(color="red"),
    "idk": Style(color="yellow"),
    "undecided": Style(color="bright_black"),
}
_PLAIN = Style()
_LINE_ENDS = re.compile(r"[\r\n\t]+")
_TRAILING_BLANKS = re.compile(r" +$", re.MULTILINE)


def plain_console(file: IO[str], *, width: int | None = None) -> Console:
    """Return a console that interprets no markup and no emoji codes, and highlights nothing."""
    return Console(file=file, width=width, markup=False, emoji=False, highlight=False)


def show(document: Document, console: Console) -> None:
    """Print a document.

    Args:
        document: the document.
        console: the console to print on, made without markup; see `plain_console`.
    """
    page = _Page(min(console.width, _MAX_WIDTH), lacks_signs(console.encoding))
    print_parts(console, page.document(document))


def text(document: Document) -> str:
    """Return a document as text without colours, as wide as the terminal allows."""
    file = StringIO()
    page = _Page(
        min(get_terminal_size((100, 24)).columns, _MAX_WIDTH), lacks_signs(sys.stdout.encoding or "ascii")
    )
    print_parts(plain_console(file, width=page.width), page.document(document))
    return file.getvalue().rstrip("\n")


def print_parts(console: Console, parts: Iterable[RenderableType]) -> None:
    """Print the parts one below the other, without blanks at the ends of lines."""
    with console.capture() as captured:
        for part in parts:
            console.print(part, width=min(console.width, _MAX_WIDTH))
    console.file.write(_TRAILING_BLANKS.sub("", captured.get()))
    console.file.flush()


def _indented(parts: Iterable[RenderableType], by: int = 2) -> Padding:
    return Padding(Group(*parts), (0, 0, 0, by), expand=False)


def _broken(cell: Text) -> Text:
    """Return a figure with its interval on a line of its own."""
    return Text("\n(").join(cell.split(" ("))


@dataclass(frozen=True, slots=True)
class _Page:
    """What the layout depends on: the width in columns, and whether only ASCII can be written."""

    width: int
    ascii: bool

    def document(self, found: Document) -> Iterator[RenderableType]:
        if found.kind:
            head = self.text((Span(f"{found.kind.upper()}  "), *found.title, Span(" ")))
            yield Text.assemble(head, self.span(Span("─" * max(0, self.width - head.cell_len), "quiet")))
            yield from map(self.text, found.facts)
            yield ""
        if found.blocks:
            yield from self.blocks(found.blocks)
            yield ""
        if found.verdict:
            mark = (SIGNS[found.status], " ") if found.status else ()
            yield self.text(line_of(*mark, Span(found.verdict, "strong")))
        yield from (self.span(Span(text, "quiet")) for text in found.closing)

    def blocks(self, found: Iterable[Block]) -> Iterator[RenderableType]:
        for number, block in enumerate(found):
            if number:
                yield ""
            yield from self.block(block)

    def block(self, block: Block) -> Iterator[RenderableType]:
        match block:
            case Paragraph():
                yield self.text(block.line)
            case Items():
                yield from self.items(block)
            case Table():
                yield from self.rows(block) if self.width < block.least_width else self.table(block)
            case Section():
                title = Span(block.title.upper(), "strong") if isinstance(block.title, str) else block.title
                yield self.text(line_of(title, Span(f"  {block.remark}" if block.remark else "", "quiet")))
                yield _indented(self.blocks(block.blocks))
            case Document():
                yield from self.document(block)

    def items(self, found: Items) -> Iterator[RenderableType]:
        spaced = any(item.items or len(item.notes) > 1 for item in found.items)
        for number, item in enumerate(found.items):
            if number and spaced:
                yield ""
            yield self.item(item)

    def item(self, item: Item) -> RenderableType:
        body: list[RenderableType] = [self.text(item.line), *map(self.text, item.notes)]
        if item.items:
            body += map(self.item, item.items)
        if item.mark is None:
            return Group(body[0], *([_indented(body[1:])] if body[1:] else []))
        grid = Grid.grid(padding=(0, 1, 0, 0))
        grid.add_column(no_wrap=True)
        grid.add_column(overflow="fold")
        grid.add_row(self.span(item.mark), Group(*body))
        return grid

    def table(self, table: Table) -> Iterator[RenderableType]:
        plotted = next((row.plot for row in table.rows if row.plot), None)
        grid = Grid(
            box=None, pad_edge=False, padding=(0, 2, 1 if plotted else 0, 0), header_style=_STYLES["quiet"]
        )
        for number, each in enumerate(table.columns):
            name = self.span(Span(each.name))
            if number:
                grid.add_column(name, justify="right" if each.number else "left", overflow="fold")
            else:
                names = (row.cells[0] for row in table.rows)
                widest = max(
                    (
                        len(name) if isinstance(name, str) else sum(len(span.text) for span in name)
                        for name in names
                    ),
                    default=0,
                )
                grid.add_column(
                    name,
                    overflow="fold",
                    max_width=30 if plotted else 60,
                    no_wrap=widest <= _MAX_NAME_WIDTH and not plotted,
                )
            if plotted and not number:
                ends = f"{plotted.low:g}{f'{plotted.high:g}':>{_AXIS_WIDTH - len(f'{plotted.low:g}')}}"
                grid.add_column(self.span(Span(ends)), no_wrap=True, min_width=_AXIS_WIDTH)
        for row in table.rows:
            name, *cells = self.cells(table, row)
            if row.remark:
                name = Text.assemble(name, "\n", self.span(Span(row.remark, "quiet")))
            drawn = [self.chart(row, _AXIS_WIDTH)] if plotted else []
            grid.add_row(name, *drawn, *(_broken(cell) if plotted else cell for cell in cells))
        yield grid
        yield from map(self.text, (line_of(Span(text, "quiet")) for row in table.rows for text in row.notes))
        if table.note:
            yield self.span(Span(table.note, "quiet"))

    def rows(self, table: Table) -> Iterator[RenderableType]:
        for number, row in enumerate(table.rows):
            if number:
                yield ""
            name, *_ = self.cells(table, row)
            yield Text.assemble(name, self.span(Span(f"  {row.remark}" if row.remark else "", "quiet")))
            yield _indented(self.under(table, row))

    def under(self, table: Table, row: Row) -> Iterator[RenderableType]:
        if row.plot is not None:
            low, high = f"{row.plot.low:g} ", f" {row.plot.high:g}"
            for drawn in draw(row.plot, min(_WIDE_AXIS_WIDTH, self.width - len(low) - len(high) - 4)):
                yield self.text((Span(low, "quiet"), Span(drawn), Span(high, "quiet")))
        yield self.text(stacked(table, row))
        yield from (self.span(Span(text, "quiet" if number else "")) for number, text in enumerate(row.notes))

    def chart(self, row: Row, width: int) -> Text:
        lines = draw(row.plot, width) if row.plot else ()
        return Text("\n").join(self.span(Span(drawn)) for drawn in lines)

    def cells(self, table: Table, row: Row) -> list[Text]:
        return [
            self.text(line_of(Span(cell, column.style) if isinstance(cell, str) else cell))
            for column, cell in zip(table.columns, row.cells, strict=True)
        ]

    def text(self, found: Line) -> Text:
        return Text.assemble(*map(self.span, found))

    def span(self, found: Span) -> Text:
        safe = printable(_LINE_ENDS.sub(" ", found.text))
        return Text(to_ascii(safe) if self.ascii else safe, style=_STYLES.get(found.style, _PLAIN))


def stacked(table: Table, row: Row) -> Line:
    """Return the cells of a row after its name on one line, each with the heading of its column."""
    spans: list[Span] = []
    for column, cell in list(zip(table.columns, row.cells, strict=True))[1:]:
        text = cell if isinstance(cell, str) else "".join(span.text for span in cell)
        if text:
            heading = "" if column.bare else f"{column.name} "
            spans += [Span(" · " if spans else ""), Span(f"{heading}{text}", column.style)]
    return line_of(*spans)
