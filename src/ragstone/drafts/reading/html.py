"""Split HTML into passages: the page is converted to Markdown (headings, lists, tables, code) and then split.

Offsets refer to the text that `html_to_markdown` returns, not to the file.
"""

import re
from collections.abc import Iterator
from html.parser import HTMLParser

from ragstone.drafts.passage import DraftPassage
from ragstone.drafts.reading.markdown import read_markdown

_SKIPPED_TAGS = frozenset({"script", "style", "nav", "head", "template", "noscript", "svg", "footer", "form"})
_BLOCK_TAGS = frozenset(
    {"p", "div", "section", "article", "ul", "ol", "table", "blockquote", "dl", "main", "dd", "dt"}
)
_HEADING_TAGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})


def read_html(document: str, text: str) -> Iterator[DraftPassage]:
    """Yield the passages of an HTML page, without menus, scripts, styles and forms."""
    return read_markdown(document, html_to_markdown(text))


def html_to_markdown(page: str) -> str:
    """Return the readable text of a page as Markdown."""
    reader = _PageReader()
    reader.feed(page)
    reader.close()
    return re.sub(r"\n{3,}", "\n\n", "".join(reader.written)).strip() + "\n"


class _PageReader(HTMLParser):
    """Collects the visible text of a page as Markdown."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.written: list[str] = []
        self._skipped: list[str] = []
        self._preformatted = False
        self._cells: list[str] | None = None
        self._row_count = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Open an element."""
        del attrs
        if tag in _SKIPPED_TAGS:
            self._skipped.append(tag)
        elif tag in _HEADING_TAGS:
            self._write(f"\n\n{'#' * int(tag[1])} ")
        elif tag == "tr":
            self._cells = []
        elif tag in ("td", "th") and self._cells is not None:
            self._cells.append("")
        elif tag == "pre":
            self._preformatted = True
            self._write("\n\n```\n")
        elif tag == "code" and not self._preformatted:
            self._write("`")
        else:
            self._break(tag)

    def _break(self, tag: str) -> None:
        if tag == "li":
            self._write("\n- ")
        elif tag == "br":
            self._write("\n")
        elif tag in _BLOCK_TAGS and self._cells is None:
            self._row_count = 0 if tag == "table" else self._row_count
            self._write("\n\n")

    def handle_endtag(self, tag: str) -> None:
        """Close an element."""
        if self._skipped and tag == self._skipped[-1]:
            self._skipped.pop()
        elif tag == "tr" and self._cells is not None:
            self._end_row(self._cells)
        elif tag == "pre":
            self._preformatted = False
            self._write("\n```\n\n")
        elif tag == "code" and not self._preformatted:
            self._write("`")
        elif tag in _HEADING_TAGS or tag in _BLOCK_TAGS:
            self._write("\n\n" if self._cells is None else " ")

    def handle_data(self, data: str) -> None:
        """Write text; runs of blanks become one blank outside of preformatted text."""
        self._write(data if self._preformatted else re.sub(r"\s+", " ", data))

    def _write(self, text: str) -> None:
        if self._skipped:
            return
        if self._cells:
            self._cells[-1] += text.replace("\n", " ").replace("|", "\\|")
        elif self._cells is None:
            self.written.append(text)

    def _end_row(self, cells: list[str]) -> None:
        self._cells = None
        self._write("| " + " | ".join(cell.strip() for cell in cells) + " |\n")
        if self._row_count == 0:
            self._write("|" + "---|" * len(cells) + "\n")
        self._row_count += 1
