"""Comparison of two sets of decisions on the same cases by their agreement with people.

    kappa   (p_o - p_e) / (1 - p_e), Cohen's; the gain is kappa after - kappa before
    cost    mean over cases of the cost of the error made, 0 where there is none; the gain is cost before - cost after

A gain is proven if its paired bootstrap interval lies above 0 and a test that swaps the two decisions of a case, or of
a cluster of cases, at random confirms it: with five changed cases, all for the better, a bootstrap alone would claim
too much. Both keep pairs together.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ragstone.stats._arrays import BoolArray, FloatArray, IntArray, Numbers, cluster_codes, labels01
from ragstone.stats._checks import same_length
from ragstone.stats.calibrate import best_cut
from ragstone.stats.estimate import Estimate, bca_bounds
from ragstone.stats.interval import Interval

_MAX_P_VALUE = 0.05
_RANDOM_SWAP_COUNT = 4999
_MAX_UNITS_FOR_EXACT = 12


@dataclass(frozen=True, slots=True)
class ErrorCosts:
    """Cost of each kind of error, in any unit.

    Attributes:
        false_pass: The judge says yes where people say no.
        false_fail: The judge says no where people say yes.
    """

    false_pass: float = 1.0
    false_fail: float = 1.0


@dataclass(frozen=True, slots=True)
class DecisionGain:
    """Gain of a second set of decisions over the first.

    Attributes:
        measure: `kappa`, or `cost` where errors were given costs.
        before: The measure of the first decisions.
        after: The measure of the other decisions.
        difference: The gain with its interval, positive where the other decisions are better.
        p_value: Two-sided p-value of no gain, by swapping.
        changed: Number of cases with a different decision.
        n: Number of cases.
    """

    measure: str
    before: float
    after: float
    difference: Estimate
    p_value: float
    changed: int
    n: int

    @property
    def proven(self) -> bool:
        """Whether chance does not explain the gain."""
        value, interval = self.difference.value, self.difference.interval
        # Where every resample gains the same, the test decides.
        low = value if interval is None else interval.low
        return low is not None and low > 0.0 and self.p_value <= _MAX_P_VALUE


def compare_decisions(
    labels: Numbers,
    before: Numbers,
    after: Numbers,
    *,
    clusters: Sequence[Hashable] | None = None,
    costs: ErrorCosts | None = None,
    level: float = 0.95,
    seed: int = 0,
    resamples: int = 2000,
) -> DecisionGain:
    """Compare two sets of decisions with people's labels.

    Args:
        labels: 1 (or True) where people say yes.
        before: The first decisions, likewise.
        after: The other decisions.
        clusters: For each case the group it belongs to.
        costs: Costs of errors; without them Cohen's kappa is compared.
        level: Nominal coverage of the interval.
        seed: For the bootstrap and the test.
        resamples: Bootstrap resamples.

    Raises:
        ValueError: Lengths differ, there is no case, or an entry is neither 0 nor 1.
    """
    if not same_length(labels=labels, before=before, after=after):
        raise ValueError("there is no labelled case to compare decisions on")
    columns = {"labels": labels, "before": before, "after": after}
    truth, first, second = (labels01(column, name) == 1.0 for name, column in columns.items())
    merit = Merit(costs)
    codes = cluster_codes(clusters, truth.size)
    units: IntArray = np.arange(truth.size, dtype=np.intp) if codes is None else codes
    counts = _UnitSums(
        *(
            np.bincount(units, column).astype(np.float64)
            for column in (np.ones(truth.size), truth, truth & first, first, truth & second, second)
        )
    )
    sign = 1.0 if costs is None else -1.0
    return DecisionGain(
        measure="kappa" if costs is None else "cost",
        before=sign * merit.of(truth, first),
        after=sign * merit.of(truth, second),
        difference=_gain_estimate(counts, merit, level, np.random.default_rng(seed), resamples),
        p_value=_swap_p_value(counts, merit, np.random.default_rng(seed)),
        changed=int((first != second).sum()),
        n=int(truth.size),
    )


@dataclass(frozen=True, slots=True)
class Merit:
    """Quality of decisions, where higher is better: Cohen's kappa, or minus the mean cost of their errors.

    Attributes:
        costs: Costs of errors; None for kappa.
    """

    costs: ErrorCosts | None = None

    def of(self, truth: BoolArray, decided: BoolArray) -> float:
        """Return the merit of decisions, NaN for kappa where chance alone explains everything."""
        sums = (truth.size, truth.sum(), (truth & decided).sum(), decided.sum())
        return float(self.of_counts(*(np.array([value], dtype=np.float64) for value in sums))[0])

    def of_counts(self, n: FloatArray, yes: FloatArray, both: FloatArray, said: FloatArray) -> FloatArray:
        """Return the merit of sets of decisions, from the cases, people's yes, yes in both and yes decisions."""
        if self.costs is not None:
            return -(self.costs.false_pass * (said - both) + self.costs.false_fail * (yes - both)) / n
        agreed = (n - yes - said + 2.0 * both) / n
        chance = (yes * said + (n - yes) * (n - said)) / n**2
        room = 1.0 - chance
        return np.where(room > 0.0, (agreed - chance) / np.where(room > 0.0, room, 1.0), np.nan)

    def best_cut(self, truth: BoolArray, scores: FloatArray) -> float:
        """Return the threshold of the highest merit; see `calibrate.best_cut`."""

        def quality(both: IntArray, said: IntArray) -> FloatArray:
            sums = np.full(both.size, scores.size), np.full(both.size, truth.sum()), both, said
            return np.nan_to_num(self.of_counts(*(column.astype(np.float64) for column in sums)), nan=0.0)

        return best_cut(truth, scores, quality)


class _UnitSums(NamedTuple):
    """Sums over the cases of each unit, a case or a cluster, from which the merit of decisions is computed."""

    n: FloatArray
    yes: FloatArray
    both_before: FloatArray
    said_before: FloatArray
    both_after: FloatArray
    said_after: FloatArray

    def gain(self, score: Merit) -> FloatArray:
        """Return the gain in each of several data sets with these sums."""
        after = score.of_counts(self.n, self.yes, self.both_after, self.said_after)
        return after - score.of_counts(self.n, self.yes, self.both_before, self.said_before)


def _gain_estimate(
    counts: _UnitSums, merit: Merit, level: float, rng: np.random.Generator, resamples: int
) -> Estimate:
    """Return the gain with its BCa interval over units."""
    units = counts.n.size
    totals = np.array(counts).sum(axis=1)
    value = float(_UnitSums(*totals[:, np.newaxis]).gain(merit)[0])
    if not np.isfinite(value):
        return Estimate(None, None)
    unit_draws = rng.multinomial(units, np.full(units, 1.0 / units), resamples)
    draws = _UnitSums(*(unit_draws @ column for column in counts)).gain(merit)
    left_out = _UnitSums(
        *(column_total - column for column_total, column in zip(totals, counts, strict=True))
    ).gain(merit)
    interval = Interval(*bca_bounds(draws, value, left_out, level), level, "bca", int(totals[0]), units)
    return Estimate(value, interval if interval.width > 0.0 else None)


def _swap_p_value(counts: _UnitSums, merit: Merit, rng: np.random.Generator) -> float:
    """Return the share of swaps of the two decisions, unit by unit, that change the merit as much."""
    both_change, said_change = counts.both_after - counts.both_before, counts.said_after - counts.said_before
    is_changed = (both_change != 0.0) | (said_change != 0.0)
    both_change, said_change = both_change[is_changed], said_change[is_changed]
    if not both_change.size:
        return 1.0
    exact = both_change.size <= _MAX_UNITS_FOR_EXACT
    if exact:
        patterns = np.arange(2**both_change.size, dtype=np.int64)
        bits = np.arange(both_change.size, dtype=np.int64)
        keep_mask = 1.0 - np.right_shift.outer(patterns, bits) % 2
    else:
        keep_mask = rng.integers(0, 2, (_RANDOM_SWAP_COUNT, both_change.size)).astype(np.float64)
    n, yes, both, said = (float(column.sum()) for column in counts[:4])

    def absolute_gain(keep_mask: FloatArray) -> FloatArray:
        swap_mask, ones = 1.0 - keep_mask, np.ones(len(keep_mask))
        swapped = _UnitSums(
            n * ones,
            yes * ones,
            both + swap_mask @ both_change,
            said + swap_mask @ said_change,
            both + keep_mask @ both_change,
            said + keep_mask @ said_change,
        )
        return np.abs(np.nan_to_num(swapped.gain(merit), nan=0.0))

    observed = absolute_gain(np.ones((1, both_change.size)))[0]
    reached_count = int((absolute_gain(keep_mask) >= observed - 1e-12).sum())
    return reached_count / len(keep_mask) if exact else (1 + reached_count) / (_RANDOM_SWAP_COUNT + 1)
