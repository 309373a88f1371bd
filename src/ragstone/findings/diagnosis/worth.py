"""Measured gain from mending: misses judged again with an oracle's passages, its answers, or both. Pure functions.

Each miss has four arms. *real*: the application is called again, which separates the effect of mending from chance,
since cases that were chosen because they missed do better the second time. *passages*: it answers from the passages
that contain the answer. *answers*: the expected output is judged with the passages that the application retrieved.
*both*: it is judged with the passages that contain it, which is the best that the judge lets a system reach.

The gain of a cause is the difference of two arms on the same test cases, *passages* - *real* where retrieval is at
fault and *answers* - *real* where the generator is, times the share of the run's test cases that have the cause. The
gap between *both* and *real* is split by Shapley's value, the mean over both orders of mending: Shapley (1953), "A
value for n-person games".
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from ragstone.findings.diagnosis.causes import CAUSES, Cause, CauseName
from ragstone.stats.estimate import Estimate
from ragstone.stats.interval import mean_interval

BY_PASSAGES = frozenset({"retriever", "between", "corpus"})
"""Owners of the causes that the oracle's passages mend; causes of the generator are mended by its answers."""


class ArmOutcomes(NamedTuple):
    """Whether a miss passes in each arm."""

    place: int  # the test case's place in the run, from 0
    cause: CauseName
    real: bool  # with the application called again
    passages: bool  # with the oracle's passages
    answers: bool  # with the oracle's answer
    both: bool  # with both
    group: Hashable = None  # its cluster; None where test cases are not grouped

    @property
    def mended(self) -> bool:
        """Whether it passes once its own cause is mended."""
        return self.passages if CAUSES[self.cause].owner in BY_PASSAGES else self.answers


@dataclass(frozen=True, slots=True)
class ArmRates:
    """Pass rates of the four arms, in [0, 1]."""

    real: float  # with the application called again
    passages: float  # with the oracle's passages
    answers: float  # with the oracle's answers
    both: float  # with both


@dataclass(frozen=True, slots=True)
class CauseGain:
    """The measured gain from mending one cause."""

    cause: Cause
    cases: int  # test cases of the run with this cause
    measured: int  # how many of them were measured
    rates: ArmRates  # pass rates of the measured ones
    gain: Estimate  # difference in the pass rate of the whole run, in [-1, 1], with its 95 % interval
    worth: float  # the pass rate of the run if the cause is mended: the current pass rate plus the gain


@dataclass(frozen=True, slots=True)
class MeasuredWorth:
    """The gain from mending, measured with the user's application."""

    application: str  # its name
    gains: tuple[CauseGain, ...]  # for each cause that was measured, the largest gain first
    rates: ArmRates | None  # pass rates over all misses that were measured
    retriever: Estimate  # the retriever's part of the gap between *both* and *real*, over these misses
    generator: Estimate  # the generator's part
    measured: int  # how many misses were measured
    # how many could have been measured: their cause is the retriever's or the generator's, and the oracle has
    # passages and an answer
    measurable: int
    # misses that could not be measured: there is no expected output, or no passage known to contain it
    left_out: int
    called: int  # calls of the application
    cached: int  # answers that came from the cache instead
    errors: tuple[tuple[str, int], ...] = ()  # errors of calls and judgements, each with its count


def cause_gains(
    outcomes: Sequence[ArmOutcomes], counts: Mapping[Cause, int], cases: int, passing: float
) -> tuple[CauseGain, ...]:
    """Return the gain from mending each cause, the largest first.

    `counts` are the test cases of the run by cause, `cases` those that are decided, and `passing` is their pass rate.
    """
    gains: list[CauseGain] = []
    for cause in CAUSES.values():
        group = [arms for arms in outcomes if arms.cause == cause.name]
        if group:
            gain = _scaled(_mean(group, lambda arms: arms.mended - arms.real), counts[cause] / cases)
            after = passing + (gain.value or 0.0)
            gains.append(CauseGain(cause, counts[cause], len(group), arm_rates(group), gain, after))
    return tuple(sorted(gains, key=lambda gain: -(gain.gain.value or 0.0)))


def arm_rates(outcomes: Sequence[ArmOutcomes]) -> ArmRates:
    """Return the pass rates of the four arms; `outcomes` must not be empty."""
    arms = zip(*((each.real, each.passages, each.answers, each.both) for each in outcomes), strict=True)
    return ArmRates(*(sum(passed) / len(outcomes) for passed in arms))


def shapley_parts(outcomes: Sequence[ArmOutcomes]) -> tuple[Estimate, Estimate]:
    """Return the retriever's and the generator's part of the gap between *both* and *real*, in [-1, 1]."""
    retriever = _mean(outcomes, lambda arms: (arms.passages - arms.real + arms.both - arms.answers) / 2)
    return retriever, _mean(outcomes, lambda arms: (arms.answers - arms.real + arms.both - arms.passages) / 2)


def _mean(outcomes: Sequence[ArmOutcomes], value: Callable[[ArmOutcomes], float]) -> Estimate:
    if not outcomes:
        return Estimate(None, None)
    values = [float(value(arms)) for arms in outcomes]
    groups = [arms.group for arms in outcomes]
    clusters = groups if any(group is not None for group in groups) else None
    return Estimate(sum(values) / len(values), mean_interval(values, clusters, bounds=(-1.0, 1.0)))


def _scaled(estimate: Estimate, factor: float) -> Estimate:
    if estimate.value is None or estimate.interval is None:
        return estimate
    ends = {"low": estimate.interval.low * factor, "high": estimate.interval.high * factor}
    return Estimate(estimate.value * factor, replace(estimate.interval, **ends))
