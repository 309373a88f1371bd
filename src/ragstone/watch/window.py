"""What a stretch of time was like: the mean of each metric, of all traces and as the sample estimates it."""

import time
from collections.abc import Sequence
from dataclasses import dataclass

from ragstone.stats.hash_sampling import DrawnScore, SampledMean, sampled_mean, tuned_trust
from ragstone.stats.human_sample import HumanScore, human_mean
from ragstone.stats.interval import Interval, mean_interval
from ragstone.store.queue.scores import WindowScore, read_window
from ragstone.store.queue.trace_queue import TraceQueue
from ragstone.store.write.human_scores import UNSURE
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
        people: which share of all of them people would have called good, estimated from those that they judged; its
            `drawn` counts these. None where nobody is asked.
        asked: those that people are asked to judge.
        unsure: those of them of which all who were asked are unsure.
    """

    metric: str
    mean: float | None
    interval: Interval | None
    judged: int
    unmeasured: int
    sample: SampledMean | None
    people: SampledMean | None = None
    asked: int = 0
    unsure: int = 0


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
    now, earlier = _MetricScores.of(metric, current), _MetricScores.of(metric, before)
    every = [one for one in current if one.metric == metric and one.judged_by == "all"]
    scores = [one.score for one in every if one.score is not None]
    trust = tuned_trust(earlier.drawn)
    return WindowFigures(
        metric,
        sum(scores) / len(scores) if scores else None,
        mean_interval(scores, bounds=(0.0, 1.0)) if len(scores) >= FEWEST else None,
        len(scores),
        len(every) - len(scores),
        sampled_mean(scores, now.drawn, trust=trust) if now.drawn else None,
        _people(scores, now, earlier, trust) if now.asked else None,
        len(now.asked),
        sum(one.status == UNSURE for one in now.asked),
    )


def _people(
    scores: Sequence[float], now: "_MetricScores", earlier: "_MetricScores", trust: float
) -> SampledMean:
    human_trust = tuned_trust([_followed(one) for one in earlier.people])
    return human_mean(scores, now.basis, now.people, trust=trust, human_trust=human_trust)


def _followed(one: HumanScore) -> DrawnScore:
    return DrawnScore(one.drawn.dear, one.human, one.probability)


@dataclass(frozen=True, slots=True)
class _MetricScores:
    """The scores of a metric in a window, unit by unit.

    Attributes:
        drawn: those that the judge of the sample measured, beside what the judge of all said.
        basis: what people's verdicts correct: those; where there are none, all, by the judge of all.
        asked: those that people are asked to judge.
        people: those that they judged.
    """

    drawn: list[DrawnScore]
    basis: list[DrawnScore]
    asked: list[WindowScore]
    people: list[HumanScore]

    @classmethod
    def of(cls, metric: str, scores: Sequence[WindowScore]) -> "_MetricScores":
        """Return the scores of a metric.

        Of those that people are asked to judge, in an order that chance gives, they have judged some: the probability
        of each is smaller by that share.
        """
        by_judge: dict[str, dict[str, WindowScore]] = {"all": {}, "sample": {}, "people": {}}
        for one in scores:
            if one.metric == metric:
                by_judge[one.judged_by][one.unit] = one
        cheap = {unit: one.score for unit, one in by_judge["all"].items() if one.score is not None}
        drawn = {
            unit: DrawnScore(cheap[unit], one.score, one.probability)
            for unit, one in by_judge["sample"].items()
            if one.score is not None and unit in cheap
        }
        basis = drawn or {unit: DrawnScore(score, score, 1.0) for unit, score in cheap.items()}
        asked = by_judge["people"]
        share = sum(one.score is not None for one in asked.values()) / max(len(asked), 1)
        people = [
            HumanScore(basis[unit], one.score, one.probability * share)
            for unit, one in asked.items()
            if one.score is not None and unit in basis
        ]
        return cls([*drawn.values()], [*basis.values()], [*asked.values()], people)
