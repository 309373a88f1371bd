"""The variance of a mean score, split into cases, answers of the application, and scores of the judge.

    score = mean + case + answer within the case + score within the answer          (two-fold nested random effects)

The variances are those of the nested analysis of variance, for any numbers of answers and scores (Searle, Casella and
McCulloch 1992, chapter 3). A variance is a difference of two mean squares; its interval is the modified large-sample
interval (Ting, Burdick, Graybill, Jeyaratnam and Lu 1990, JSCS 35). It assumes that mean squares are distributed like
chi-squared ones, with degrees of freedom that are estimated from their variation over cases, or groups of them, instead
of assuming that scores are normal.

The variance of the mean over n cases with N answers of M scores each is case/n + answer/(nN) + score/(nNM): more cases
reduce all parts, more answers the last two, more scores only the last.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Literal, NamedTuple

import numpy as np

from ragstone.stats._arrays import FloatArray, IntArray, cluster_codes, finite
from ragstone.stats._special import beta_quantile, normal_quantile

Source = Literal["cases", "application", "judge", "application and judge"]
_MIN_CASES = 2
_MOST_DF = 1e6


class VarianceComponent(NamedTuple):
    """One source of variance.

    Attributes:
        source: `cases`, `application` or `judge`; `application and judge` where each answer has one score.
        variance: Its variance, at least 0.
        low: Lower end of the interval of the variance.
        high: Upper end.
        share: Its share of the variance of the mean; 0 where there is none at all.
    """

    source: Source
    variance: float
    low: float
    high: float
    share: float


@dataclass(frozen=True, slots=True)
class VarianceComponents:
    """Where the variance of a mean comes from.

    Attributes:
        components: The sources, from cases to judge.
        cases: Number of cases.
        answers: Mean number of answers to a case.
        scores: Mean number of scores of an answer.
    """

    components: tuple[VarianceComponent, ...]
    cases: int
    answers: float
    scores: float

    def standard_error(
        self, *, cases: float | None = None, answers: float | None = None, scores: float | None = None
    ) -> float:
        """Return the standard error of the mean with other numbers of cases, answers or scores."""
        return sqrt(sum(self.parts(cases or self.cases, answers or self.answers, scores or self.scores)))

    def narrowing(self) -> dict[str, float]:
        """Return by which share twice the `cases`, `answers` or `scores` would narrow the interval of the mean."""
        now = self.standard_error()
        twice: dict[str, float] = {"cases": 2.0 * self.cases, "answers": 2.0 * self.answers}
        if len(self.components) > _MIN_CASES:
            twice["scores"] = 2.0 * self.scores
        return {
            name: 1.0 - self.standard_error(**{name: size}) / now if now else 0.0
            for name, size in twice.items()
        }

    def parts(self, cases: float, answers: float, scores: float) -> list[float]:
        """Return what each source adds to the variance of the mean over so many cases, answers and scores."""
        divisors = (cases, cases * answers, cases * answers * scores)
        return [each.variance / size for each, size in zip(self.components, divisors, strict=False)]


class _MeanSquare(NamedTuple):
    """A mean square, and its degrees of freedom as estimated."""

    value: float
    df: float


def variance_components(
    scores: Sequence[Sequence[Sequence[float]]],
    clusters: Sequence[Hashable] | None = None,
    *,
    level: float = 0.95,
) -> VarianceComponents | None:
    """Split the variance of the mean of nested scores; None if no case has two answers, or fewer than two cases.

    Args:
        scores: For each case, for each answer to it, its scores; answers without a score are left out.
        clusters: For each case the group it belongs to.
        level: Nominal coverage of the intervals.

    Raises:
        ValueError: A score is NaN or infinite.
    """
    kept = [place for place, answers in enumerate(scores) if any(len(answer) for answer in answers)]
    rows = [[finite(answer, f"scores[{place}]") for answer in scores[place] if len(answer)] for place in kept]
    codes = cluster_codes(None if clusters is None else [clusters[place] for place in kept], len(rows))
    sizes = [np.array([answer.size for answer in row], dtype=np.float64) for row in rows]
    totals = np.array([size.sum() for size in sizes])
    answers, count = sum(len(row) for row in rows), float(totals.sum())
    if len(rows) < _MIN_CASES or answers == len(rows):
        return None
    means = [np.array([answer.mean() for answer in row]) for row in rows]
    case_means = np.array([(size * mean).sum() / size.sum() for size, mean in zip(sizes, means, strict=True)])
    centre = float((totals * case_means).sum() / count)
    within = np.array([sum(float(((a - a.mean()) ** 2).sum()) for a in row) for row in rows])
    between = np.array(
        [(size * (mean - m) ** 2).sum() for size, mean, m in zip(sizes, means, case_means, strict=True)]
    )
    overall = totals * (case_means - centre) ** 2
    df_scores = np.array([float(size.sum()) - size.size for size in sizes])
    df_answers = np.array([size.size - 1.0 for size in sizes])
    squares = sum(float((size**2).sum() / size.sum()) for size in sizes)
    k_answers = (count - squares) / float(df_answers.sum())
    k_case = (count - float((totals**2).sum()) / count) / (len(rows) - 1)
    k_mixed = (squares - sum(float((size**2).sum()) for size in sizes) / count) / (len(rows) - 1)
    case_square = _mean_square(overall, np.full(len(rows), 1.0 - 1.0 / len(rows)), codes)
    answer_square = _mean_square(between, df_answers, codes)
    score_square = _mean_square(within, df_scores, codes) if df_scores.sum() else None
    tail = (1.0 - level) / 2.0
    # Of case_square, the part that answers contribute is about that of answer_square: exactly so where balanced.
    found: list[tuple[Source, tuple[float, float, float]]] = [
        ("cases", _difference(case_square, answer_square, k_mixed / k_answers, 1.0 / k_case, tail))
    ]
    if score_square is None:
        found.append(("application and judge", _single(answer_square, 1.0 / k_answers, tail)))
    else:
        found.append(("application", _difference(answer_square, score_square, 1.0, 1.0 / k_answers, tail)))
        found.append(("judge", _single(score_square, 1.0, tail)))
    return _with_shares(found, len(rows), answers / len(rows), count / answers)


def _with_shares(
    found: Sequence[tuple[Source, tuple[float, float, float]]], cases: int, answers: float, scores: float
) -> VarianceComponents:
    components = tuple(VarianceComponent(source, *values, 0.0) for source, values in found)
    whole = VarianceComponents(components, cases, answers, scores)
    parts = whole.parts(cases, answers, scores)
    total = sum(parts)
    shared = (
        each._replace(share=part / total if total else 0.0)
        for each, part in zip(components, parts, strict=True)
    )
    return VarianceComponents(tuple(shared), cases, answers, scores)


def _mean_square(sums: FloatArray, df: FloatArray, codes: IntArray | None) -> _MeanSquare:
    """Return a mean square; its degrees of freedom are 2·MS²/Var(MS), and no more than those of normal scores."""
    if codes is not None:
        sums, df = (np.bincount(codes, weights=each).astype(np.float64) for each in (sums, df))
    total_df, units = float(df.sum()), sums.size
    value = float(sums.sum()) / total_df
    if value <= 0.0 or units < _MIN_CASES:
        return _MeanSquare(max(0.0, value), max(1.0, total_df if units >= _MIN_CASES else 1.0))
    variance = units / (units - 1.0) * float(((sums - value * df) ** 2).sum()) / total_df**2
    estimated = 2.0 * value**2 / variance if variance > 0.0 else _MOST_DF
    return _MeanSquare(value, max(1.0, min(total_df, estimated)))


def _single(square: _MeanSquare, factor: float, tail: float) -> tuple[float, float, float]:
    """Return a variance that is a multiple of one mean square, with its interval."""
    value = factor * square.value
    return value, value / _chi2_ratio(1.0 - tail, square.df), value / _chi2_ratio(tail, square.df)


def _difference(
    first: _MeanSquare, second: _MeanSquare, weight: float, factor: float, tail: float
) -> tuple[float, float, float]:
    """Return factor·(first - weight·second) and its modified large-sample interval, each at least 0."""
    a, b = factor * first.value, factor * weight * second.value
    upper_f, lower_f = _f_quantile(1.0 - tail, first.df, second.df), _f_quantile(tail, first.df, second.df)
    g = [1.0 - 1.0 / _chi2_ratio(1.0 - tail, each.df) for each in (first, second)]
    h = [1.0 / _chi2_ratio(tail, each.df) - 1.0 for each in (first, second)]
    low_cross = ((upper_f - 1.0) ** 2 - (g[0] * upper_f) ** 2 - h[1] ** 2) / upper_f
    high_cross = ((1.0 - lower_f) ** 2 - (h[0] * lower_f) ** 2 - g[1] ** 2) / lower_f
    below = (g[0] * a) ** 2 + (h[1] * b) ** 2 + low_cross * a * b
    above = (h[0] * a) ** 2 + (g[1] * b) ** 2 + high_cross * a * b
    value = a - b
    low, high = value - sqrt(max(0.0, below)), value + sqrt(max(0.0, above))
    return max(0.0, value), max(0.0, low), max(0.0, high)


def _chi2_ratio(probability: float, df: float) -> float:
    """Return the quantile of a chi-squared variable divided by its degrees of freedom."""
    return _f_quantile(probability, df, _MOST_DF)


def _f_quantile(probability: float, first: float, second: float) -> float:
    if second >= _MOST_DF:  # Wilson and Hilferty 1931, Proceedings of the National Academy of Sciences 17
        spread = 2.0 / (9.0 * first)
        return max(1e-9, 1.0 - spread + normal_quantile(probability) * sqrt(spread)) ** 3
    x = beta_quantile(probability, first / 2.0, second / 2.0)
    return max(1e-12, second * x / (first * (1.0 - x)))
