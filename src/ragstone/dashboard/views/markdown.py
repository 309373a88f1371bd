"""Markdown of an answer or a passage as HTML: without HTML of its own, links or images, since texts may be hostile."""

import re
from functools import cache

from markdown_it import MarkdownIt
from markupsafe import Markup

from ragstone.findings.printable import printable

_SIGNS = re.compile(r"^(#{1,6} |\s*[-*+] |\s*\d+[.)] |\|.*\||```|> )|\*\*\S|`[^`\n]+`", re.MULTILINE)
_ENOUGH = 2


def is_markdown(text: str) -> bool:
    """Return whether a text looks as if it were written in Markdown: at least two of its signs occur."""
    return sum(1 for _, _ in zip(range(_ENOUGH), _SIGNS.finditer(text), strict=False)) == _ENOUGH


def markdown_html(text: str) -> Markup:
    """Return the text as HTML."""
    return Markup(_parser().render(printable(text)))  # noqa: S704  (the parser escapes what it does not write itself)


@cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    return parser.disable(["link", "autolink", "image", "html_inline", "html_block", "reference"])
