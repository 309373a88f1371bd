"""What a stretch of time was like: the mean of each metric, of all traces and as the sample estimates it."""

import time
from collections.abc import Sequence
from dataclasses import dataclass

from ragstone.stats.hash_sampling import DrawnScore, SampledMean, sampled_mean, tuned_trust
from ragstone.stats.interval import Interval, mean_interval
from ragstone.store.queue.scores import WindowScore, read_window
from ragstone.store.queue.trace_queue import TraceQueue
from ragstone.watch.plan import WatchPlan

FEWEST = 10
"""Scores below which there is no interval."""


@dataclass(frozen=True, slots=True)
class WindowFigures:
    """A metric in a window.

    Attributes:
        metric: its spec.
        mean: of the scores of the judge of all traces; None where there are none.
        interval: for the mean of traces like these; None where they are too few to say.
        judged: traces with such a score.
        unmeasured: traces whose score failed or was skipped.
        sample: what the dearer judge would have said of all of them, estimated from the drawn ones.
    """

    metric: str
    mean: float | None
    interval: Interval | None
    judged: int
    unmeasured: int
    sample: SampledMean | None


def window_figures(queue: TraceQueue, plan: WatchPlan, until: float | None = None) -> list[WindowFigures]:
    """Return the figures of the traces received in the plan's window, which ends now or at `until`.

    How far the judge of all traces is followed in the sample's estimate is fitted on the window before.
    """
    end = time.time() + 1 if until is None else until
    current = read_window(queue.engine, plan.name, end - plan.window, end)
    before = read_window(queue.engine, plan.name, end - 2 * plan.window, end - plan.window)
    metrics = list(dict.fromkeys(one.metric for one in current))
    return [_figures(metric, current, before) for metric in sorted(metrics)]


def _figures(metric: str, current: Sequence[WindowScore], before: Sequence[WindowScore]) -> WindowFigures:
    every = [one for one in current if one.metric == metric and one.judged_by == "all"]
    scores = [one.score for one in every if one.score is not None]
    drawn = _drawn(metric, current)
    return WindowFigures(
        metric,
        sum(scores) / len(scores) if scores else None,
        mean_interval(scores, bounds=(0.0, 1.0)) if len(scores) >= FEWEST else None,
        len(scores),
        len(every) - len(scores),
        sampled_mean(scores, drawn, trust=tuned_trust(_drawn(metric, before))) if drawn else None,
    )


def _drawn(metric: str, scores: Sequence[WindowScore]) -> list[DrawnScore]:
    cheap = {one.unit: one.score for one in scores if one.metric == metric and one.judged_by == "all"}
    found: list[DrawnScore] = []
    for one in scores:
        known = cheap.get(one.unit)
        if one.metric == metric and one.judged_by == "sample" and one.score is not None and known is not None:
            found.append(DrawnScore(known, one.score, one.probability))
    return found
