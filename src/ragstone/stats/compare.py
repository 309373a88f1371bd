"""Comparison of two runs over the same cases, case by case.

Pairing removes the variation in difficulty between cases, so it finds differences that two separate means hide. The
effect is the mean of the per-case differences.

The sign-flip test decides (`significance.py`, corrected by Holm for all metrics tested together), and everything that
is shown follows from it. The interval (`changes.py`, at a level that holds for all metrics together, Bonferroni's
1 - 0.05/m) contains 0 exactly where no difference is claimed: it is extended to 0, or ends next to it, where the test
says otherwise. The interval of each metric alone, without the correction, is kept as a detail. Where no difference is
claimed, the smallest difference that this dataset shows is stated (`power.py`): no difference shown is not equality. A
dataset of few independent cases cannot show any; then that is stated.

A score that is known only to lie between two bounds is compared twice, by its least and by its greatest possible value.
A difference is claimed only if both claim it in the same direction (`changes.py`); if one of them does, the
comparison depends on what is undecided.
"""

from collections.abc import Hashable, Sequence
from typing import NamedTuple, Self

import numpy as np

from ragstone.stats._arrays import BoolArray, Clusters, FloatArray, cluster_codes, finite
from ragstone.stats._checks import same_length
from ragstone.stats.changes import (
    ChangeFigures,
    MeanChange,
    PassChange,
    change_figures,
    claimed_direction,
    pass_change,
    within_unit,
)
from ragstone.stats.comparison_figures import Comparison, ComparisonVerdict
from ragstone.stats.power import detectable_difference, least_units
from ragstone.stats.significance import RESAMPLES

_TIE_TOLERANCE = 1e-9


class PairedScores(NamedTuple):
    """The scores of one run on the compared cases.

    Attributes:
        low: Least possible score of each case, shape (cases,).
        high: Greatest possible score; the same array where every score is decided.
        passes: Whether each case surely passes; None where there are no pass decisions.
        may_pass: Whether it may pass.
    """

    low: FloatArray
    high: FloatArray
    passes: BoolArray | None = None
    may_pass: BoolArray | None = None

    @classmethod
    def decided(cls, scores: FloatArray, passes: BoolArray | None = None) -> Self:
        """Return scores of which each is known."""
        return cls(scores, scores, passes, passes)


def compare_runs(
    before: Sequence[float | None],
    after: Sequence[float | None],
    *,
    metric: str = "score",
    higher_is_better: bool = True,
    passes_before: Sequence[bool | None] | None = None,
    passes_after: Sequence[bool | None] | None = None,
    clusters: Sequence[Hashable] | None = None,
    level: float = 0.95,
    seed: int = 0,
    resamples: int = RESAMPLES,
) -> Comparison:
    """Compare one metric in two runs, entry i of each being the same case.

    Args:
        before: Scores of the older run; None where it could not be measured.
        after: Scores of the newer run, in the same order.
        metric: Name for the sentence.
        higher_is_better: False for metrics such as hallucination.
        passes_before: Whether each case passed; used where the case has both scores. Give both or neither.
        passes_after: The same for the newer run.
        clusters: For each case the group it belongs to.
        level: Nominal coverage; differences are claimed at 1 - level.
        seed: For the permutations.
        resamples: Sign patterns drawn where there are too many to count.

    Raises:
        ValueError: Lengths differ, a score is NaN or infinite, or pass decisions are missing.
    """
    same_length(before=before, after=after, **({} if clusters is None else {"clusters": clusters}))
    pairs = enumerate(zip(before, after, strict=True))
    paired = [place for place, (old, new) in pairs if old is not None and new is not None]
    old_passes, new_passes = _paired_passes(passes_before, passes_after, paired)
    return compare_paired(
        PairedScores.decided(_paired_scores(before, paired, "before"), old_passes),
        PairedScores.decided(_paired_scores(after, paired, "after"), new_passes),
        metric=metric,
        higher_is_better=higher_is_better,
        clusters=None if clusters is None else [clusters[i] for i in paired],
        unpaired=len(before) - len(paired),
        level=level,
        seed=seed,
        resamples=resamples,
    )


def compare_paired(
    before: PairedScores,
    after: PairedScores,
    *,
    metric: str = "score",
    higher_is_better: bool = True,
    clusters: Clusters | None = None,
    unpaired: int = 0,
    level: float = 0.95,
    seed: int = 0,
    resamples: int = RESAMPLES,
) -> Comparison:
    """Compare one metric on the cases that both runs have, some of whose scores may be known only by their bounds.

    The scores are finite; `unpaired` cases were left out. The other arguments are those of `compare_runs`.
    """
    codes = cluster_codes(clusters, before.low.size)
    change = MeanChange.tested_by(
        after.low - before.low, after.high - before.high, codes, seed=seed, resamples=resamples
    )
    passes = _pass_change(before, after, change, level=level, seed=seed, resamples=resamples)
    better, worse = _surely_changed(before, after, higher_is_better=higher_is_better)
    is_decided = (before.low == before.high) & (after.low == after.high)
    single = change.interval(level)
    power = change_figures(change.lows, codes)
    p_value = change.p_value
    return Comparison(
        metric=metric,
        n=change.lows.size,
        unpaired=unpaired,
        undecided=int(np.count_nonzero(~is_decided)),
        before=_mean_or_none(before.low),
        after=_mean_or_none(after.low),
        difference=_mean_or_none(change.lows),
        before_high=_mean_or_none(before.high),
        after_high=_mean_or_none(after.high),
        difference_high=_mean_or_none(change.highs),
        interval=change.deciding_interval(level, p_value, 1.0 - level),
        single_interval=single,
        p_value=p_value,
        adjusted_p=p_value,
        tested=1,
        level=level,
        better=better,
        worse=worse,
        same=int(np.count_nonzero(is_decided & (np.abs(change.lows) <= _TIE_TOLERANCE))),
        can_show=single.units >= least_units(level),
        detectable=detectable_by(change, power, single.units, level),
        power=power,
        higher_is_better=higher_is_better,
        passes=passes,
        verdict=verdict_of(change, p_value, (change.low_p, change.high_p), 1.0 - level, higher_is_better),
        change=change,
    )


def verdict_of(
    change: MeanChange,
    adjusted_p: float,
    side_p: tuple[float, float],
    error: float,
    higher_is_better: bool,  # noqa: FBT001
) -> ComparisonVerdict:
    """Return what the tests claim, at the error level of all tests together.

    `side_p` are the corrected p-values of the least and of the greatest possible scores.
    """
    if not change.lows.size:
        return "no difference shown"
    claimed = claimed_direction(adjusted_p, change.direction, error)
    if claimed:
        return "better" if (claimed > 0) == higher_is_better else "worse"
    claims = [bool(claimed_direction(p, 1, error)) for p in side_p]
    one_sided = not change.decided and any(claims) and not (all(claims) and change.direction)
    return "depends on the undecided" if one_sided else "no difference shown"


def detectable_by(change: MeanChange, power: ChangeFigures | None, units: int, level: float) -> float | None:
    """Return the smallest difference that such a dataset shows at the level of this test; None where none."""
    if power is None or units < least_units(level):
        return None
    found = detectable_difference(*power, change.lows.size, level=level)
    return found if found <= 1.0 or not within_unit(change.lows) else None


def _pass_change(
    before: PairedScores, after: PairedScores, change: MeanChange, *, level: float, seed: int, resamples: int
) -> PassChange | None:
    if before.passes is None or after.passes is None or not change.lows.size:
        return None
    old = before.passes if before.may_pass is None else before.may_pass
    new = after.passes if after.may_pass is None else after.may_pass
    surely = before.passes, after.passes
    return pass_change(surely, (old, new), change.codes, level=level, seed=seed, resamples=resamples)


def _surely_changed(before: PairedScores, after: PairedScores, *, higher_is_better: bool) -> tuple[int, int]:
    rose = int(np.count_nonzero(after.low - before.high > _TIE_TOLERANCE))
    fell = int(np.count_nonzero(before.low - after.high > _TIE_TOLERANCE))
    return (rose, fell) if higher_is_better else (fell, rose)


def _paired_scores(scores: Sequence[float | None], paired: Sequence[int], name: str) -> FloatArray:
    values = [score for i in paired if (score := scores[i]) is not None]
    return finite(values, f"{name} (paired cases)")


def _mean_or_none(array: FloatArray) -> float | None:
    return float(array.mean()) if array.size else None


def _paired_passes(
    before: Sequence[bool | None] | None, after: Sequence[bool | None] | None, paired: Sequence[int]
) -> tuple[BoolArray | None, BoolArray | None]:
    """Return the decisions on the paired cases."""
    if before is None or after is None:
        if before is not after:
            raise ValueError("only one of passes_before and passes_after was given; give both or neither")
        return None, None
    same_length(passes_before=before, passes_after=after)
    for name, passes in (("passes_before", before), ("passes_after", after)):
        missing = next((i for i in paired if passes[i] is None), None)
        if missing is not None:
            raise ValueError(
                f"{name}[{missing}] is None although both scores are numbers; give True or False"
            )
    return np.array([before[i] for i in paired], dtype=bool), np.array([after[i] for i in paired], dtype=bool)
