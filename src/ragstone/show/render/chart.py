"""A plot in characters: the distribution of scores, and the mean with its interval, on one axis."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING

from ragstone.show.document import Bar, Plot

if TYPE_CHECKING:
    from ragstone.stats.interval import Interval

_BARS = "▁▂▃▄▅▆▇█"


def column(value: float, width: int) -> int:
    """Return which of `width` columns a value in [0, 1] falls into."""
    return min(width - 1, max(0, int(value * width)))


def draw(plot: Plot, width: int) -> Iterator[str]:
    """Yield the lines of a plot: a histogram, full for the fullest column, and the interval as a thin bar."""
    if plot.scores:
        yield _distribution(plot.scores, width)
    if plot.interval is not None:
        yield _whisker(plot, plot.interval, width)


def bar(found: Bar, width: int) -> str:
    """Return a whole as one bar; a part that is not empty has a column where there is room for all."""
    ends = [0, *(round(width * end) for end in accumulate(part.share for part in found.parts))]
    drawn = (
        part.sign * (end - start) for part, (start, end) in zip(found.parts, pairwise(ends), strict=True)
    )
    return "".join(drawn)


def _distribution(scores: Sequence[float], width: int) -> str:
    counts = Counter(column(score, width) for score in scores)
    highest = max(counts.values())
    heights = (round(len(_BARS) * counts[index] / highest) for index in range(width))
    return "".join(
        _BARS[max(1, height) - 1] if counts[index] else " " for index, height in enumerate(heights)
    )


def _whisker(plot: Plot, interval: "Interval", width: int) -> str:
    def place(value: float) -> int:
        return column((value - plot.low) / (plot.high - plot.low), width)

    cells = [" "] * width
    low, high = place(interval.low), place(interval.high)
    cells[low : high + 1] = "─" * (high + 1 - low)
    if plot.tick is not None:
        tick = place(plot.tick)
        cells[tick] = "┼" if low < tick < high else "┊"
    cells[low], cells[high] = "├", "┤"
    if plot.mean is not None:
        cells[place(plot.mean)] = "●"
    return "".join(cells)
