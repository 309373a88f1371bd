"""The table of metrics in a terminal report: mean, interval, n, failures, pass rate, in that order.

On a wide terminal each metric is a row of a table with its two drawings on one axis; on a narrow one a short block.
"""

from collections.abc import Iterator

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from ragstone.reports.console.charts import distribution, whisker
from ragstone.reports.console.glyphs import Glyphs
from ragstone.reports.console.styles import NOT_MEASURED, QUIET, STRONG, indented, joined, styled, untrusted
from ragstone.reports.view.figure_text import COUNTED, counts, interval_text, mean_text, pass_text, rule_text
from ragstone.reports.view.report_view import MetricView
from ragstone.status import STATUS_WORDS, Status

WIDE = 96
"""Width in columns from which the metrics are shown as a table."""

_AXIS_WIDTH = 25
_MAX_NARROW_AXIS_WIDTH = 40
_MAX_NAME = 60


def metrics_table(metrics: tuple[MetricView, ...], width: int, glyphs: Glyphs) -> Iterator[RenderableType]:
    """Yield the figures of every metric."""
    if width >= WIDE:
        yield _table(metrics, glyphs)
        yield ""
        return
    for metric in metrics:
        yield from _block(metric, min(_MAX_NARROW_AXIS_WIDTH, width - 8), glyphs)


def _table(metrics: tuple[MetricView, ...], glyphs: Glyphs) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 1, 0), header_style=QUIET)
    table.add_column("metric", overflow="fold", max_width=30)
    table.add_column(f"0{'1':>{_AXIS_WIDTH - 1}}", no_wrap=True, min_width=_AXIS_WIDTH)
    table.add_column("mean", justify="right", no_wrap=True)
    table.add_column("95 % interval", no_wrap=True)
    table.add_column("n", justify="right", no_wrap=True)
    shown: list[Status] = [
        status for status in COUNTED if any(metric.summary.counts[status] for metric in metrics)
    ]
    for status in shown:
        table.add_column(STATUS_WORDS[status], justify="right")
    table.add_column("passed", no_wrap=True)
    for metric in metrics:
        summary = metric.summary
        table.add_row(
            joined(
                untrusted(metric.name, glyphs, _MAX_NAME, STRONG),
                "\n",
                styled(_pass_rule(metric, glyphs), QUIET),
            ),
            _chart(metric, _AXIS_WIDTH, glyphs),
            styled(mean_text(summary, glyphs.nothing), STRONG),
            _interval(metric, glyphs),
            f"{summary.n:,}",
            *(_count(summary.counts[status]) for status in shown),
            pass_text(summary, glyphs.dash).replace(" passed", "").replace(" (", "\n("),
        )
    return table


def _block(metric: MetricView, axis_width: int, glyphs: Glyphs) -> Iterator[RenderableType]:
    summary, dot = metric.summary, f" {glyphs.separator} "
    yield joined(
        untrusted(metric.name, glyphs, _MAX_NAME, STRONG), "  ", styled(_pass_rule(metric, glyphs), QUIET)
    )
    if summary.n:
        for line in _chart(metric, axis_width, glyphs).split("\n"):
            yield indented(joined(styled("0 ", QUIET), line, styled(" 1", QUIET)), 2)
    beside = [styled(f"{dot}{text}", STRONG) for _, text in counts(summary)]
    interval = joined("(", _interval(metric, glyphs), ")") if summary.n else joined(_interval(metric, glyphs))
    yield indented(
        joined(
            styled(mean_text(summary, glyphs.nothing), STRONG),
            " ",
            interval,
            dot,
            f"n {summary.n:,}",
            *beside,
        ),
        2,
    )
    if passed := pass_text(summary, glyphs.dash):
        yield indented(passed, 2)
    yield ""


def _pass_rule(metric: MetricView, glyphs: Glyphs) -> str:
    return rule_text(metric.threshold, higher_is_better=metric.higher_is_better, ascii_only=glyphs.ascii)


def _chart(metric: MetricView, axis_width: int, glyphs: Glyphs) -> Text:
    summary = metric.summary
    bars = distribution(metric.scores, axis_width, glyphs)
    if not summary.n or summary.too_few:
        return styled(bars)
    return styled(f"{bars}\n{whisker(summary.mean, summary.interval, metric.threshold, axis_width, glyphs)}")


def _interval(metric: MetricView, glyphs: Glyphs) -> Text:
    text = interval_text(metric.summary, glyphs.dash)
    if not metric.summary.n:
        return styled(text, NOT_MEASURED)
    return styled(text, QUIET) if metric.summary.too_few else styled(text)


def _count(number: int) -> Text:
    return styled(f"{number:,}", STRONG if number else QUIET)
