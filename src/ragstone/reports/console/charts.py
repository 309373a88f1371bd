"""Scores drawn on one axis from 0 to 1 in characters: their distribution, and the mean with its interval."""

from collections import Counter
from collections.abc import Sequence

from ragstone.reports.console.glyphs import Glyphs
from ragstone.stats.interval import Interval


def column(value: float, width: int) -> int:
    """Return which of `width` columns a score in [0, 1] falls into."""
    return min(width - 1, max(0, int(value * width)))


def distribution(scores: Sequence[float], width: int, glyphs: Glyphs) -> str:
    """Return a histogram of scores: a column for each bin, full for the fullest, visible for every bin with a score."""
    counts = Counter(column(score, width) for score in scores)
    max_count = max(counts.values(), default=1)
    return "".join(_bar(counts[index], max_count, glyphs) for index in range(width))


def _bar(count: int, max_count: int, glyphs: Glyphs) -> str:
    if not count:
        return " "
    steps = len(glyphs.bars)
    return glyphs.bars[max(1, round(steps * count / max_count)) - 1]


def whisker(
    mean: float | None, interval: Interval, threshold: float | None, width: int, glyphs: Glyphs
) -> str:
    """Return the interval as a thin bar, the mean as a dot on it, and the threshold as a tick."""
    cells = [" "] * width
    low, high = column(interval.low, width), column(interval.high, width)
    for index in range(low, high + 1):
        cells[index] = glyphs.line
    if threshold is not None:
        tick = column(threshold, width)
        cells[tick] = glyphs.crossed if low < tick < high else glyphs.tick
    cells[low], cells[high] = glyphs.left, glyphs.right
    if mean is not None:
        cells[column(mean, width)] = glyphs.dot
    return "".join(cells)
