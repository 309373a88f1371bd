"""Why test cases flipped, in a terminal: by cause and document, then each case with its causes."""

from collections.abc import Iterator

from rich.console import Console, RenderableType
from rich.text import Text

from ragstone.reports.console.glyphs import Glyphs, glyphs_for
from ragstone.reports.console.styles import (
    QUIET,
    STRONG,
    indented,
    joined,
    print_parts,
    status_mark,
    styled,
    untrusted,
)
from ragstone.reports.flips.model import ExplainedComparison, FlippedCase, group_sentence
from ragstone.reports.numbers import count

_MAX_GROUPS = 8


def show(found: ExplainedComparison, console: Console, *, flips: int | None) -> None:
    """Print the causes of the flipped test cases. The comparison itself is printed separately.

    Args:
        found: an explained comparison.
        console: the console to print on, made without markup; see `plain_console`.
        flips: how many flipped cases are shown; None for all.
    """
    print_parts(console, _parts(found, glyphs_for(console.encoding), flips))


def _parts(explained: ExplainedComparison, glyphs: Glyphs, max_flips: int | None) -> Iterator[RenderableType]:
    arrow = "->" if glyphs.ascii else "→"
    yield joined("\n", styled("WHY", STRONG), "\n")
    if not explained.flipped:
        yield indented("No test case flipped.", 2)
        return
    for group in explained.groups[:_MAX_GROUPS]:
        total = len(explained.broke) if group.broke else len(explained.flipped) - len(explained.broke)
        mark = status_mark("missed" if group.broke else "passed", glyphs)
        yield indented(joined(mark, " ", untrusted(group_sentence(group, total), glyphs, 300)), 2)
    yield ""
    for flip in explained.flipped[:max_flips]:
        yield from _flip(flip, glyphs, arrow)
    remaining = 0 if max_flips is None else len(explained.flipped) - max_flips
    if remaining > 0:
        yield indented(styled(f"and {count(remaining, 'other')}", QUIET), 2)


def _flip(flip: FlippedCase, glyphs: Glyphs, arrow: str) -> Iterator[RenderableType]:
    mark = status_mark("missed" if flip.broke else "passed", glyphs)
    question = untrusted(flip.case.input or flip.case.id, glyphs, 100)
    yield indented(joined(mark, f" {flip.before} {arrow} {flip.after}  ", question), 2)
    for word, names in (("left", flip.left), ("entered", flip.entered)):
        if names:
            documents: Text = untrusted(", ".join(names), glyphs, 160, QUIET)
            yield indented(joined(styled(f"{word}: ", QUIET), documents), 6)
