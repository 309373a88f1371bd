"""The tags and texts of an HTML page, in order, in time linear in its length.

`html.parser` takes time quadratic in the length of an unclosed tag or comment. These are the rules of the HTML standard
(13.2.5, tokenization): a tag, a comment or a script that is not closed extends to the end of the page.
"""

import re
from collections.abc import Iterator
from html import unescape
from typing import NamedTuple

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
