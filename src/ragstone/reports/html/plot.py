"""A plot of a metric as SVG: the distribution of its scores, the mean with its interval, and the threshold."""

from collections import Counter

from ragstone.reports.console.charts import column
from ragstone.reports.html.markup import Markup, element
from ragstone.reports.numbers import score
from ragstone.reports.view.figure_text import mean_text, rule_text
from ragstone.reports.view.report_view import MetricView

_BIN_COUNT, _BIN_WIDTH = 25, 10
_WIDTH = _BIN_COUNT * _BIN_WIDTH
_MAX_BAR_HEIGHT, _AXIS_Y, _WHISKER_Y, _HEIGHT = 34, 38, 50, 62
_MIN_BAR_HEIGHT = 2


def plot(metric: MetricView) -> Markup:
    """Return the plot as SVG, with a label that describes it for screen readers."""
    return element(
        "svg",
        *_bars(metric),
        element("line", x1=0, x2=_WIDTH, y1=_AXIS_Y, y2=_AXIS_Y, class_="axis"),
        *_whisker(metric),
        *_threshold(metric.threshold),
        viewBox=f"-4 0 {_WIDTH + 8} {_HEIGHT}",
        class_="plot",
        role="img",
        aria_label=_description(metric),
    )


def _threshold(value: float | None) -> list[Markup]:
    if value is None:
        return []
    return [element("line", x1=_x(value), x2=_x(value), y1=2, y2=_HEIGHT - 2, class_="threshold")]


def _x(value: float) -> float:
    return round(value * _WIDTH, 1)


def _bars(metric: MetricView) -> list[Markup]:
    counts = Counter(column(value, _BIN_COUNT) for value in metric.scores)
    max_count = max(counts.values(), default=1)
    bars: list[Markup] = []
    for index, count in sorted(counts.items()):
        height = max(_MIN_BAR_HEIGHT, round(_MAX_BAR_HEIGHT * count / max_count, 1))
        low, high = score(index / _BIN_COUNT), score((index + 1) / _BIN_COUNT)
        bars.append(
            element(
                "rect",
                element("title", f"{count} from {low} to {high}"),
                x=index * _BIN_WIDTH + 1,
                y=_AXIS_Y - height,
                width=_BIN_WIDTH - 2,
                height=height,
                class_="bar",
            )
        )
    return bars


def _whisker(metric: MetricView) -> list[Markup]:
    summary = metric.summary
    if summary.mean is None or summary.too_few:
        return []
    low, high = _x(summary.interval.low), _x(summary.interval.high)
    ends = [
        element("line", x1=end, x2=end, y1=_WHISKER_Y - 4, y2=_WHISKER_Y + 4, class_="whisker")
        for end in (low, high)
    ]
    body = element("line", x1=low, x2=high, y1=_WHISKER_Y, y2=_WHISKER_Y, class_="whisker")
    return [body, *ends, element("circle", cx=_x(summary.mean), cy=_WHISKER_Y, r=4, class_="mean")]


def _description(metric: MetricView) -> str:
    summary = metric.summary
    if not summary.n:
        return f"{metric.name}: nothing measured"
    spread = "too few to say" if summary.too_few else f"95 % interval {summary.interval}"
    rule = rule_text(metric.threshold, higher_is_better=metric.higher_is_better)
    return f"{metric.name}: mean {mean_text(summary)}, {spread}, {rule}"
