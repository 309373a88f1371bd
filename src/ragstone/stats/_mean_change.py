"""A mean change over paired cases that is tested: of scores, of pass and fail, or of the bounds of either."""

from dataclasses import dataclass, replace
from math import nextafter
from typing import Self

import numpy as np

from ragstone.stats._arrays import FloatArray, IntArray
from ragstone.stats._difference import difference_interval, within_unit
from ragstone.stats.interval import Interval
from ragstone.stats.significance import sign_flip_p_value

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
        low_p = sign_flip_p_value(lows, codes, seed=seed, resamples=resamples, method="auto")
        same = lows is highs or np.array_equal(lows, highs)
        high_p = (
            low_p if same else sign_flip_p_value(highs, codes, seed=seed, resamples=resamples, method="auto")
        )
        return cls(lows, lows if same else highs, codes, low_p, high_p)

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
        """1 if both means rose, -1 if both fell, otherwise 0."""
        return _sign(self.low) if _sign(self.low) == _sign(self.high) else 0

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

        Args:
            level: coverage of the interval.
            adjusted_p: p-value, corrected for all tests.
            error: error level of all tests together.
        """
        found = self.interval(level)
        claimed = claimed_direction(adjusted_p, self.direction if self.lows.size else 0, error)
        if claimed > 0:
            return replace(found, low=max(found.low, nextafter(0.0, 1.0)))
        if claimed < 0:
            return replace(found, high=min(found.high, nextafter(0.0, -1.0)))
        return replace(found, low=min(found.low, 0.0), high=max(found.high, 0.0))


def claimed_direction(adjusted_p: float, direction: int, error: float) -> int:
    """Return the direction of a change that the test claims; 0 where it claims none."""
    return direction if adjusted_p <= error + _ROUNDING else 0


def _sign(value: float) -> int:
    return (value > 0.0) - (value < 0.0)
