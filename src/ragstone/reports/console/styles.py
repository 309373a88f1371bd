"""Text for a terminal, safe by construction: colours mean verdicts only, and are always doubled by a sign or a word.

Named colours of the terminal are used, so that its owner's theme, light or dark, keeps them readable.
"""

from rich.console import RenderableType
from rich.padding import Padding
from rich.style import Style
from rich.text import Text

from ragstone.reports.console.glyphs import Glyphs
from ragstone.reports.printable import one_line

SUPPORTED = Style(color="cyan")
CONTRADICTED = Style(color="red")
NOT_MENTIONED = Style(color="yellow")
NOT_MEASURED = Style(color="bright_black")
QUIET = Style(dim=True)
STRONG = Style(bold=True)
UNSTYLED = Style()

_VERDICT_STYLES = {"yes": SUPPORTED, "no": CONTRADICTED, "idk": NOT_MENTIONED}
_STATUS_STYLES = {"PASS": SUPPORTED, "FAIL": CONTRADICTED, "ERROR": NOT_MEASURED, "SKIPPED": NOT_MEASURED}


def styled(text: str, style: Style = UNSTYLED) -> Text:
    """Return ragstone's own words; never parsed as markup."""
    return Text(text, style=style)


def joined(*parts: Text | str) -> Text:
    """Return the parts one after the other."""
    return Text.assemble(*parts)


def indented(content: RenderableType, by: int) -> Padding:
    """Return content moved to the right, without blanks behind it."""
    return Padding(content, (0, 0, 0, by), expand=False)


def untrusted(text: str, glyphs: Glyphs, limit: int | None = None, style: Style = UNSTYLED) -> Text:
    """Return text under evaluation on one line, every character of it harmless."""
    safe = one_line(text, limit)
    if glyphs.ascii:
        safe = safe.encode("ascii", "backslashreplace").decode("ascii")
    return Text(safe, style=style)


def verdict_mark(verdict: str, glyphs: Glyphs) -> Text:
    """Return the sign of a verdict."""
    signs = {"yes": glyphs.passed, "no": glyphs.below, "idk": glyphs.undecided}
    return Text(signs[verdict], style=_VERDICT_STYLES[verdict])


def verdict_word(verdict: str, word: str) -> Text:
    """Return a verdict in its metric's word."""
    return Text(word, style=_VERDICT_STYLES[verdict])


def status_mark(status: str, glyphs: Glyphs) -> Text:
    """Return the sign of a result's status."""
    signs = {"PASS": glyphs.passed, "FAIL": glyphs.below, "ERROR": glyphs.failed, "SKIPPED": glyphs.nothing}
    return Text(signs[status], style=_STATUS_STYLES[status])
