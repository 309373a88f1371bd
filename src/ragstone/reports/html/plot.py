"""A plot of a metric as SVG: the distribution of its scores, the mean with its interval, and the threshold."""

from collections import Counter

from ragstone.reports.console.charts import column
from ragstone.reports.html.markup import Markup, element
from ragstone.reports.numbers import score
from ragstone.reports.view.report_view import MetricView

_BINS, _BIN = 25, 10
_WIDTH = _BINS * _BIN
_TALL, _BASE, _WHISKER, _HEIGHT = 34, 38, 50, 62
_LEAST = 2


def plot(metric: MetricView) -> Markup:
    """Return the plot as SVG, with a label that describes it for screen readers."""
    return element(
        "svg",
        *_bars(metric),
        element("line", x1=0, x2=_WIDTH, y1=_BASE, y2=_BASE, class_="axis"),
        *_whisker(metric),
        element(
            "line", x1=_x(metric.threshold), x2=_x(metric.threshold), y1=2, y2=_HEIGHT - 2, class_="threshold"
        ),
        viewBox=f"-4 0 {_WIDTH + 8} {_HEIGHT}",
        class_="plot",
        role="img",
        aria_label=_words(metric),
    )


def _x(value: float) -> float:
    return round(value * _WIDTH, 1)


def _bars(metric: MetricView) -> list[Markup]:
    counts = Counter(column(value, _BINS) for value in metric.scores)
    most = max(counts.values(), default=1)
    bars: list[Markup] = []
    for place, number in sorted(counts.items()):
        height = max(_LEAST, round(_TALL * number / most, 1))
        low, high = score(place / _BINS), score((place + 1) / _BINS)
        bars.append(
            element(
                "rect",
                element("title", f"{number} from {low} to {high}"),
                x=place * _BIN + 1,
                y=_BASE - height,
                width=_BIN - 2,
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
        element("line", x1=end, x2=end, y1=_WHISKER - 4, y2=_WHISKER + 4, class_="whisker")
        for end in (low, high)
    ]
    body = element("line", x1=low, x2=high, y1=_WHISKER, y2=_WHISKER, class_="whisker")
    return [body, *ends, element("circle", cx=_x(summary.mean), cy=_WHISKER, r=4, class_="mean")]


def _words(metric: MetricView) -> str:
    summary = metric.summary
    if summary.mean is None:
        return f"{metric.name}: nothing measured"
    spread = "too few to say" if summary.too_few else f"95 % interval {summary.interval}"
    return f"{metric.name}: mean {score(summary.mean)}, {spread}, threshold {score(metric.threshold)}"
