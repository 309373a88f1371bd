"""The tables of a document in a terminal: as a table, or where it is too narrow for that, a paragraph for each row."""

from collections.abc import Iterator

from rich.console import RenderableType
from rich.table import Table as Grid
from rich.text import Text

from ragstone.show.document import Line, Row, StyledText, Table
from ragstone.show.document import line as line_of
from ragstone.show.render.chart import draw
from ragstone.show.render.paint import STYLES, Paint, indented

_AXIS_WIDTH, _WIDE_AXIS_WIDTH = 25, 40
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
    grid.add_column(
        paint.span(StyledText(first.name)),
        overflow="fold",
        max_width=30 if plot else 60,
        no_wrap=widest <= _MAX_NAME_WIDTH and not plot,
    )
    if plot:
        low, high = f"{plot.low:g}", f"{plot.high:g}"
        grid.add_column(f"{low}{high:>{_AXIS_WIDTH - len(low)}}", no_wrap=True, min_width=_AXIS_WIDTH)
    for each in others:
        justify = "right" if each.number else "left"
        grid.add_column(paint.span(StyledText(each.name)), justify=justify, overflow="fold")
    for row in table.rows:
        name, *cells = _cells(table, row, paint)
        if row.remark:
            name = Text.assemble(name, "\n", paint.quiet(row.remark))
        grid.add_row(name, *([_chart(row, paint), *map(_broken, cells)] if plot else cells))
    yield grid
    yield from (paint.quiet(text) for row in table.rows for text in row.notes)
    if table.note:
        yield paint.quiet(table.note)


def _chart(row: Row, paint: Paint) -> Text:
    lines = draw(row.plot, _AXIS_WIDTH) if row.plot else ()
    return Text("\n").join(paint.span(StyledText(drawn)) for drawn in lines)


def _broken(cell: Text) -> Text:
    """Return a figure with its interval on a line of its own."""
    return Text("\n(").join(cell.split(" ("))


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
    yield from (
        paint.span(StyledText(text, "quiet" if number else "")) for number, text in enumerate(row.notes)
    )


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
