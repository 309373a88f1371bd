"""Prediction-powered inference: a few human labels correct a judge's mean over many unlabelled cases.

On the labelled cases, the mean difference between people and judge is the judge's bias; it corrects the judge's
mean over the unlabelled cases. PPI++ (Angelopoulos, Duchi and Zrnic 2023, arXiv:2311.01453) weights the judge
by a factor λ estimated from the data, between 0 (labels alone: the judge is useless) and 1 (full correction),
so that a bad judge costs next to nothing and a good one is worth many labels:

    corrected = mean(labels) + λ · (mean(judge, unlabelled) - mean(judge, labelled))

It remains valid for a judge with any bias, as long as the labelled cases were picked at random and are
independent.
"""

from dataclasses import dataclass
from math import sqrt
from typing import Literal

import numpy as np

from ragstone.stats._arrays import FloatArray, Numbers, finite
from ragstone.stats._checks import same_length
from ragstone.stats._special import t_quantile
from ragstone.stats.interval import Interval, mean_interval, score_df, solve_score

Tuning = Literal["left_out", "plug_in"]
_MIN_LABELS = 2
_MIN_DISAGREEMENTS = 2.0
_MIN_VARIANCE = 1e-15


@dataclass(frozen=True, slots=True)
class CorrectedMean:
    """A judge's mean, corrected by labels.

    Attributes:
        judge: The judge's own mean over all cases, labelled or not.
        value: The corrected mean.
        interval: For the corrected mean.
        labels_alone: Interval from the labels without the judge, for comparison.
        trust: λ in [0, 1], the weight of the judge.
        standard_error: Of the corrected mean, as in the paper, before any allowance for few labels.
        labelled: Number of labelled cases.
        unlabelled: Number of cases that only the judge scored.
    """

    judge: float
    value: float
    interval: Interval
    labels_alone: Interval
    trust: float
    standard_error: float
    labelled: int
    unlabelled: int

    @property
    def labels_worth(self) -> float:
        """The number of labels that alone would give as narrow an interval, as a multiple of the actual number."""
        return (self.labels_alone.width / self.interval.width) ** 2

    def sentence(self) -> str:
        """Return both means in one line."""
        return f"judge says {self.judge:.2f}, corrected {self.value:.2f} ({self.interval})"


def ppi_mean(
    labels: Numbers,
    judged: Numbers,
    unlabelled: Numbers,
    *,
    level: float = 0.95,
    trust: float | None = None,
    tuning: Tuning = "left_out",
) -> CorrectedMean:
    """Return the mean that people would give, from a few labels and a judge's many scores (PPI++).

    For a rate give labels of 0 and 1; the judge's scores need not be. Bounded labels get an interval within
    [0, 1] of Wilson's form, like every other mean here; with `tuning="plug_in"` estimate, λ and
    standard error equal the paper's.

    Args:
        labels: People's labels of cases picked at random, at least two.
        judged: The judge's scores of the same cases.
        unlabelled: The judge's scores of the other cases.
        level: Nominal coverage.
        trust: λ; estimated by default, 0 for the labels alone, 1 for plain PPI.
        tuning: How λ is estimated. `plug_in` is the paper's method: one λ from all labels, which is fitted to
            them and biases the mean by some thousandths where labels are few. `left_out` takes for each
            labelled case the λ of the other cases, which removes that bias.

    Raises:
        ValueError: Lengths differ, fewer than two labels, no unlabelled case, or a number is not finite.
    """
    n = same_length(labels=labels, judged=judged)
    truth, seen, unseen = finite(labels, "labels"), finite(judged, "judged"), finite(unlabelled, "unlabelled")
    if n < _MIN_LABELS or not unseen.size:
        raise ValueError(
            f"{n} labelled and {unseen.size} unlabelled cases; label at least two and leave at least one"
        )
    factors = _judge_weights(truth, seen, unseen, tuning) if trust is None else np.full(n, trust)
    factor = float(factors.mean())
    value = float((truth - factors * seen).mean()) + factor * float(unseen.mean())
    rectified = truth - factors * (seen - float(unseen.mean()))
    variance = factor**2 * float(unseen.var()) / unseen.size + float(rectified.var()) / n
    return CorrectedMean(
        judge=float(np.concatenate([seen, unseen]).mean()),
        value=value,
        interval=_interval(value, variance, truth, level),
        labels_alone=mean_interval(truth, level=level),
        trust=factor,
        standard_error=sqrt(variance),
        labelled=n,
        unlabelled=int(unseen.size),
    )


def _judge_weights(truth: FloatArray, seen: FloatArray, unseen: FloatArray, tuning: Tuning) -> FloatArray:
    """Return λ for each labelled case: covariance of people and judge over the judge's variance.

    Proposition 2 and Example 6.1 of the paper. Left out, case i's λ comes from the other cases: updating the
    sums of squares and products by one case takes no loop.
    """
    n, unlabelled_count = truth.size, unseen.size
    pooled = np.concatenate([seen, unseen])
    label_residuals, judge_residuals = truth - truth.mean(), seen - seen.mean()
    covariance, variance = float(label_residuals @ judge_residuals) / n, float(pooled.var(ddof=1))
    if tuning == "plug_in" or n <= _MIN_LABELS:
        return np.full(
            n, _clipped_ratio(np.array(covariance), (1.0 + n / unlabelled_count) * np.array(variance))
        )
    covariances = (covariance * n - label_residuals * judge_residuals * n / (n - 1.0)) / (n - 1.0)
    squared_sum = variance * (pooled.size - 1.0)
    variances = (squared_sum - (seen - pooled.mean()) ** 2 * pooled.size / (pooled.size - 1.0)) / (
        pooled.size - 2.0
    )
    return _clipped_ratio(covariances, (1.0 + (n - 1.0) / unlabelled_count) * variances)


def _clipped_ratio(covariance: FloatArray, variance: FloatArray) -> FloatArray:
    is_positive = variance > _MIN_VARIANCE
    return np.where(is_positive, np.clip(covariance / np.where(is_positive, variance, 1.0), 0.0, 1.0), 0.0)


def _interval(value: float, variance: float, truth: FloatArray, level: float) -> Interval:
    n, upper = truth.size, (1.0 + level) / 2.0
    unbiased = variance * n / (n - 1.0)
    if not bool(np.all((truth >= 0.0) & (truth <= 1.0))):
        half_width = t_quantile(upper, n - 1.0) * sqrt(unbiased)
        return Interval(value - half_width, value + half_width, level, "ppi", n, n)
    clipped = min(1.0, max(0.0, value))
    max_variance = clipped * (1.0 - clipped)
    # If all labels agree with the judge, the rate of disagreement is unknown: allow for one disagreement. On pass
    # or fail a disagreement is a whole point, and seen once or never in n it may be twice as common.
    is_binary = bool(np.all((truth == 0.0) | (truth == 1.0)))
    min_variance = (_MIN_DISAGREEMENTS if is_binary else max_variance) / (n * (n + 1.0))
    share = min(1.0 / n, max(min_variance, unbiased) / max_variance) if max_variance > 0.0 else 1.0 / n
    low, high = solve_score(clipped, share, t_quantile(upper, score_df(n - 1.0, share, n)))
    return Interval(low, high, level, "ppi", n, n)
