"""A standalone page: one HTML file without external resources, with no script but ragstone's.

A content security policy with the hashes of the style sheet and the script makes the browser enforce this: even if some
text under evaluation escaped from its element, it could neither run nor load anything.
"""

from base64 import b64encode
from functools import cache
from hashlib import sha256
from importlib.resources import files

from ragstone.show.render.markup import Markup, element, trusted


def page(title: str, content: Markup, script: str = "") -> str:
    """Return a whole page.

    Args:
        title: its title.
        content: an element of the class `ragstone`.
        script: text of ragstone's own script; empty where it needs none.
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
