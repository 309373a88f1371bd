"""Comparison of two runs over the same cases, case by case.

Pairing removes the variation in difficulty between cases, so it finds differences that two separate means hide. The
effect is the mean of the per-case differences.

One interval decides. It contains every difference that the data do not rule out: it starts from the score interval of
`interval.py` on [-1, 1], at a level that holds for all metrics tested together (Bonferroni: 1 - 0.05/m), and is
extended to 0 where the sign-flip test (`significance.py`, corrected by Holm) does not rule out 0. So a difference is
claimed exactly where the interval shown excludes 0, and the sentence, the colour and the exit code follow from it. The
interval of each metric alone, without the correction, is kept as a detail. Where no difference is claimed, the smallest
difference that this dataset could have shown is stated: no difference shown is not equality.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field, replace
from math import sqrt
from typing import Literal

import numpy as np

from ragstone.stats._arrays import BoolArray, Clusters, FloatArray, IntArray, cluster_codes, finite
from ragstone.stats._sample import same_length
from ragstone.stats._sentence import comparison_sentence
from ragstone.stats._spread import spread
from ragstone.stats.interval import Interval, mean_interval, variance_share
from ragstone.stats.power import cases_needed, detectable_difference
from ragstone.stats.significance import RESAMPLES, holm, mcnemar_p_value, sign_flip_p_value

_TIE_TOLERANCE = 1e-9


@dataclass(frozen=True, slots=True)
class PassChange:
    """Change of pass and fail between two runs over the same cases.

    Attributes:
        before: Pass rate before, over the cases both runs measured.
        after: Pass rate after.
        broke: Cases that passed before and fail now.
        mended: Cases that failed before and pass now.
        interval: For `after - before`, in [-1, 1].
        p_value: McNemar's exact test.
        mid_p: McNemar's mid-p test, less cautious.
    """

    before: float
    after: float
    broke: int
    mended: int
    interval: Interval
    p_value: float
    mid_p: float


@dataclass(frozen=True, slots=True)
class Comparison:
    """One metric in two runs over the same cases.

    Attributes:
        metric: Its name, as shown.
        n: Cases that both runs scored; everything below rests on these.
        unpaired: Cases that only one of the runs, or neither, could score.
        before: Mean score before, None where n = 0.
        after: Mean score after, None where n = 0.
        difference: after - before, in the units of the score; None where n = 0.
        interval: For the difference: the one that decides. It covers all differences tested together at `level`, and
            contains 0 exactly where no difference is claimed.
        single_interval: The same for this metric alone, without any correction.
        p_value: Of the sign-flip permutation test of no difference.
        adjusted_p: The same after correction for the metrics tested together (Holm).
        tested: How many differences are tested together.
        level: Coverage of the intervals of all differences together.
        better: Cases that improved (in the direction that is better for this metric).
        worse: Cases that got worse.
        same: Cases that stayed equal, to 1e-9.
        detectable: Smallest difference this dataset shows with a probability of 80 %; None where n = 0.
        deviation: Standard deviation of the per-case differences as `detectable` uses it, clusters counted.
        higher_is_better: Direction of the metric.
        passes: The change of pass and fail, None where it was not given or nothing is paired.
        sample: The paired scores, from which intervals at another level are computed.
    """

    metric: str
    n: int
    unpaired: int
    before: float | None
    after: float | None
    difference: float | None
    interval: Interval
    single_interval: Interval
    p_value: float
    adjusted_p: float
    tested: int
    level: float
    better: int
    worse: int
    same: int
    detectable: float | None
    deviation: float | None
    higher_is_better: bool
    passes: PassChange | None
    sample: "_PairedSample" = field(repr=False, compare=False)

    @property
    def verdict(self) -> Literal["better", "worse", "no difference shown"]:
        """The claim that the data allow: a difference exactly where the interval excludes 0."""
        if self.difference is None or 0.0 in self.interval:
            return "no difference shown"
        return "better" if (self.difference > 0.0) == self.higher_is_better else "worse"

    @property
    def regressed(self) -> bool:
        """Whether the metric got worse, beyond chance."""
        return self.verdict == "worse"

    def cases_needed(self, difference: float) -> int | None:
        """Return the number of such cases that show a true `difference` in 80 % of datasets; None where n = 0."""
        if self.deviation is None:
            return None
        return cases_needed(difference, self.deviation, level=_level_of_each(self.level, self.tested))

    def sentence(self) -> str:
        """Return the comparison in one sentence, for readers who do not know p-values."""
        return comparison_sentence(self)


@dataclass(frozen=True, slots=True, eq=False)
class _PairedSample:
    """The differences of the paired cases, from which intervals at other levels are computed."""

    changes: FloatArray
    clusters: IntArray | None
    seed: int
    method: Literal["auto", "bca", "percentile"]

    def interval(self, level: float) -> Interval:
        """Return the interval of the mean difference.

        Args:
            level: the confidence level, in (0, 1).
        """
        return mean_interval(
            self.changes,
            self.clusters,
            level,
            self.seed,
            method=self.method,
            bounds=_difference_bounds(self.changes),
        )


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
    method: Literal["auto", "bca", "percentile"] = "auto",
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
        seed: For the permutations and bootstraps.
        resamples: Sign patterns drawn where there are too many to count.
        method: `auto`, or the paired bootstrap (`bca`, `percentile`) for the interval.

    Raises:
        ValueError: Lengths differ, a score is NaN or infinite, or pass decisions are missing.
    """
    same_length(before=before, after=after, **({} if clusters is None else {"clusters": clusters}))
    paired = [
        i
        for i, (old, new) in enumerate(zip(before, after, strict=True))
        if old is not None and new is not None
    ]
    return compare_paired(
        _paired_scores(before, paired, "before"),
        _paired_scores(after, paired, "after"),
        metric=metric,
        higher_is_better=higher_is_better,
        passes=_paired_passes(passes_before, passes_after, paired),
        clusters=None if clusters is None else [clusters[i] for i in paired],
        unpaired=len(before) - len(paired),
        level=level,
        seed=seed,
        resamples=resamples,
        method=method,
    )


def compare_paired(
    before: FloatArray,
    after: FloatArray,
    *,
    metric: str = "score",
    higher_is_better: bool = True,
    passes: tuple[BoolArray, BoolArray] | None = None,
    clusters: Clusters | None = None,
    unpaired: int = 0,
    level: float = 0.95,
    seed: int = 0,
    resamples: int = RESAMPLES,
    method: Literal["auto", "bca", "percentile"] = "auto",
) -> Comparison:
    """Compare one metric on the cases that both runs scored.

    Args:
        before: Scores of the older run, shape (cases,), all finite.
        after: Scores of the newer run, of the same shape.
        metric: Name for the sentence.
        higher_is_better: False for metrics such as hallucination.
        passes: Whether each case passed, before and after; of the same shape.
        clusters: For each case the group it belongs to.
        unpaired: How many cases were left out.
        level: Nominal coverage; differences are claimed at 1 - level.
        seed: For the permutations and bootstraps.
        resamples: Sign patterns drawn where there are too many to count.
        method: As for `compare_runs`.
    """
    change = after - before
    groups = cluster_codes(clusters, change.size)
    sample = _PairedSample(change, groups, seed, method)
    interval = sample.interval(level)
    p_value = sign_flip_p_value(change, groups, seed=seed, resamples=resamples)
    standard_error = _standard_error(change, groups)
    towards_better = change if higher_is_better else -change
    return Comparison(
        metric=metric,
        n=change.size,
        unpaired=unpaired,
        before=_mean_or_none(before),
        after=_mean_or_none(after),
        difference=_mean_or_none(change),
        interval=_deciding_interval(interval, _mean_or_none(change), p_value, level),
        single_interval=interval,
        p_value=p_value,
        adjusted_p=p_value,
        tested=1,
        level=level,
        better=int(np.count_nonzero(towards_better > _TIE_TOLERANCE)),
        worse=int(np.count_nonzero(towards_better < -_TIE_TOLERANCE)),
        same=int(np.count_nonzero(np.abs(change) <= _TIE_TOLERANCE)),
        detectable=None if standard_error is None else detectable_difference(standard_error, level=level),
        deviation=None if standard_error is None else standard_error * sqrt(change.size),
        higher_is_better=higher_is_better,
        passes=None if passes is None or not change.size else _pass_change(*passes, groups, level),
        sample=sample,
    )


def correct_for_multiple(comparisons: Sequence[Comparison]) -> list[Comparison]:
    """Return the comparisons with p-values (Holm) and intervals (Bonferroni) that hold for all of them together."""
    measured = [comparison for comparison in comparisons if comparison.n]
    adjusted = iter(holm([comparison.p_value for comparison in measured]))
    return [
        _corrected_comparison(each, next(adjusted), len(measured)) if each.n else each for each in comparisons
    ]


def _corrected_comparison(comparison: Comparison, adjusted_p: float, tested: int) -> Comparison:
    level = _level_of_each(comparison.level, tested)
    interval = comparison.single_interval if tested == 1 else comparison.sample.interval(level)
    detectable = comparison.detectable
    if comparison.deviation is not None:
        detectable = detectable_difference(comparison.deviation / sqrt(comparison.n), level=level)
    return replace(
        comparison,
        interval=_deciding_interval(interval, comparison.difference, adjusted_p, comparison.level),
        adjusted_p=adjusted_p,
        tested=tested,
        detectable=detectable,
    )


def _level_of_each(level: float, tested: int) -> float:
    """Return the coverage that each of several intervals needs for all of them together to have `level`."""
    return 1.0 - (1.0 - level) / max(1, tested)


def _deciding_interval(
    interval: Interval, difference: float | None, adjusted_p: float, level: float
) -> Interval:
    """Return the interval, extended to 0 where the test does not rule 0 out."""
    included = [] if difference is None else [difference]  # a bootstrap interval may miss it by a rounding
    if adjusted_p > 1.0 - level + _TIE_TOLERANCE:
        included.append(0.0)
    return replace(
        interval,
        low=min(interval.low, *included, interval.high),
        high=max(interval.high, *included, interval.low),
    )


def _paired_scores(scores: Sequence[float | None], paired: Sequence[int], name: str) -> FloatArray:
    values = [score for i in paired if (score := scores[i]) is not None]
    return finite(values, f"{name} (paired cases)")


def _mean_or_none(array: FloatArray) -> float | None:
    return float(array.mean()) if array.size else None


def _difference_bounds(change: FloatArray) -> tuple[float, float] | None:
    return (-1.0, 1.0) if bool(np.all(np.abs(change) <= 1.0)) else None


def _standard_error(change: FloatArray, codes: IntArray | None) -> float | None:
    """Return the standard error of the mean difference; where nothing changed, of one unseen change."""
    if change.size == 0 or (change.size == 1 and _difference_bounds(change) is None):
        return None
    if change.size == 1:
        return 1.0
    change_spread = spread(change, codes)
    if change_spread.variance > 0.0 or _difference_bounds(change) is None:
        return sqrt(change_spread.variance)
    share = variance_share(change_spread.moved(-1.0, 2.0), varied=False, at_an_end=abs(change[0]) == 1.0)
    return sqrt(share * (1.0 - change_spread.mean**2))


def _paired_passes(
    before: Sequence[bool | None] | None, after: Sequence[bool | None] | None, paired: Sequence[int]
) -> tuple[BoolArray, BoolArray] | None:
    """Return the decisions on the paired cases."""
    if before is None or after is None:
        if before is not after:
            raise ValueError("only one of passes_before and passes_after was given; give both or neither")
        return None
    same_length(passes_before=before, passes_after=after)
    for name, passes in (("passes_before", before), ("passes_after", after)):
        missing = next((i for i in paired if passes[i] is None), None)
        if missing is not None:
            raise ValueError(
                f"{name}[{missing}] is None although both scores are numbers; give True or False"
            )
    return np.array([before[i] for i in paired], dtype=bool), np.array([after[i] for i in paired], dtype=bool)


def _pass_change(old: BoolArray, new: BoolArray, codes: IntArray | None, level: float) -> PassChange:
    broke, mended = int(np.count_nonzero(old & ~new)), int(np.count_nonzero(~old & new))
    return PassChange(
        before=float(old.mean()),
        after=float(new.mean()),
        broke=broke,
        mended=mended,
        interval=mean_interval(new.astype(float) - old, codes, level, bounds=(-1.0, 1.0)),
        p_value=mcnemar_p_value(mended, broke),
        mid_p=mcnemar_p_value(mended, broke, "mid_p"),
    )
