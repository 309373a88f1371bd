"""Build HTML from elements. Every text is escaped when it enters an element.

`element` and `fragment` escape texts, and `trusted` is for ragstone's own files only, so text under evaluation is never
read as HTML.
"""

from html import escape

from ragstone.findings.printable import printable

_VOID_TAGS = {"meta", "br"}


class Markup(str):
    """Text that is HTML already."""

    __slots__ = ()


Child = str | Markup | None


def element(tag: str, *children: Child, **attributes: str | float | None) -> Markup:
    """Return an element.

    Children are elements, and texts, which are escaped, as are the values of attributes; None is left out. `class_` is
    `class`, `aria_label` is `aria-label`.
    """
    attribute_text = "".join(
        f' {name.rstrip("_").replace("_", "-")}="{escape(printable(str(value)), quote=True)}"'
        for name, value in attributes.items()
        if value is not None
    )
    if tag in _VOID_TAGS:
        return Markup(f"<{tag}{attribute_text}>")
    return Markup(f"<{tag}{attribute_text}>{fragment(*children)}</{tag}>")


def fragment(*children: Child) -> Markup:
    """Return elements and texts one after the other."""
    return Markup(
        "".join(
            child if isinstance(child, Markup) else escape(printable(child), quote=True)
            for child in children
            if child is not None
        )
    )


def trusted(text: str) -> Markup:
    """Return a text of ragstone's own files, a style sheet or a script, unescaped. Never use it for anything else."""
    return Markup(text)
