"""View model of the page Watch: a metric's history as marks with intervals, releases as ticks, times in words."""

import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from ragstone.findings.numbers import duration, score
from ragstone.metric_label import base_name
from ragstone.watch.overview import HistoryPoint, WatchOverview
from ragstone.watch.window import WindowFigures

WIDE, TALL = 300.0, 64.0
_MIN_RANGE = 0.1


@dataclass(frozen=True, slots=True)
class HistoryMark:
    """A slot of a history in the drawing: its middle, the mean, and the ends of the interval, if there is one."""

    x: float
    y: float
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class WatchCard:
    """A metric of the page: its history as marks, y and score of the alarm's floor, x and name of each release."""

    label: str
    figures: WindowFigures
    marks: tuple[HistoryMark, ...]
    floor: float | None
    below: float | None
    releases: tuple[tuple[float, str], ...]
    axis: tuple[float, float]
    words: str


def watch_cards(found: WatchOverview) -> list[WatchCard]:
    """Return a card for each metric of the window."""
    name_of, now = metric_namer([figures.metric for figures in found.figures]), time.time()
    return [_card(found, figures, name_of(figures.metric), now) for figures in found.figures]


def _card(found: WatchOverview, figures: WindowFigures, label: str, end: float) -> WatchCard:
    name = base_name(figures.metric)
    floors = (status.alarm.below for status in found.alarms if status.alarm.metric == name)
    below = next((floor for floor in floors if floor is not None), None)
    points = found.history.get(figures.metric, ())
    bottom, top = _axis_range(points, below)
    begin = min((point.start for point in points), default=end)
    span = max(end - begin, found.slot)

    def x(seconds: float) -> float:
        return round(min(1.0, max(0.0, (seconds - begin) / span)) * WIDE, 1)

    def y(value: float) -> float:
        return round((1 - (value - bottom) / (top - bottom)) * TALL, 1)

    def mark(point: HistoryPoint, mean: float) -> HistoryMark:
        ends = (None, None) if point.interval is None else (y(point.interval.low), y(point.interval.high))
        return HistoryMark(x(point.start + found.slot / 2), y(mean), *ends)

    return WatchCard(
        label=label,
        figures=figures,
        marks=tuple(mark(point, point.mean) for point in points if point.mean is not None),
        floor=None if below is None else y(below),
        below=below,
        releases=tuple((x(seconds), release) for release, seconds in found.releases),
        axis=(top, bottom),
        words=_history_text(points, found.slot),
    )


def metric_namer(specs: Sequence[str]) -> Callable[[str], str]:
    """Return a function from the spec of a metric to its name: its title, or the spec where two share a title."""
    titles = Counter(map(metric_title, specs))
    return lambda spec: spec if titles[metric_title(spec)] > 1 else metric_title(spec)


def metric_title(spec: str) -> str:
    """Return the title of a metric: `AnswerRelevancy` for `answer_relevancy(threshold=0.8)`."""
    name = base_name(spec)
    return name if ":" in name else "".join(word.capitalize() for word in name.split("_"))


def _axis_range(points: Sequence[HistoryPoint], below: float | None) -> tuple[float, float]:
    ends = [end for point in points if point.interval for end in (point.interval.low, point.interval.high)]
    values = [value for value in (*ends, *(point.mean for point in points), below) if value is not None]
    lowest, highest = min(values, default=0.0), max(values, default=1.0)
    margin = max(0.05 * (highest - lowest), (_MIN_RANGE - (highest - lowest)) / 2, 0.0)
    return max(0.0, lowest - margin), min(1.0, highest + margin)


def _history_text(points: Sequence[HistoryPoint], slot: float) -> str:
    means = [point.mean for point in points if point.mean is not None]
    if not means:
        return "nothing measured yet"
    slots = f"{len(means)} {'slot' if len(means) == 1 else 'slots'} of {stretch(slot)}"
    return f"{slots}: from {score(means[0])} to {score(means[-1])}, lowest {score(min(means))}"


def moment(at: float | None) -> str:
    """Return a time as `22 Nov 14:05`, in UTC; `never` for None."""
    return "never" if at is None else f"{datetime.fromtimestamp(at, UTC):%d %b %H:%M} UTC"


def stretch(seconds: float) -> str:
    """Return a length of time without a part that is zero: `24 h`, `1 h 30 min`."""
    return duration(seconds).removesuffix(" 0 min").removesuffix(" 0 s")
