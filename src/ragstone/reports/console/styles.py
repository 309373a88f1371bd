"""Styled text for a terminal, and the console it is printed on.

Colours mark verdicts only, and a symbol or a word always gives the same information. They are the terminal's named
colours, so they stay readable in its light or dark theme. Text under evaluation is never parsed as markup.
"""

import re
from collections.abc import Iterable
from typing import IO

from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.style import Style
from rich.text import Text

from ragstone.reports.console.glyphs import Glyphs
from ragstone.reports.printable import one_line
from ragstone.status import Status

SUPPORTED = Style(color="cyan")
CONTRADICTED = Style(color="red")
NOT_MENTIONED = Style(color="yellow")
NOT_MEASURED = Style(color="bright_black")
QUIET = Style(dim=True)
STRONG = Style(bold=True)
UNSTYLED = Style()

_MAX_WIDTH = 120
_TRAILING_BLANKS = re.compile(r" +$", re.MULTILINE)
_VERDICT_STYLES = {"yes": SUPPORTED, "no": CONTRADICTED, "idk": NOT_MENTIONED, "undecided": NOT_MEASURED}
_STATUS_STYLES = {"passed": SUPPORTED, "missed": CONTRADICTED}


def styled(text: str, style: Style = UNSTYLED) -> Text:
    """Return text of ragstone's own in a style; it is never parsed as markup."""
    return Text(text, style=style)


def joined(*parts: Text | str) -> Text:
    """Return the parts joined into one text."""
    return Text.assemble(*parts)


def indented(content: RenderableType, by: int) -> Padding:
    """Return content indented by a number of columns."""
    return Padding(content, (0, 0, 0, by), expand=False)


def untrusted(text: str, glyphs: Glyphs, limit: int | None = None, style: Style = UNSTYLED) -> Text:
    """Return text under evaluation on one line, with control characters made visible."""
    safe = one_line(text, limit)
    if glyphs.ascii:
        safe = safe.encode("ascii", "backslashreplace").decode("ascii")
    return Text(safe, style=style)


def verdict_mark(verdict: str, glyphs: Glyphs) -> Text:
    """Return the symbol of a verdict."""
    signs = {
        "yes": glyphs.passed,
        "no": glyphs.missed,
        "idk": glyphs.not_mentioned,
        "undecided": glyphs.undecided,
    }
    return Text(signs[verdict], style=_VERDICT_STYLES[verdict])


def verdict_word(verdict: str, word: str) -> Text:
    """Return a verdict in its metric's own word."""
    return Text(word, style=_VERDICT_STYLES[verdict])


def status_mark(status: Status | None, glyphs: Glyphs) -> Text:
    """Return the symbol of a result's status; a dot for a score without a threshold."""
    signs: dict[Status | None, str] = {
        "passed": glyphs.passed,
        "missed": glyphs.missed,
        "undecided": glyphs.undecided,
        "not_measured": glyphs.not_measured,
        "skipped": glyphs.nothing,
        None: glyphs.separator,
    }
    return Text(signs[status], style=_STATUS_STYLES.get(status or "", NOT_MEASURED))


def plain_console(file: IO[str], *, width: int | None = None) -> Console:
    """Return a console that interprets no markup and no emoji codes, and highlights nothing."""
    return Console(file=file, width=width, markup=False, emoji=False, highlight=False)


def text_width(console: Console) -> int:
    """Return the number of columns to use: the console's width, at most 120."""
    return min(console.width, _MAX_WIDTH)


def print_parts(console: Console, parts: Iterable[RenderableType]) -> None:
    """Print the parts one below the other, without blanks at the ends of lines."""
    with console.capture() as captured:
        for part in parts:
            console.print(part, width=text_width(console))
    console.file.write(_TRAILING_BLANKS.sub("", captured.get()))
    console.file.flush()
