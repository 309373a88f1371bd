"""Repeats in a terminal report: the judge's own spread, and the cases that are unstable or undecided."""

from collections.abc import Iterator

from rich.console import RenderableType
from rich.text import Text

from ragstone.reports.console.glyphs import Glyphs
from ragstone.reports.console.styles import NOT_MENTIONED, QUIET, STRONG, indented, joined, styled, untrusted
from ragstone.reports.numbers import count, score
from ragstone.reports.view.repeats import RepeatsView, UnsettledCase

_MAX_SCORES = 10


def repeats_section(
    found: tuple[RepeatsView, ...], glyphs: Glyphs, most: int | None
) -> Iterator[RenderableType]:
    """Yield the section; `most` bounds the cases named for each metric, None for all."""
    if not found:
        return
    yield joined(styled("REPEATS", STRONG), styled(f"  each measured {found[0].repeats} times", QUIET), "\n")
    for metric in found:
        yield indented(joined(untrusted(metric.name, glyphs, 60, STRONG), "  ", metric.verdict), 2)
        for remark in (metric.spread, metric.advice):
            if remark:
                yield indented(styled(remark, QUIET), 4)
        for item in metric.wavering[:most]:
            yield indented(_unsettled_case(item, glyphs), 4)
        omitted = 0 if most is None else len(metric.wavering) - most
        if omitted > 0:
            yield indented(styled(f"and {count(omitted, 'other')}", QUIET), 4)
    yield ""


def _unsettled_case(item: UnsettledCase, glyphs: Glyphs) -> Text:
    listed_scores = " ".join(score(value) for value in item.scores[:_MAX_SCORES])
    return joined(
        styled(f"{glyphs.undecided} {item.words}", NOT_MENTIONED),
        f"  {item.number:,}  {listed_scores}  ",
        untrusted(item.case.input, glyphs, 80, QUIET),
    )
