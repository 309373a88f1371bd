"""Repeats in a terminal: how much of the spread is the judge's own, and the cases on which it wavers."""

from collections.abc import Iterator

from rich.console import RenderableType
from rich.text import Text

from ragstone.reports._figures import count, score
from ragstone.reports._glyphs import Glyphs
from ragstone.reports._ink import NOT_MENTIONED, QUIET, STRONG, foreign, indented, ink, line
from ragstone.reports._repeats import RepeatsDigest, Wavering

_MOST_SCORES = 10


def repeats_section(
    found: tuple[RepeatsDigest, ...], glyphs: Glyphs, most: int | None
) -> Iterator[RenderableType]:
    """Yield the section; `most` bounds the cases named for each metric, None for all."""
    if not found:
        return
    yield line(ink("REPEATS", STRONG), ink(f"  each measured {found[0].repeats} times", QUIET), "\n")
    for metric in found:
        yield indented(line(foreign(metric.name, glyphs, 60, STRONG), "  ", metric.verdict), 2)
        for told in (metric.spread, metric.advice):
            if told:
                yield indented(ink(told, QUIET), 4)
        for item in metric.wavering[:most]:
            yield indented(_wavering(item, glyphs), 4)
        left = 0 if most is None else len(metric.wavering) - most
        if left > 0:
            yield indented(ink(f"and {count(left, 'other')}", QUIET), 4)
    yield ""


def _wavering(item: Wavering, glyphs: Glyphs) -> Text:
    said = " ".join(score(value) for value in item.scores[:_MOST_SCORES])
    return line(
        ink(f"{glyphs.undecided} {item.words}", NOT_MENTIONED),
        f"  {item.number:,}  {said}  ",
        foreign(item.case.input, glyphs, 80, QUIET),
    )
