"""A plot as SVG: the distribution of the scores, the mean with its interval, the threshold; or the parts of a whole."""

from collections import Counter
from itertools import accumulate

from ragstone.findings.numbers import percent, score
from ragstone.show.document import PART_SIGNS, Bar, Part, Plot, Point, Scatter
from ragstone.show.render.chart import column
from ragstone.show.render.markup import Markup, element

_BIN_COUNT, _BIN_WIDTH = 25, 10
_WIDTH = _BIN_COUNT * _BIN_WIDTH
_MAX_BAR_HEIGHT, _AXIS_Y, _WHISKER_Y, _HEIGHT = 34, 38, 50, 62
_MIN_BAR_HEIGHT = 2
_BAR_WIDTH, _BAR_HEIGHT, _BAR_GAP = 400, 18, 1.5


def plot(found: Plot) -> Markup:
    """Return the plot as SVG, with a label that describes it for screen readers."""
    counts = Counter(column(value, _BIN_COUNT) for value in found.scores)
    highest = max(counts.values(), default=1)
    threshold = () if found.tick is None else (_line(_x(found, found.tick), 2, _HEIGHT - 2, "threshold"),)
    return element(
        "svg",
        *(_bar(index, count, highest) for index, count in sorted(counts.items())),
        element("line", x1=0, x2=_WIDTH, y1=_AXIS_Y, y2=_AXIS_Y, class_="axis"),
        *_whisker(found),
        *threshold,
        viewBox=f"-4 0 {_WIDTH + 8} {_HEIGHT}",
        class_="plot",
        role="img",
        aria_label=found.label,
    )


def bar(found: Bar) -> Markup:
    """Return a whole as one bar: the part of each pattern in a shade of its own, what is undecided as an outline."""
    starts = [0.0, *accumulate(part.share for part in found.parts)]
    return element(
        "svg",
        *(_part(part, start) for part, start in zip(found.parts, starts, strict=False) if part.share),
        viewBox=f"0 0 {_BAR_WIDTH} {_BAR_HEIGHT}",
        preserveAspectRatio="none",
        class_="label-bar",
        role="img",
        aria_label=found.label,
    )


def _part(part: Part, start: float) -> Markup:
    place = PART_SIGNS.find(part.sign)
    return element(
        "rect",
        element("title", f"{part.name}: {percent(part.share)}"),
        x=round(start * _BAR_WIDTH, 1),
        y=0.5,
        width=max(round(part.share * _BAR_WIDTH - _BAR_GAP, 1), 1),
        height=_BAR_HEIGHT - 1,
        class_="part open" if place < 0 else f"part p{place + 1}",
    )


def _line(x: float, y1: float, y2: float, style: str) -> Markup:
    return element("line", x1=x, x2=x, y1=y1, y2=y2, class_=style)


def _x(found: Plot, value: float) -> float:
    return round((value - found.low) / (found.high - found.low) * _WIDTH, 1)


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
    ends = [_line(end, _WHISKER_Y - 4, _WHISKER_Y + 4, "whisker") for end in (low, high)]
    body = element("line", x1=low, x2=high, y1=_WHISKER_Y, y2=_WHISKER_Y, class_="whisker")
    return [body, *ends, element("circle", cx=_x(found, found.mean), cy=_WHISKER_Y, r=4, class_="mean")]


_PLOT_WIDTH, _PLOT_HEIGHT, _MARGIN = 340, 200, 12
_RADII = {"efficient": 6, "left": 5, "dropped": 3.5}


def scatter(found: Scatter) -> Markup:
    """Return a scatter plot as SVG: efficient points have their names beside them, the others as a title."""
    placed = [(point, *_place(found, point)) for point in found.points]
    low, high = (score(end(point.y for point in found.points)) for end in (min, max))
    label = f"{found.y_name} from {low} to {high}, against {found.x_name} from {' to '.join(found.x_ends)}"
    bottom = _PLOT_HEIGHT + 2 * _MARGIN
    return element(
        "svg",
        element("line", x1=0, x2=_PLOT_WIDTH, y1=bottom, y2=bottom, class_="axis"),
        _line(0, 0, bottom, "axis"),
        *(_point(point, x, y) for point, x, y in placed),
        element("text", high, x=4, y=_MARGIN, class_="label"),
        element("text", low, x=4, y=bottom - 4, class_="label"),
        element("text", found.x_ends[0], x=0, y=bottom + 14, class_="label"),
        element("text", found.x_ends[1], x=_PLOT_WIDTH, y=bottom + 14, class_="label end"),
        element("text", found.x_name, x=_PLOT_WIDTH / 2, y=bottom + 14, class_="label middle"),
        viewBox=f"-4 -4 {_PLOT_WIDTH + 8} {bottom + 24}",
        class_="scatter",
        role="img",
        aria_label=label,
    )


def _place(found: Scatter, point: Point) -> tuple[float, float]:
    """Return where a point is drawn; all in the middle where they do not differ."""
    xs, ys = [each.x for each in found.points], [each.y for each in found.points]
    across = (point.x - min(xs)) / (max(xs) - min(xs)) if max(xs) > min(xs) else 0.5
    up = (point.y - min(ys)) / (max(ys) - min(ys)) if max(ys) > min(ys) else 0.5
    width = _PLOT_WIDTH - 4 * _MARGIN
    return round(3 * _MARGIN + across * width, 1), round(_MARGIN + (1 - up) * _PLOT_HEIGHT, 1)


def _point(point: Point, x: float, y: float) -> Markup:
    title = element("title", f"{point.name}: {score(point.y)}")
    drawn = element("circle", title, cx=x, cy=y, r=_RADII[point.kind], class_=f"point {point.kind}")
    if point.kind != "efficient":
        return drawn
    side, style = (-9, "label end") if x > _PLOT_WIDTH / 2 else (9, "label")
    return element("g", drawn, element("text", point.name, x=x + side, y=y + 12, class_=style))
