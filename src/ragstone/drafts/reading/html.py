"""Split HTML into passages: the page is converted to Markdown (headings, lists, tables, code) and then split.

Offsets refer to the text that `html_to_markdown` returns, not to the file.
"""

import re
from collections.abc import Iterator
from html import unescape
from typing import NamedTuple

from ragstone.drafts.passage import DraftPassage
from ragstone.drafts.reading.markdown import read_markdown

_RAW_TAGS = {
    name: re.compile(rf"</{name}(?=[\s/>])", re.IGNORECASE)
    for name in ("script", "style", "textarea", "title", "xmp", "iframe", "noembed", "noframes")
}
"""Elements whose content is text without tags, and where each ends."""

_TAG = re.compile(r"<(/?)([a-zA-Z][^\s/>]*+)(?:[^>=]++|=\s*+(?:\"[^\"]*+\"|'[^']*+'|(?![\"'])))*+>")


class PageToken(NamedTuple):
    """A start tag, an end tag, or a text (then `tag` is empty)."""

    tag: str
    is_end: bool = False
    text: str = ""


def page_tokens(page: str) -> Iterator[PageToken]:
    """Yield the tags, with names in lower case, and the texts between them; comments and attributes are left out."""
    position, length = 0, len(page)
    while (begin := page.find("<", position)) >= 0:
        if begin > position:
            yield PageToken("", text=unescape(page[position:begin]))
        tag = _TAG.match(page, begin)
        if tag is None:
            position = _end_of_markup(page, begin)
            yield PageToken("", text="<" if position == begin + 1 else "")
            continue
        name, position = tag[2].lower(), tag.end()
        yield PageToken(name, is_end=bool(tag[1]))
        if name in _RAW_TAGS and not tag[1]:
            end = _RAW_TAGS[name].search(page, position)
            raw_end = end.start() if end else length
            yield PageToken("", text=page[position:raw_end])
            position = raw_end
    yield PageToken("", text=unescape(page[position:]))


def _end_of_markup(page: str, begin: int) -> int:
    """Return where a comment, a declaration or an unclosed tag ends; the next position if `<` is a plain sign."""
    if page.startswith("<!--", begin):
        end = page.find("-->", begin + 2)
        return len(page) if end < 0 else end + 3
    if page.startswith(("<!", "<?"), begin) or re.compile("</[^a-zA-Z]").match(page, begin):
        end = page.find(">", begin)
        return len(page) if end < 0 else end + 1
    return len(page) if re.compile("</?[a-zA-Z]").match(page, begin) else begin + 1


_SKIPPED_TAGS = frozenset({"script", "style", "nav", "head", "template", "noscript", "svg", "footer", "form"})
_BLOCK_TAGS = frozenset({"p", "div", "section", "article", "ul", "ol", "table", "blockquote", "dl", "main"})
_HEADINGS = {f"h{level}": f"\n\n{'#' * level} " for level in range(1, 7)}
_OPENINGS = {"li": "\n- ", "dt": "\n- ", "br": "\n", **_HEADINGS}


def read_html(document: str, text: str) -> Iterator[DraftPassage]:
    """Yield the passages of an HTML page, without menus, scripts, styles and forms."""
    return read_markdown(document, html_to_markdown(text))


def html_to_markdown(page: str) -> str:
    """Return the readable text of a page as Markdown."""
    reader = _PageReader()
    for token in page_tokens(page):
        reader.read(token)
    return re.sub(r"\n{3,}", "\n\n", "".join(reader.written)).strip() + "\n"


class _PageReader:
    """Collects the visible text of a page as Markdown."""

    def __init__(self) -> None:
        self.written: list[str] = []
        self._skipped: list[str] = []
        self._preformatted = False
        self._cells: list[list[str]] | None = None
        self._row_count = 0

    def read(self, token: PageToken) -> None:
        """Read a tag or a text; runs of blanks become one blank outside of preformatted text."""
        if not token.tag:
            self._write(token.text if self._preformatted else re.sub(r"\s+", " ", token.text))
        elif token.is_end:
            self._close(token.tag)
        else:
            self._open(token.tag)

    def _open(self, tag: str) -> None:
        if tag == "body":
            self._skipped.clear()  # the end of the head may be left out
        elif tag in _SKIPPED_TAGS:
            self._skipped.append(tag)
        elif tag in _OPENINGS:
            self._write(_OPENINGS[tag])
        elif tag == "tr":
            self._cells = []
        elif tag in ("td", "th") and self._cells is not None:
            self._cells.append([])
        elif tag == "pre":
            self._preformatted = True
            self._write("\n\n```\n")
        elif tag == "code" and not self._preformatted:
            self._write("`")
        elif tag == "dd":
            asked = self.written[-1:] and self.written[-1].rstrip().endswith("?")
            self._write("\n\n" if asked else ": ")
        elif tag in _BLOCK_TAGS and self._cells is None:
            self._row_count = 0 if tag == "table" else self._row_count
            self._write("\n\n")

    def _close(self, tag: str) -> None:
        if self._skipped and tag == self._skipped[-1]:
            self._skipped.pop()
        elif tag == "tr" and self._cells is not None:
            self._end_row(self._cells)
        elif tag == "pre":
            self._preformatted = False
            self._write("\n```\n\n")
        elif tag == "code" and not self._preformatted:
            self._write("`")
        elif tag in _HEADINGS or tag in _BLOCK_TAGS:
            self._write("\n\n" if self._cells is None else " ")

    def _write(self, text: str) -> None:
        if self._skipped:
            return
        if self._cells:
            self._cells[-1].append(text.replace("\n", " ").replace("|", "\\|"))
        elif self._cells is None:
            self.written.append(text)

    def _end_row(self, cells: list[list[str]]) -> None:
        self._cells = None
        self._write("| " + " | ".join("".join(cell).strip() for cell in cells) + " |\n")
        if self._row_count == 0:
            self._write("|" + "---|" * len(cells) + "\n")
        self._row_count += 1
