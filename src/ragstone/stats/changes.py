"""A mean change over paired cases: of scores, of pass and fail, or of the bounds of either; its test and its interval.

Few cases change between two runs, and often all in one direction. An interval from the variance of the differences
alone then covers as little as 79 %, since it knows nothing of the changes that were not seen. So gains and losses get a
score interval each (`interval.py`), which leaves room for unseen ones, and the two are joined by MOVER, the method of
variance estimates recovery (Newcombe 1998, Statistics in Medicine 17:2635; Zou and Donner 2008), with their
correlation r, which is negative since a case gains or loses, never both:

    low = D - sqrt(a² + b² - 2·r·a·b),  a = ḡ - low of ḡ,  b = high of l̄ - l̄,   and likewise for high.
"""

from dataclasses import dataclass, field, replace
from functools import partial
from math import nextafter, sqrt
from typing import Literal, NamedTuple, Self

import numpy as np

from ragstone.stats._arrays import BoolArray, FloatArray, IntArray
from ragstone.stats._sample import spread
from ragstone.stats.interval import Interval, mean_interval
from ragstone.stats.significance import sign_flip_p_value

Claim = Literal["rose", "fell", "no change shown"]
_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True, eq=False)
class MeanChange:
    """The changes of the cases from before to after, between the least and the greatest possible ones.

    A change is claimed only if both means changed in one direction and both tests reject: then it is there if all that
    is undecided counts against both runs, and if it counts for both. It is not there for certain: what is undecided
    may be resolved otherwise in one run than in the other. Such an intersection-union test needs no correction
    (Berger 1982, Technometrics 24).

    Attributes:
        lows: Change of the least possible score of each case.
        highs: Change of the greatest possible score; the same array where every score is decided.
        codes: Group of each case; None where cases are independent.
        low_p: p-value of the mean of `lows` being 0.
        high_p: p-value of the mean of `highs` being 0.
    """

    lows: FloatArray
    highs: FloatArray
    codes: IntArray | None
    low_p: float
    high_p: float

    @classmethod
    def tested_by(
        cls, lows: FloatArray, highs: FloatArray, codes: IntArray | None, *, seed: int, resamples: int
    ) -> Self:
        """Return the changes with their p-values: those of the sign-flip test, mid-p where few units changed."""
        test = partial(sign_flip_p_value, clusters=codes, seed=seed, resamples=resamples, method="auto")
        low_p = test(lows)
        if np.array_equal(lows, highs):
            return cls(lows, lows, codes, low_p, low_p)
        return cls(lows, highs, codes, low_p, test(highs))

    @property
    def decided(self) -> bool:
        """Whether the bounds changed alike, so that there is one mean change."""
        return self.lows is self.highs

    @property
    def within_unit(self) -> bool:
        """Whether no change exceeds 1, so that the scores may lie in [0, 1]."""
        return within_unit(self.lows) and within_unit(self.highs)

    @property
    def low(self) -> float:
        """Mean change of the least possible scores."""
        return float(self.lows.mean())

    @property
    def high(self) -> float:
        """Mean change of the greatest possible scores."""
        return float(self.highs.mean())

    @property
    def direction(self) -> int:
        """1 if both means rose, -1 if both fell, otherwise 0, also without a case."""
        if not self.lows.size:
            return 0
        rose, fell = min(self.low, self.high) > 0.0, max(self.low, self.high) < 0.0
        return rose - fell

    @property
    def p_value(self) -> float:
        """p-value of the intersection-union test: the larger one, 1 where the bounds changed in two directions."""
        return max(self.low_p, self.high_p) if self.direction else 1.0

    def interval(self, level: float) -> Interval:
        """Return the interval of the mean change, from the lower of the lows and highs to the upper of both."""
        low = difference_interval(self.lows, self.codes, level)
        if self.decided:
            return low
        high = difference_interval(self.highs, self.codes, level)
        return replace(low, low=min(low.low, high.low), high=max(low.high, high.high))

    def deciding_interval(self, level: float, adjusted_p: float, error: float) -> Interval:
        """Return the interval, which excludes 0 exactly where the test does.

        It is extended to 0 where the test does not rule 0 out, and ends next to 0 where the test rules out 0 but the
        interval, which allows for changes that were not seen, does not.
        """
        found = self.interval(level)
        claimed = claimed_direction(adjusted_p, self.direction, error)
        if claimed > 0:
            return replace(found, low=max(found.low, nextafter(0.0, 1.0)))
        if claimed < 0:
            return replace(found, high=min(found.high, nextafter(0.0, -1.0)))
        return replace(found, low=min(found.low, 0.0), high=max(found.high, 0.0))

    def claim(self, adjusted_p: float, error: float) -> Claim:
        """Return the change that the test claims, at the error level of all tests together."""
        claimed = claimed_direction(adjusted_p, self.direction, error)
        return "rose" if claimed > 0 else "fell" if claimed < 0 else "no change shown"


def claimed_direction(adjusted_p: float, direction: int, error: float) -> int:
    """Return the direction of a change that the test claims; 0 where it claims none."""
    return direction if adjusted_p <= error + _ROUNDING else 0


@dataclass(frozen=True, slots=True)
class PassChange:
    """Change of pass and fail between two runs over the same cases.

    Attributes:
        before: Pass rate before, over the compared cases: the share that surely pass.
        after: Pass rate after.
        before_high: Share that may pass before; equal to `before` where every case is decided.
        after_high: Share that may pass after.
        broke: Cases that passed before and do not now, surely.
        mended: Cases that did not pass before and do now, surely.
        interval: For `after - before`, in [-1, 1]; it excludes 0 exactly where a change is claimed.
        p_value: McNemar's test (mid-p where at most half of the cases changed); groups are flipped as one.
        adjusted_p: The same after correction for the pass rates tested together (Holm).
        level: Coverage of the intervals of all pass rates together.
        change: The changes of the cases, from which intervals at another level are computed.
    """

    before: float
    after: float
    before_high: float
    after_high: float
    broke: int
    mended: int
    interval: Interval
    p_value: float
    adjusted_p: float
    level: float
    change: MeanChange = field(repr=False, compare=False)

    @property
    def verdict(self) -> Claim:
        """The claim that the data allow."""
        return self.change.claim(self.adjusted_p, 1.0 - self.level)


def pass_change(
    surely: tuple[BoolArray, BoolArray],
    possibly: tuple[BoolArray, BoolArray],
    codes: IntArray | None,
    *,
    level: float,
    seed: int,
    resamples: int,
) -> PassChange:
    """Return the change of pass and fail, from whether each case surely and possibly passes, before and after."""
    lows, highs = (new.astype(float) - old for old, new in (surely, possibly))
    change = MeanChange.tested_by(lows, highs, codes, seed=seed, resamples=resamples)
    return PassChange(
        before=float(surely[0].mean()),
        after=float(surely[1].mean()),
        before_high=float(possibly[0].mean()),
        after_high=float(possibly[1].mean()),
        broke=int(np.count_nonzero(surely[0] & ~possibly[1])),
        mended=int(np.count_nonzero(~possibly[0] & surely[1])),
        interval=change.deciding_interval(level, change.p_value, 1.0 - level),
        p_value=change.p_value,
        adjusted_p=change.p_value,
        level=level,
        change=change,
    )


class ChangeFigures(NamedTuple):
    """What the power of a comparison follows from; see `power.py`.

    Attributes:
        variance: n · (variance of the mean difference), clusters counted.
        change: Typical size of a change, Σu² / Σ|u| over the units that changed: of one case, or of all cases of a
            cluster together. Where none changed, that of a unit which changes entirely.
    """

    variance: float
    change: float


def difference_interval(changes: FloatArray, codes: IntArray | None, level: float) -> Interval:
    """Return the interval of the mean of `changes`; a t interval where one of them exceeds 1."""
    if not changes.size or not within_unit(changes):
        return mean_interval(changes, codes, level, bounds=None if changes.size else (-1.0, 1.0))
    gains, losses = np.maximum(changes, 0.0), np.maximum(-changes, 0.0)
    gain, loss = (mean_interval(each, codes, level, bounds=(0.0, 1.0)) for each in (gains, losses))
    correlation = _correlation(gains, losses, codes)
    up, down, mean = float(gains.mean()), float(losses.mean()), float(changes.mean())
    below = _joined(up - gain.low, loss.high - down, correlation)
    above = _joined(gain.high - up, down - loss.low, correlation)
    return Interval(max(-1.0, mean - below), min(1.0, mean + above), level, "mover", gain.n, gain.units)


def change_figures(changes: FloatArray, codes: IntArray | None) -> ChangeFigures | None:
    """Return the figures for the power; None where the changes have no variance that could be told."""
    if changes.size == 0 or (changes.size == 1 and not within_unit(changes)):
        return None
    if changes.size == 1:
        return ChangeFigures(1.0, 1.0)
    units = changes if codes is None else np.bincount(codes, weights=changes)
    total = float(np.abs(units).sum())
    if total > 0.0:
        change = float((units**2).sum()) / total
    else:
        change = 1.0 if codes is None else float((np.bincount(codes) ** 2).sum()) / changes.size
    return ChangeFigures(changes.size * spread(changes, codes).variance, change)


def within_unit(changes: FloatArray) -> bool:
    """Return whether no change exceeds 1, so that the scores may lie in [0, 1]."""
    return bool(np.all(np.abs(changes) <= 1.0))


def _joined(first: float, second: float, correlation: float) -> float:
    return sqrt(max(0.0, first**2 + second**2 - 2.0 * correlation * first * second))


def _correlation(gains: FloatArray, losses: FloatArray, codes: IntArray | None) -> float:
    """Return the correlation of the mean gain and the mean loss; 0 where one of them does not vary."""
    first, second = gains - gains.mean(), losses - losses.mean()
    if codes is not None:
        first, second = np.bincount(codes, weights=first), np.bincount(codes, weights=second)
    scale = sqrt(float((first**2).sum()) * float((second**2).sum()))
    return max(-1.0, min(1.0, float((first * second).sum()) / scale)) if scale > 0.0 else 0.0
