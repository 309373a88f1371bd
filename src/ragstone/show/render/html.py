"""A document as HTML: one file without external resources, in light or dark, or the elements of a larger page."""

from base64 import b64encode
from collections.abc import Iterable
from functools import cache
from hashlib import sha256
from importlib.resources import files

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
    Row,
    Scatter,
    Section,
    StyledText,
    Table,
)
from ragstone.show.document import line as line_of
from ragstone.show.render.markup import Child, Markup, element, fragment, trusted
from ragstone.show.render.svg import bar, plot, scatter

CLASSES = {
    "yes": "supported",
    "no": "contradicted",
    "idk": "unmentioned",
    "undecided": "undecided",
    "quiet": "quiet",
}
"""CSS class of each style."""


def render(document: Document) -> str:
    """Return the document as a page."""
    return page(f"{_title(document)} · ragstone", content(document))


def content(document: Document, *more: Child) -> Markup:
    """Return the document as one element; `more` stands above its last figures."""
    held = (header(document), blocks(document.blocks), *more, footer(document))
    return element("div", *held, class_="ragstone")


def header(document: Document) -> Markup:
    """Return the title, the verdict and the facts of a document."""
    mark = (SIGNS[document.status], " ") if document.status else ()
    verdict = line_of(*mark, StyledText(document.verdict, "strong"))
    return element(
        "header",
        element("h1", _title(document), dir="auto"),
        element("p", *spans(verdict), class_="verdict") if document.verdict else None,
        element("p", document.change, class_="change", dir="auto") if document.change else None,
        *(element("p", *spans(each), class_="quiet", dir="auto") for each in document.facts),
    )


def footer(document: Document) -> Markup | None:
    """Return the figures on the work that a document took."""
    return element("footer", *(element("p", text) for text in document.closing)) if document.closing else None


def blocks(found: Iterable[Block]) -> Markup:
    """Return blocks as elements."""
    return fragment(*(child for block in found for child in _block(block, "figures")))


def spans(found: Line) -> list[Child]:
    """Return the spans of a line as elements."""
    return [_span(span) for span in found]


def _title(document: Document) -> str:
    kind = f"{document.kind.capitalize()}: " if document.kind else ""
    return f"{kind}{''.join(span.text for span in document.title)}"


def _block(block: Block, name: str) -> list[Child]:
    match block:
        case Paragraph():
            return [element("p", *spans(block.line), dir="auto")]
        case Items():
            return [element("ul", *map(_item, block.items))]
        case Table():
            return [_cards(block) if block.least_width else _table(block, name)]
        case Scatter() | Bar():
            return [scatter(block) if isinstance(block, Scatter) else bar(block)]
        case Section():
            title = block.title if isinstance(block.title, str) else block.title.text
            heading = element("h2", f"{title}: {block.remark}" if block.remark else title, dir="auto")
            held = [child for inner in block.blocks for child in _block(inner, title)]
            style = "figures" if any(isinstance(inner, Table) for inner in block.blocks) else "notes"
            return [element("section", heading, *held, class_=style)]
        case Document():
            return [header(block), blocks(block.blocks), footer(block)]


def _item(item: Item) -> Markup:
    mark = (item.mark, StyledText(" ")) if item.mark and item.mark != BULLET else ()
    return element(
        "li",
        *spans((*mark, *item.line)),
        *(element("p", *spans(each), dir="auto") for each in item.notes),
        element("ul", *map(_item, item.items)) if item.items else None,
        dir="auto",
    )


def _table(table: Table, name: str) -> Markup:
    heads = [
        element("th", column.name, scope="col", class_="number" if column.number else None)
        for column in table.columns
    ]
    body = element("tbody", *(_row(table, row) for row in table.rows))
    grid = element("table", element("thead", element("tr", *heads)), body, class_="counts")
    notes = [text for row in table.rows for text in row.notes] + ([table.note] if table.note else [])
    return element(
        "div",
        element("div", grid, class_="scroll", tabindex="0", role="region", aria_label=name),
        *(element("p", text, class_="quiet") for text in notes),
    )


def _row(table: Table, row: Row) -> Markup:
    name, *cells = (spans(line_of(cell)) for cell in row.cells)
    remark = element("span", f" {row.remark}", class_="quiet") if row.remark else None
    return element(
        "tr",
        element("th", *name, remark, scope="row", dir="auto"),
        *(
            element("td", *cell, class_="number" if column.number else None)
            for column, cell in zip(table.columns[1:], cells, strict=True)
        ),
    )


def _cards(table: Table) -> Markup:
    cards = (_card(table, row) for row in table.rows)
    return element("section", *cards, class_="cards", aria_label="Metrics")


def _card(table: Table, row: Row) -> Markup:
    name, first, *others = map(line_of, row.cells)
    named = list(zip(table.columns[2:], others, strict=True))
    beside = [element("span", " ", *spans(cell)) for column, cell in named if column.bare]
    told = ((column, cell) for column, cell in named if cell and not column.bare)
    rest = [element("p", f"{column.name} ", *spans(cell)) for column, cell in told]
    return element(
        "article",
        element("h2", *spans(name), dir="auto"),
        plot(row.plot) if row.plot else None,
        element("p", element("strong", *spans(first), class_="big"), *beside, class_="figures"),
        *rest,
        element("p", row.remark) if row.remark else None,
        *(element("p", text) for text in row.notes),
        class_="card",
    )


def _span(found: StyledText) -> Child:
    if found.style == "strong":
        return element("b", found.text)
    if found.style == "share":
        shade = max(round(10 * found.share), 1) if found.share else 0
        return element("span", found.text, class_=f"share s{shade}")
    return element("span", found.text, class_=CLASSES[found.style]) if found.style else found.text


def page(title: str, content: Markup, script: str = "") -> str:
    """Return a whole page with an element of the class `ragstone`, and a script of ragstone's own.

    A content security policy with the hashes of the style sheet and the script makes the browser enforce that nothing
    else is loaded or run, even if some text under evaluation escaped from its element.
    """
    style = style_sheet()
    sources = f"style-src '{_hash(style)}'" + (f"; script-src '{_hash(script)}'" if script else "")
    policy = f"default-src 'none'; {sources}; base-uri 'none'; form-action 'none'"
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=policy),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("title", title),
        element("style", trusted(style)),
    )
    body = element("body", content, element("script", trusted(script)) if script else None)
    return f"<!DOCTYPE html>\n{element('html', head, body, lang='en')}\n"


def style_sheet() -> str:
    """Return the style sheet of all pages."""
    return resource("page.css")


@cache
def resource(name: str) -> str:
    """Return the text of one of ragstone's own files."""
    return files("ragstone.show.render").joinpath(name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"
