"""What templates need to draw figures: words for those who cannot see them, heights of bars, names that can break."""

import re

from ragstone.dashboard.services.figures_cache import MetricSnapshot
from ragstone.reports.numbers import score

_TALL, _LEAST = 34.0, 2.0


def heights(histogram: list[int]) -> list[float]:
    """Return how high the bars of a histogram are: the fullest fills the drawing, none with a score is invisible."""
    most = max(histogram, default=0) or 1
    return [max(_LEAST, round(_TALL * count / most, 1)) if count else 0.0 for count in histogram]


def in_words(gauge: MetricSnapshot) -> str:
    """Return in words what the drawing of a metric shows."""
    summary = gauge.summary
    if summary.mean is None:
        return f"{gauge.label}: nothing measured yet"
    spread = "too few to say" if summary.too_few else f"95 % interval {summary.interval}"
    return f"{gauge.label}: mean {score(summary.mean)}, {spread}, threshold {score(gauge.figures.threshold)}"


def spaced(name: str) -> str:
    """Return a metric's name with blanks between its words, so that a narrow column can break it there."""
    return re.sub(r"(?<=[a-z])(?=[A-Z(])|(?<=[_=])", " ", name)
