"""Four biases of a judge, measured from paired outcomes.

* Position bias: it prefers the answer shown first (or second), independent of the content.
* Verbosity bias: it prefers the longer of two answers that are equally good.
* Inconsistency: its answers differ when the same question is asked twice.
* Sensitivity to rewording: its answers differ when the same question is asked in other words.

Each is a plain number with an interval; rewording counts only beyond the change from asking twice. The
biases follow Zheng et al. 2023 (arXiv:2306.05685, section 3.3).
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

import numpy as np

from ragstone.stats._arrays import Numbers, finite
from ragstone.stats._checks import same_length
from ragstone.stats.interval import Interval, mean_interval, rate_interval
from ragstone.stats.significance import mcnemar_p_value, sign_flip_p_value

Choice = Literal["first", "second", "tie"]
_DEFAULT_THRESHOLD = 0.5
_MIN_REPEATS = 2


@dataclass(frozen=True, slots=True)
class PositionBias:
    """Effect of swapping two answers on a judge's choice.

    Attributes:
        n: Pairs shown in both orders.
        consistent: Share of them in which the same answer won both times (or both were ties).
        interval: For that share.
        first: Pairs in which the first place won both times.
        second: Pairs in which the second place won both times.
        preference: (first - second) / n, in [-1, 1]; above 0 the first place is favoured.
        preference_interval: For the preference.
        p_value: Exact test that neither place is favoured.
    """

    n: int
    consistent: float
    interval: Interval
    first: int
    second: int
    preference: float
    preference_interval: Interval
    p_value: float


@dataclass(frozen=True, slots=True)
class ScoreShift:
    """Effect of a change that should not matter on a judge's scores.

    Attributes:
        n: Cases scored both ways.
        mean: Mean change of the score; for padding, above 0 means that length is rewarded.
        interval: For the mean change.
        p_value: Sign-flip permutation test of no change.
        size: Mean absolute change.
        flipped: Share of cases that changed sides of the threshold.
        flipped_interval: For that share.
    """

    n: int
    mean: float
    interval: Interval
    p_value: float
    size: float
    flipped: float
    flipped_interval: Interval


@dataclass(frozen=True, slots=True)
class SelfConsistency:
    """Agreement of a judge with itself when the same question is asked again.

    Attributes:
        n: Cases asked at least twice.
        agreement: Mean over cases of the share of pairs of answers on the same side of the threshold.
        interval: For the agreement.
        size: Mean absolute difference of two answers to the same question.
        size_interval: For that difference.
    """

    n: int
    agreement: float
    interval: Interval
    size: float
    size_interval: Interval


@dataclass(frozen=True, slots=True)
class Rewording:
    """Effect of another wording on a judge, beside the effect of asking again.

    Attributes:
        shift: Change of the scores from the original wording to the other.
        noise: Mean absolute difference of two answers to the same wording; None where it was not measured.
        excess: Mean absolute change beyond that noise: the part of the change that is due to the wording.
        excess_interval: For the excess; None with `noise`.
    """

    shift: ScoreShift
    noise: float | None
    excess: float | None
    excess_interval: Interval | None


@dataclass(frozen=True, slots=True)
class JudgeCard:
    """All measurements of one judge; a part that was not tested is None.

    Attributes:
        judge: the judge's name.
        position: effect of the place of an answer on the choice between two.
        verbosity: effect on an answer's score of saying it twice.
        consistency: agreement of the judge with itself when asked again.
        rewording: effect of other words on a score, beyond the effect of asking again.
    """

    judge: str
    position: PositionBias | None = None
    verbosity: ScoreShift | None = None
    consistency: SelfConsistency | None = None
    rewording: Rewording | None = None


def position_bias(
    choices: Sequence[Choice], swapped: Sequence[Choice], *, level: float = 0.95
) -> PositionBias:
    """Compare a judge's choices between two answers with its choices when they change places.

    Args:
        choices: The place that won, per pair.
        swapped: The place that won when the same two answers were shown in the other order.
        level: Nominal coverage.

    Raises:
        ValueError: Lengths differ, there is no pair, or a choice is none of `first`, `second`, `tie`.
    """
    n = same_length(choices=choices, swapped=swapped)
    signs = {"first": 1, "second": -1, "tie": 0}
    for name, values in (("choices", choices), ("swapped", swapped)):
        invalid = next((i for i, choice in enumerate(values) if choice not in signs), None)
        if invalid is not None:
            raise ValueError(f"{name}[{invalid}] is {values[invalid]!r}; give 'first', 'second' or 'tie'")
    _checked_count(n, "pair")
    # The same place twice is +-2 (biased), the same answer twice is 0; one tie counts half.
    preferences = (
        np.array([signs[before] + signs[after] for before, after in zip(choices, swapped, strict=True)]) / 2.0
    )
    consistent = int(np.count_nonzero(preferences == 0.0))
    first, second = int(np.count_nonzero(preferences == 1.0)), int(np.count_nonzero(preferences == -1.0))
    return PositionBias(
        n=n,
        consistent=consistent / n,
        interval=rate_interval(consistent, n, level=level),
        first=first,
        second=second,
        preference=float(preferences.mean()),
        preference_interval=mean_interval(preferences, level=level, bounds=(-1.0, 1.0)),
        p_value=mcnemar_p_value(first, second),
    )


def score_shift(
    before: Numbers,
    after: Numbers,
    *,
    threshold: float = _DEFAULT_THRESHOLD,
    clusters: Sequence[Hashable] | None = None,
    level: float = 0.95,
    seed: int = 0,
) -> ScoreShift:
    """Measure the effect of a change that should not matter (padding, other words) on a judge's scores in [0, 1].

    Args:
        before: Scores of the plain version, per case.
        after: Scores of the changed version.
        threshold: Scores at or above it pass.
        clusters: For each case the group it belongs to.
        level: Nominal coverage.
        seed: For the permutation test.

    Raises:
        ValueError: Lengths differ, there is no case, or a score is not finite.
    """
    n = _checked_count(same_length(before=before, after=after), "case")
    plain, changed = finite(before, "before"), finite(after, "after")
    change = changed - plain
    flipped = (plain >= threshold) != (changed >= threshold)
    bounds = (-1.0, 1.0) if float(np.abs(change).max()) <= 1.0 else None
    return ScoreShift(
        n=n,
        mean=float(change.mean()),
        interval=mean_interval(change, clusters, level, bounds=bounds),
        p_value=sign_flip_p_value(change, clusters, seed=seed),
        size=float(np.abs(change).mean()),
        flipped=float(flipped.mean()),
        flipped_interval=mean_interval(flipped.astype(np.float64), clusters, level),
    )


def self_consistency(
    repeats: Sequence[Sequence[float]],
    *,
    threshold: float = _DEFAULT_THRESHOLD,
    clusters: Sequence[Hashable] | None = None,
    level: float = 0.95,
) -> SelfConsistency:
    """Measure how far a judge agrees with itself over repeated answers to the same questions.

    Args:
        repeats: For each case its scores, at least two.
        threshold: Scores at or above it pass.
        clusters: For each case the group it belongs to.
        level: Nominal coverage.

    Raises:
        ValueError: There is no case, a case has fewer than two scores, or a score is not finite.
    """
    n = _checked_count(len(repeats), "case")
    agreed, size = np.zeros(n), np.zeros(n)
    for position, row in enumerate(repeats):
        scores = finite(row, f"repeats[{position}]")
        if scores.size < _MIN_REPEATS:
            raise ValueError(f"repeats[{position}] has {scores.size} scores; ask each case at least twice")
        pairs = list(combinations(scores.tolist(), 2))
        agreed[position] = sum((a >= threshold) == (b >= threshold) for a, b in pairs) / len(pairs)
        size[position] = sum(abs(a - b) for a, b in pairs) / len(pairs)
    return SelfConsistency(
        n=n,
        agreement=float(agreed.mean()),
        interval=mean_interval(agreed, clusters, level),
        size=float(size.mean()),
        size_interval=mean_interval(size, clusters, level),
    )


def rewording(
    original: Numbers,
    reworded: Numbers,
    *,
    again: Numbers | None = None,
    threshold: float = _DEFAULT_THRESHOLD,
    clusters: Sequence[Hashable] | None = None,
    level: float = 0.95,
    seed: int = 0,
) -> Rewording:
    """Measure the effect of other words on a judge's scores in [0, 1], beyond the effect of asking again.

    Args:
        original: Scores under the original wording, per case.
        reworded: Scores under the other wording.
        again: Scores under the original wording, asked a second time.
        threshold: Scores at or above it pass.
        clusters: For each case the group it belongs to.
        level: Nominal coverage.
        seed: For the permutation test.

    Raises:
        ValueError: Lengths differ, there is no case, or a score is not finite.
    """
    shift = score_shift(original, reworded, threshold=threshold, clusters=clusters, level=level, seed=seed)
    if again is None:
        return Rewording(shift, None, None, None)
    same_length(original=original, again=again)
    base, changed, repeated = finite(original), finite(reworded), finite(again, "again")
    noise = np.abs(repeated - base)
    excess = np.abs(changed - base) - noise
    bounds = (-1.0, 1.0) if float(np.abs(excess).max()) <= 1.0 else None
    interval = mean_interval(excess, clusters, level, bounds=bounds)
    return Rewording(shift, float(noise.mean()), float(excess.mean()), interval)


def _checked_count(n: int, noun: str) -> int:
    if n == 0:
        raise ValueError(f"there is no {noun}; give at least one, and a few dozen for a useful result")
    return n
