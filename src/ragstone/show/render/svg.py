"""A plot as SVG: the distribution of the scores, the mean with its interval, and the threshold."""

from collections import Counter

from ragstone.reports.numbers import score
from ragstone.show.document import Plot
from ragstone.show.render.chart import column
from ragstone.show.render.markup import Markup, element

_BIN_COUNT, _BIN_WIDTH = 25, 10
_WIDTH = _BIN_COUNT * _BIN_WIDTH
_MAX_BAR_HEIGHT, _AXIS_Y, _WHISKER_Y, _HEIGHT = 34, 38, 50, 62
_MIN_BAR_HEIGHT = 2


def plot(found: Plot) -> Markup:
    """Return the plot as SVG, with a label that describes it for screen readers."""
    return element(
        "svg",
        *_bars(found),
        element("line", x1=0, x2=_WIDTH, y1=_AXIS_Y, y2=_AXIS_Y, class_="axis"),
        *_whisker(found),
        *_threshold(found),
        viewBox=f"-4 0 {_WIDTH + 8} {_HEIGHT}",
        class_="plot",
        role="img",
        aria_label=found.label,
    )


def _threshold(found: Plot) -> list[Markup]:
    if found.tick is None:
        return []
    x = _x(found, found.tick)
    return [element("line", x1=x, x2=x, y1=2, y2=_HEIGHT - 2, class_="threshold")]


def _x(found: Plot, value: float) -> float:
    return round((value - found.low) / (found.high - found.low) * _WIDTH, 1)


def _bars(found: Plot) -> list[Markup]:
    counts = Counter(column(value, _BIN_COUNT) for value in found.scores)
    highest = max(counts.values(), default=1)
    return [_bar(index, count, highest) for index, count in sorted(counts.items())]


def _bar(index: int, count: int, highest: int) -> Markup:
    height = max(_MIN_BAR_HEIGHT, round(_MAX_BAR_HEIGHT * count / highest, 1))
    low, high = score(index / _BIN_COUNT), score((index + 1) / _BIN_COUNT)
    return element(
        "rect",
        element("title", f"{count} from {low} to {high}"),
        x=index * _BIN_WIDTH + 1,
        y=_AXIS_Y - height,
        width=_BIN_WIDTH - 2,
        height=height,
        class_="bar",
    )


def _whisker(found: Plot) -> list[Markup]:
    if found.mean is None or found.interval is None:
        return []
    low, high = _x(found, found.interval.low), _x(found, found.interval.high)
    ends = [
        element("line", x1=end, x2=end, y1=_WHISKER_Y - 4, y2=_WHISKER_Y + 4, class_="whisker")
        for end in (low, high)
    ]
    body = element("line", x1=low, x2=high, y1=_WHISKER_Y, y2=_WHISKER_Y, class_="whisker")
    return [body, *ends, element("circle", cx=_x(found, found.mean), cy=_WHISKER_Y, r=4, class_="mean")]
