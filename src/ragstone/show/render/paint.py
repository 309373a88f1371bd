"""Spans as text of a terminal, in colour or without, in Unicode or ASCII.

Colours mark verdicts only, and a sign or a word always gives the same information. They are the terminal's named
colours, so they stay readable in its light or dark theme. No text is parsed as markup.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.style import Style
from rich.text import Text

from ragstone.findings.printable import printable
from ragstone.show.document import Line, StyledText

STYLES = {
    "strong": Style(bold=True),
    "quiet": Style(dim=True),
    "yes": Style(color="cyan"),
    "no": Style(color="red"),
    "idk": Style(color="yellow"),
    "undecided": Style(color="bright_black"),
}
_PLAIN = Style()
_LINE_ENDS = re.compile(r"[\r\n\t]+")


@dataclass(frozen=True, slots=True)
class Paint:
    """What a terminal allows."""

    width: int  # its width in columns
    ascii: bool  # whether only ASCII can be written

    def text(self, found: Line) -> Text:
        """Return the spans of a line as one text."""
        return Text.assemble(*map(self.span, found))

    def span(self, found: StyledText) -> Text:
        """Return a span as text on one line, with control characters made visible."""
        safe = printable(_LINE_ENDS.sub(" ", found.text))
        return Text(to_ascii(safe) if self.ascii else safe, style=STYLES.get(found.style, _PLAIN))

    def quiet(self, text: str) -> Text:
        """Return an unimportant text."""
        return self.span(StyledText(text, "quiet"))


def indented(parts: Iterable[RenderableType], by: int = 2) -> Padding:
    """Return parts below each other, indented by a number of columns."""
    return Padding(Group(*parts), (0, 0, 0, by), expand=False)


_SIGNS = {
    **dict(
        zip("✓✗○⚠├┤●─┊┼·≥≤", ("+", "x", "o", "!", "|", "|", "o", "-", ":", "+", "|", ">=", "<="), strict=True)
    ),
    **dict(zip("▁▂▃▄▅▆▇█", "._-=+*#@", strict=True)),
    **dict(zip("▓▒░", "%=.", strict=True)),
    **dict(zip("“”…→\N{MULTIPLICATION SIGN}", ('"', '"', "...", "->", "x"), strict=True)),
    "\N{EN DASH}": "-",
    "\N{MINUS SIGN}": "-",
    "\N{NO-BREAK SPACE}": " ",
}
_TABLE = str.maketrans(_SIGNS)


def lacks_signs(encoding: str) -> bool:
    """Return whether an encoding cannot write the signs of a document."""
    try:
        "".join(_SIGNS).encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return True
    return False


def to_ascii(text: str) -> str:
    """Return a text in ASCII: signs are replaced by similar ones, other characters by their code points."""
    return text.translate(_TABLE).encode("ascii", "backslashreplace").decode("ascii")
