"""Paper to print on: a terminal, a pipe or a file, on which no text is taken for markup."""

import re
from collections.abc import Iterable
from typing import IO

from rich.console import Console, RenderableType

_WIDEST = 120
_BLANKS_AT_END = re.compile(r" +$", re.MULTILINE)


def plain_console(file: IO[str], *, width: int | None = None) -> Console:
    """Return a console that takes no text for markup, emoji or something to highlight."""
    return Console(file=file, width=width, markup=False, emoji=False, highlight=False)


def text_width(console: Console) -> int:
    """Return how many columns are used: lines longer than 120 characters are not read, they are searched."""
    return min(console.width, _WIDEST)


def print_parts(console: Console, parts: Iterable[RenderableType]) -> None:
    """Print the parts one below the other, without blanks at the ends of lines."""
    with console.capture() as captured:
        for part in parts:
            console.print(part, width=text_width(console))
    console.file.write(_BLANKS_AT_END.sub("", captured.get()))
    console.file.flush()
