"""A comparison in a terminal: each difference drawn on one axis, its sentence, and the cases that flipped."""

from collections.abc import Iterator
from dataclasses import replace

from rich.console import Console, RenderableType
from rich.text import Text

from ragstone.reports.comparison.figures import details, difference, means, shows_interval
from ragstone.reports.comparison.flips import Flip
from ragstone.reports.comparison.markdown import unmatched
from ragstone.reports.comparison.model import MetricChange, RunComparison
from ragstone.reports.console.charts import whisker
from ragstone.reports.console.glyphs import Glyphs, glyphs_for
from ragstone.reports.console.styles import (
    QUIET,
    STRONG,
    indented,
    joined,
    print_parts,
    status_mark,
    styled,
    text_width,
    untrusted,
)
from ragstone.reports.fingerprint import drafted_test_set
from ragstone.reports.numbers import count, score
from ragstone.reports.report import Report
from ragstone.status import Status

MOST_FLIPS = 5
STATUS_OF_STATE: dict[str, Status] = {"red": "missed", "yellow": "not_measured", "green": "passed"}
"""The status whose symbol marks a comparison or a gate."""

_AXIS_WIDTH = 41
_MAX_IDS = 8


def show(comparison: RunComparison, console: Console, *, flips: int | None = MOST_FLIPS) -> None:
    """Print a comparison.

    Args:
        comparison: two runs.
        console: the console to print on, made without markup; see `plain_console`.
        flips: how many flipped cases of each metric are shown; None for all.
    """
    print_parts(console, _parts(comparison, text_width(console), glyphs_for(console.encoding), flips))


def _parts(
    comparison: RunComparison, width: int, glyphs: Glyphs, flips: int | None
) -> Iterator[RenderableType]:
    arrow = "->" if glyphs.ascii else "→"
    before, after = _run_name(comparison.before, glyphs), _run_name(comparison.after, glyphs)
    title = joined("COMPARE  ", before, f" {arrow} ", after, " ")
    yield joined(title, styled(glyphs.line * max(0, width - title.cell_len), QUIET))
    cases = count(comparison.cases, "case")
    judge = untrusted(comparison.after.run.plan.judge, glyphs, 80, STRONG)
    yield joined("judge ", judge, f" {glyphs.separator} {cases} in common{_test_sets(comparison, glyphs)}\n")
    scale = max([abs(end) for metric in comparison.metrics for end in _interval_ends(metric)], default=1.0)
    for metric in comparison.metrics:
        yield from _metric(metric, comparison, min(1.0, 1.1 * scale), glyphs, arrow)
    yield from _flips(comparison, glyphs, arrow, flips)
    yield from _notes(comparison, glyphs)
    yield joined(
        status_mark(STATUS_OF_STATE[comparison.state], glyphs),
        " ",
        untrusted(comparison.verdict, glyphs, 600, STRONG),
    )


def _test_sets(comparison: RunComparison, glyphs: Glyphs) -> str:
    """Return the digests of drafted test sets; only one if both runs are over the same set."""
    before, after = (drafted_test_set(report.cases) for report in (comparison.before, comparison.after))
    if not before and not after:
        return ""
    text = f"test set {after}" if before == after else f"test sets {before or '?'} and {after or '?'}"
    return f" {glyphs.separator} {text}"


def _run_name(report: Report, glyphs: Glyphs) -> Text:
    return untrusted(report.run.plan.name or report.run.id, glyphs, 40, STRONG)


def _interval_ends(metric: MetricChange) -> tuple[float, ...]:
    change = metric.comparison
    return (change.interval.low, change.interval.high) if change.n and shows_interval(change) else ()


def _metric(
    metric: MetricChange, comparison: RunComparison, scale: float, glyphs: Glyphs, arrow: str
) -> Iterator[RenderableType]:
    change = metric.comparison
    before, after = means(change, glyphs.nothing)
    name, delta = untrusted(metric.name, glyphs, 60, STRONG), _ascii(difference(change), glyphs)
    yield joined(name, f"  {before} {arrow} {after}  ", delta)
    if change.difference is not None and shows_interval(change):
        yield indented(_drawn(metric, scale, glyphs), 2)
    yield indented(untrusted(change.sentence(), glyphs, 400), 2)
    for text in details(metric, comparison, "metrics"):
        yield indented(styled(text, QUIET), 2)
    yield ""


def _drawn(metric: MetricChange, scale: float, glyphs: Glyphs) -> Text:
    """Draw the difference on an axis with 0 in its middle."""

    def scaled(value: float) -> float:
        return min(1.0, max(0.0, (value / scale + 1.0) / 2.0))

    change = metric.comparison
    interval = replace(change.interval, low=scaled(change.interval.low), high=scaled(change.interval.high))
    drawn = whisker(scaled(change.difference or 0.0), interval, scaled(0.0), _AXIS_WIDTH, glyphs)
    minus = "-" if glyphs.ascii else "\N{MINUS SIGN}"
    return joined(styled(f"{minus}{scale:.2f} ", QUIET), drawn, styled(f" +{scale:.2f}", QUIET))


def _ascii(text: str, glyphs: Glyphs) -> Text:
    return untrusted(text.replace("\N{MINUS SIGN}", "-") if glyphs.ascii else text, glyphs, 120)


def _flips(
    comparison: RunComparison, glyphs: Glyphs, arrow: str, max_flips: int | None
) -> Iterator[RenderableType]:
    if not any(metric.flips for metric in comparison.metrics):
        return
    yield joined(styled("FLIPPED", STRONG), styled("  passed in one run, not in the other", QUIET), "\n")
    for metric in comparison.metrics:
        if not metric.flips:
            continue
        yield indented(
            joined(
                untrusted(metric.name, glyphs, 60, STRONG),
                f"  {metric.broke} broke, {metric.flips.mended} mended",
            ),
            2,
        )
        for flip in metric.flips[:max_flips]:
            yield indented(_flip(flip, glyphs, arrow), 4)
        remaining = 0 if max_flips is None else len(metric.flips) - max_flips
        if remaining > 0:
            yield indented(styled(f"and {count(remaining, 'other')}", QUIET), 4)
    yield ""


def _flip(flip: Flip, glyphs: Glyphs, arrow: str) -> Text:
    change = f" {score(flip.before)} {arrow} {score(flip.after)}  "
    reason = (
        joined("\n    ", untrusted(flip.reason, glyphs, 240, QUIET)) if flip.reason and flip.broke else ""
    )
    mark = status_mark("missed" if flip.broke else "passed", glyphs)
    return joined(mark, change, untrusted(flip.question or flip.case_id, glyphs, 100), reason)


def _notes(comparison: RunComparison, glyphs: Glyphs) -> Iterator[RenderableType]:
    unmatched_names = list(unmatched(comparison))
    if not comparison.warnings and not unmatched_names:
        return
    yield styled("NOTES\n", STRONG)
    for warning in comparison.warnings:
        yield indented(joined(status_mark("not_measured", glyphs), " ", untrusted(warning, glyphs, 400)), 2)
    for title, names in unmatched_names:
        text = ", ".join(names[:_MAX_IDS])
        more = f" and {count(len(names) - _MAX_IDS, 'other')}" if len(names) > _MAX_IDS else ""
        yield indented(joined(f"{glyphs.separator} {title}: ", untrusted(text, glyphs, 400, QUIET), more), 2)
    yield ""
