"""The figures of a drafted test set as one HTML file without external resources, in light or dark."""

from ragstone.drafts.figures import DraftFigures
from ragstone.reports.drafts.view import DraftRow, DraftTable, head, sentences, tables
from ragstone.reports.html.document import page
from ragstone.reports.html.markup import Markup, element


def render(figures: DraftFigures, digest: str) -> str:
    """Return the figures as a page.

    Args:
        figures: the figures of the draft.
        digest: digest of the test set; see `hash_test_set`.
    """
    return page("A drafted test set · ragstone", _content(figures, digest))


def _content(figures: DraftFigures, digest: str) -> Markup:
    paragraphs = [element("p", sentence) for sentence in sentences(figures)]
    return element(
        "div",
        element(
            "header",
            element("h1", "A drafted test set"),
            element("p", " · ".join(head(figures, digest)), class_="quiet", dir="auto"),
            *paragraphs,
        ),
        *map(_table, tables(figures)),
        class_="ragstone",
    )


def _table(table: DraftTable) -> Markup:
    first, *others = table.columns
    columns = element(
        "tr",
        element("th", first, scope="col"),
        *(element("th", name, scope="col", class_="number") for name in others),
    )
    return element(
        "section",
        element("h2", table.title),
        element(
            "div",
            element("table", element("thead", columns), element("tbody", *map(_row, table.rows))),
            class_="scroll",
            tabindex="0",
            role="region",
            aria_label=table.title,
        ),
        element("p", table.note, class_="quiet") if table.note else None,
        class_="figures",
    )


def _row(row: DraftRow) -> Markup:
    *counts, last = row.counts
    shade = None if row.share is None else f"share s{row.tenths}"
    return element(
        "tr",
        element("th", row.name, scope="row", dir="auto"),
        *(element("td", number, class_="number") for number in counts),
        element("td", element("span", last, class_=shade), class_="number"),
    )
