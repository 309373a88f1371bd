"""The change of pass and fail between two runs over the same cases."""

from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from ragstone.stats._arrays import BoolArray, IntArray
from ragstone.stats._mean_change import MeanChange, claimed_direction
from ragstone.stats.interval import Interval


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
    def verdict(self) -> Literal["rose", "fell", "no change shown"]:
        """The claim that the data allow."""
        claimed = claimed_direction(self.adjusted_p, self.change.direction, 1.0 - self.level)
        return "rose" if claimed > 0 else "fell" if claimed < 0 else "no change shown"


def pass_change(
    surely: tuple[BoolArray, BoolArray],
    possibly: tuple[BoolArray, BoolArray],
    codes: IntArray | None,
    *,
    level: float,
    seed: int,
    resamples: int,
) -> PassChange:
    """Return the change of pass and fail.

    Args:
        surely: Whether each case surely passes, before and after.
        possibly: Whether it may pass; the same arrays where every case is decided.
        codes: Group of each case.
        level: Nominal coverage.
        seed: For the random sign patterns.
        resamples: How many of them.
    """
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
