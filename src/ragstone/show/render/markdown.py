"""A document as Markdown, fit for a pull request.

Text under evaluation cannot add formatting, create links or mention people: the special characters of Markdown and HTML
are escaped, and `@name` and `#12` are split by a zero-width space.
"""

import re
from collections.abc import Iterator

from ragstone.findings.printable import escape
from ragstone.show.document import (
    BULLET,
    SIGNS,
    Bar,
    Block,
    Document,
    Item,
    Items,
    Line,
    Paragraph,
    Scatter,
    Section,
    StyledText,
    Table,
    written,
)
from ragstone.show.render.chart import bar

_BAR_WIDTH = 40
_BLOCK_START = re.compile(r"^(\d*|[-+#]*)([-+#.)])(?=\s|$)")
_BLANK_LINES = re.compile(r"\n{3,}")


def render(document: Document) -> str:
    """Return the document as Markdown."""
    return _BLANK_LINES.sub("\n\n", "\n".join(_document(document, "##")))


def _document(found: Document, level: str) -> Iterator[str]:
    if found.comment:
        yield f"<!-- {re.sub(r'[^A-Za-z0-9._:]+', '-', found.comment)} -->"
    mark = f"{SIGNS[found.status].text} " if found.status else ""
    kind = f"{found.kind.capitalize()}: " if found.kind else ""
    yield f"{level} {mark}{kind}{escape(''.join(span.text for span in found.title))}\n"
    if found.verdict:
        yield f"**{escape(found.verdict)}**\n"
    if found.change:
        yield f"{escape(found.change)}\n"
    yield from (f"{_block_line(each)}\n" for each in found.facts)
    for block in written(found.blocks):
        yield from _block(block, f"{level}#")
        yield ""
    yield from (f"<sub>{escape(text)}</sub>\n" for text in found.closing)


def _block(block: Block, level: str) -> Iterator[str]:
    match block:
        case Paragraph():
            yield _block_line(block.line)
        case Items():
            for item in block.items:
                yield from _item(item, "")
        case Table():
            yield from _table(block)
        case Scatter():
            return
        case Bar():
            yield f"`{bar(block, _BAR_WIDTH)}`\n"
        case Section():
            title = block.title if isinstance(block.title, str) else block.title.text
            yield f"{level} {escape(title)}{f': {escape(block.remark)}' if block.remark else ''}\n"
            for inner in block.blocks:
                yield from _block(inner, f"{level}#")
                yield ""
        case Document():
            yield from _document(block, level)


def _item(item: Item, indent: str) -> Iterator[str]:
    mark = f"{item.mark.text} " if item.mark and item.mark != BULLET else ""
    yield f"{indent}- {mark}{_line(item.line) if mark else _block_line(item.line)}"
    yield from (f"{indent}  <br>{_line(each)}" for each in item.notes)
    for inner in item.items:
        yield from _item(inner, f"{indent}  ")


def _table(table: Table) -> Iterator[str]:
    yield _row(escape(column.name) for column in table.columns)
    yield _row("--:" if column.number else "---" for column in table.columns)
    for row in table.rows:
        cells = [_line((StyledText(cell),) if isinstance(cell, str) else cell) for cell in row.cells]
        remark = f" ({escape(row.remark)})" if row.remark else ""
        yield _row((f"{cells[0]}{remark}", *cells[1:]))
    noted = [row.notes for row in table.rows if row.notes]
    if noted:
        yield ""
    for sentence, *others in noted:
        yield f"- {escape(sentence)}"
        if others:
            yield f"  <br>{escape('; '.join(others))}"
    if table.note:
        yield f"\n<sub>{escape(table.note)}</sub>"


def _row(cells: Iterator[str] | tuple[str, ...]) -> str:
    return f"| {' | '.join(cells)} |"


def _line(found: Line) -> str:
    return "".join(map(_span, found)).strip()


def _block_line(found: Line) -> str:
    """Return a line that begins no list, heading or quotation."""
    return _BLOCK_START.sub(r"\1\\\2", _line(found))


def _span(found: StyledText) -> str:
    text = escape(found.text)
    if not text:
        return " " if found.text else ""
    if found.style == "strong":
        text = f"**{text}**"
    before, after = (" " if found.text[place].isspace() else "" for place in (0, -1))
    return f"{before}{text}{after}"
