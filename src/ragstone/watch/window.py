"""Figures of one time window: the mean of each metric over all traces, and the mean estimated from the sample."""

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from ragstone.metric_label import base_name
from ragstone.metrics.base.catalog import BUILT_IN
from ragstone.metrics.base.parse import parse
from ragstone.stats.figure import Figure, figure_of, with_shares
from ragstone.stats.hash_sampling import DrawnScore, SampledMean, sampled_mean, tuned_trust
from ragstone.stats.human_sample import HumanScore, human_mean
from ragstone.stats.shares import Shares, label_shares
from ragstone.status import Status
from ragstone.store.queue.scores import UNSURE, WindowScore, read_window
from ragstone.store.queue.trace_queue import TraceQueue
from ragstone.watch.plan import WatchPlan

FEWEST = 10  # number of scores below which no interval is given


@dataclass(frozen=True, slots=True)
class WindowFigures:
    """Figures of a metric in a window.

    Attributes:
        metric: spec of the metric.
        figure: of the judge of all traces: mean or range, interval, counts.
        sample: mean score of the judge of the sample over all traces, estimated from the drawn ones.
        people: share of all traces that people would call good, estimated from those that they judged; its `drawn`
            counts these. None where nobody is asked.
        asked: traces that people are asked to judge.
        unsure: those of them on which all given verdicts are unsure.
    """

    metric: str
    figure: Figure
    sample: SampledMean | None
    people: SampledMean | None = None
    asked: int = 0
    unsure: int = 0


def window_figures(queue: TraceQueue, plan: WatchPlan, until: float | None = None) -> list[WindowFigures]:
    """Return the figures of the traces received in the plan's window, which ends now or at `until`.

    The weight of the judge of all traces in the sample's estimate is fitted on the window before.
    """
    end = time.time() + 1 if until is None else until
    current = read_window(queue.engine, plan.name, end - plan.window, end)
    before = read_window(queue.engine, plan.name, end - 2 * plan.window, end - plan.window)
    metrics = list(dict.fromkeys(score.metric for score in current))
    return [_figures(metric, current, before) for metric in sorted(metrics)]


def _figures(metric: str, current: Sequence[WindowScore], before: Sequence[WindowScore]) -> WindowFigures:
    now, earlier = _MetricScores.of(metric, current), _MetricScores.of(metric, before)
    by_all = [score for score in current if score.metric == metric and score.judged_by == "all"]
    scores = [score.score for score in by_all if score.score is not None]
    trust = tuned_trust(earlier.drawn)
    sample = sampled_mean(scores, now.drawn, trust=trust) if now.drawn else None
    people: SampledMean | None = None
    if now.asked:
        judged = [DrawnScore(score.drawn.dear, score.human, score.probability) for score in earlier.people]
        human_trust = tuned_trust(judged)
        people = human_mean(scores, now.basis, now.people, trust=trust, human_trust=human_trust)
    unsure = sum(score.status == UNSURE for score in now.asked)
    return WindowFigures(metric, _figure(by_all), sample, people, len(now.asked), unsure)


def _figure(scores: Sequence[WindowScore]) -> Figure:
    ranges = [
        (score, score.low, score.high) for score in scores if score.low is not None and score.high is not None
    ]
    statuses = Counter(score.status for score in scores)
    figure = figure_of(
        [score.score for score, _, _ in ranges],
        [cast("Status", score.status) if score.status else None for score, _, _ in ranges],
        lows=[low for _, low, _ in ranges],
        highs=[high for _, _, high in ranges],
        not_measured=statuses["not_measured"],
        skipped=statuses["skipped"],
    )
    return with_shares(figure, _shares(scores))


def _shares(scores: Sequence[WindowScore]) -> Shares | None:
    """Return the shares of the labels; None for a metric without labels, whose name alone says which it may give."""
    measured = [score for score in scores if score.status not in ("not_measured", "skipped")]
    if not any(score.label for score in measured):
        return None
    spec = measured[0].metric  # of a metric that is not built in, no code is imported to show figures
    categories = parse(spec).categories if base_name(spec) in BUILT_IN else ()
    seen = sorted({score.label for score in measured if score.label} - {*categories})
    return label_shares([score.label for score in measured], [*categories, *seen])


@dataclass(frozen=True, slots=True)
class _MetricScores:
    """The scores of a metric in a window, one per unit: drawn ones with those of all traces, asked and by people.

    `basis` are those that human verdicts correct: `drawn`, or without any all scores by the judge of all traces.
    """

    drawn: list[DrawnScore]
    basis: list[DrawnScore]
    asked: list[WindowScore]
    people: list[HumanScore]

    @classmethod
    def of(cls, metric: str, scores: Sequence[WindowScore]) -> "_MetricScores":
        """Return the scores of a metric.

        People have judged only a share of the units that they are asked to judge, in random order, so the probability
        of each unit is multiplied by that share.
        """
        by_judge: dict[str, dict[str, WindowScore]] = {"all": {}, "sample": {}, "people": {}}
        for item in scores:
            if item.metric == metric:
                by_judge[item.judged_by][item.unit] = item
        cheap = {unit: item.score for unit, item in by_judge["all"].items() if item.score is not None}
        drawn = {
            unit: DrawnScore(cheap[unit], item.score, item.probability)
            for unit, item in by_judge["sample"].items()
            if item.score is not None and unit in cheap
        }
        basis = drawn or {unit: DrawnScore(score, score, 1.0) for unit, score in cheap.items()}
        asked = by_judge["people"]
        share = sum(item.score is not None for item in asked.values()) / max(len(asked), 1)
        people = [
            HumanScore(basis[unit], item.score, item.probability * share)
            for unit, item in asked.items()
            if item.score is not None and unit in basis
        ]
        return cls([*drawn.values()], [*basis.values()], [*asked.values()], people)
