"""Comparison of the labels of two runs over the same cases: did their shares change, and which?

One test for all labels of a metric decides whether they changed (`marginal_homogeneity.py`). Where it claims a change,
each label's share is tested like a mean (`changes.py`), corrected by Holm for the labels of the metric and by
Bonferroni for the metrics; its interval holds with all the others. So no label is named unless the labels changed.

A case whose label is undecided in a run, or that was not measured in the later one, may have any label. The test is
made once for each category, with all such labels being that one in both runs, and the largest p-value counts: as for
scores, where what is undecided counts once against both runs and once for both. Two categories give the same rule.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from ragstone.stats._arrays import Clusters, IntArray, cluster_codes
from ragstone.stats._checks import check_categories, same_length
from ragstone.stats.changes import Claim, MeanChange, claimed_direction
from ragstone.stats.interval import Interval
from ragstone.stats.marginal_homogeneity import HomogeneityTest, stuart_maxwell
from ragstone.stats.power import least_units, level_of_each
from ragstone.stats.shares import level_of_each_share
from ragstone.stats.significance import RESAMPLES, holm

LabelVerdict = Literal["changed", "no change shown", "depends on the undecided"]
_TWO = 2


@dataclass(frozen=True, slots=True)
class ShareChange:
    """One label in two runs.

    Attributes:
        label: The label.
        before: Its share before, from that of the cases which have it to that of those which may have it.
        after: Its share after.
        difference: Change of the share; least and greatest where labels are undecided.
        interval: For the change: all labels of all metrics tested together hold at once. It contains 0 exactly where no
            change is claimed.
        adjusted_p: p-value, corrected for the labels and the metrics.
        verdict: The claim.
        change: The changes of the cases, from which intervals at another level are computed.
    """

    label: str
    before: tuple[float, float]
    after: tuple[float, float]
    difference: tuple[float, float]
    interval: Interval
    adjusted_p: float
    verdict: Claim
    change: MeanChange


@dataclass(frozen=True, slots=True)
class LabelChange:
    """The labels of one metric in two runs over the same cases.

    Attributes:
        n: Compared cases.
        unpaired: Cases that were left out.
        undecided: Compared cases without a label in one of the runs.
        moved: Cases whose label is another one after.
        categories: All labels, in the metric's order.
        table: Number of cases of each label before (rows) and after (columns), without the undecided.
        test: The Stuart-Maxwell test; where labels are undecided, with those that count least for a change.
        p_value: Its p-value.
        adjusted_p: The same after correction for the metrics tested together (Holm); it decides.
        tested: How many metrics with labels are tested together.
        level: Coverage of the intervals of all labels of all metrics together.
        can_show: Whether so few independent cases can show any change.
        verdict: The claim that the data allow.
        shares: Each label.
        sides: Least and largest p-value over what the undecided labels may be.
    """

    n: int
    unpaired: int
    undecided: int
    moved: int
    categories: tuple[str, ...]
    table: tuple[tuple[int, ...], ...]
    test: HomogeneityTest
    p_value: float
    adjusted_p: float
    tested: int
    level: float
    can_show: bool
    verdict: LabelVerdict
    shares: tuple[ShareChange, ...]
    sides: tuple[float, float]

    @property
    def moves(self) -> list[tuple[str, str, int]]:
        """Label before, label after and number of cases, of the cases that moved; the most frequent first."""
        found = [
            (self.categories[row], self.categories[column], count)
            for row, counts in enumerate(self.table)
            for column, count in enumerate(counts)
            if count and row != column
        ]
        return sorted(found, key=lambda move: -move[2])


def compare_labels(
    before: Sequence[str | None],
    after: Sequence[str | None],
    categories: Sequence[str],
    *,
    clusters: Clusters | None = None,
    unpaired: int = 0,
    level: float = 0.95,
    seed: int = 0,
    resamples: int = RESAMPLES,
) -> LabelChange:
    """Compare the labels of one metric in two runs, entry i of each being the same case.

    Args:
        before: Label of each case in the older run; None where it is undecided.
        after: The same for the newer run; None also where it was not measured.
        categories: All possible labels.
        clusters: For each case the group it belongs to.
        unpaired: How many cases were left out.
        level: Nominal coverage; changes are claimed at 1 - level.
        seed: For the permutations.
        resamples: Permutations drawn where there are too many to count.

    Raises:
        ValueError: Lengths differ, or a label is not a category.
    """
    same_length(before=before, after=after)
    old, new = _places(before, categories), _places(after, categories)
    codes = cluster_codes(clusters, old.size)
    options: dict[str, int] = {"seed": seed, "resamples": resamples}
    is_open = (old < 0) | (new < 0)
    fillings = range(len(categories)) if bool(is_open.any()) else (0,)
    tests = [
        stuart_maxwell(
            np.where(old < 0, fill, old), np.where(new < 0, fill, new), len(categories), codes, **options
        )
        for fill in fillings
    ]
    test = max(tests, key=lambda each: each.p_value)
    counts = Counter(zip(old[~is_open].tolist(), new[~is_open].tolist(), strict=True))
    everything = range(len(categories))
    units = old.size if codes is None else int(codes.max(initial=-1)) + 1
    found = LabelChange(
        n=old.size,
        unpaired=unpaired,
        undecided=int(np.count_nonzero(is_open)),
        moved=sum(count for (was, now), count in counts.items() if was != now),
        categories=tuple(categories),
        table=tuple(tuple(counts[row, column] for column in everything) for row in everything),
        test=test,
        p_value=test.p_value,
        adjusted_p=test.p_value,
        tested=1,
        level=level,
        can_show=units >= least_units(level),
        verdict="no change shown",
        shares=tuple(
            _share_change(label, place, old, new, codes, **options) for place, label in enumerate(categories)
        ),
        sides=(min(each.p_value for each in tests), test.p_value),
    )
    return _judged(found, test.p_value, 1, units)


def correct_labels(found: Sequence[LabelChange]) -> list[LabelChange]:
    """Return the comparisons with p-values (Holm) and intervals (Bonferroni) that hold for all metrics together."""
    measured = [each for each in found if each.n]
    adjusted = iter(holm([each.p_value for each in measured]))
    return [
        _judged(each, next(adjusted), len(measured), each.shares[0].interval.units) if each.n else each
        for each in found
    ]


def _judged(found: LabelChange, adjusted_p: float, tested: int, units: int) -> LabelChange:
    """Return a comparison with the claims that its corrected p-value allows."""
    error = 1.0 - found.level
    claimed = bool(found.n) and claimed_direction(adjusted_p, 1, error) > 0
    depends = not claimed and found.undecided > 0 and claimed_direction(tested * found.sides[0], 1, error) > 0
    p_values = [share.change.p_value for share in found.shares]
    within = p_values if len(found.shares) <= _TWO else holm(p_values)
    return replace(
        found,
        adjusted_p=adjusted_p,
        tested=tested,
        can_show=claimed or units >= least_units(level_of_each(found.level, tested)),
        verdict="changed" if claimed else "depends on the undecided" if depends else "no change shown",
        shares=tuple(
            _judged_share(share, max(adjusted_p, min(1.0, tested * p)), found, tested)
            for share, p in zip(found.shares, within, strict=True)
        ),
    )


def _judged_share(share: ShareChange, adjusted_p: float, found: LabelChange, tested: int) -> ShareChange:
    level = level_of_each_share(level_of_each(found.level, tested), len(found.categories))
    error = 1.0 - found.level
    interval = share.change.deciding_interval(level, adjusted_p, error)
    verdict = share.change.claim(adjusted_p, error)
    return replace(share, interval=interval, adjusted_p=adjusted_p, verdict=verdict)


def _share_change(
    label: str, place: int, old: IntArray, new: IntArray, codes: IntArray | None, *, seed: int, resamples: int
) -> ShareChange:
    surely = [(run == place).astype(np.float64) for run in (old, new)]
    possibly = [((run == place) | (run < 0)).astype(np.float64) for run in (old, new)]
    change = MeanChange.tested_by(
        surely[1] - surely[0], possibly[1] - possibly[0], codes, seed=seed, resamples=resamples
    )
    ends = [
        (float(least.mean()), float(most.mean())) if least.size else (0.0, 1.0)
        for least, most in zip(surely, possibly, strict=True)
    ]
    low, high = sorted((change.low, change.high)) if old.size else (0.0, 0.0)
    return ShareChange(
        label, ends[0], ends[1], (low, high), change.interval(0.95), 1.0, "no change shown", change
    )


def _places(labels: Sequence[str | None], categories: Sequence[str]) -> IntArray:
    check_categories(labels, (None, *categories))
    places: dict[str | None, int] = {None: -1, **{label: place for place, label in enumerate(categories)}}
    return np.array([places[label] for label in labels], dtype=np.intp)
