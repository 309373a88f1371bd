"""Quantiles of the beta and Student distributions, so that an interval needs no more than numpy.

The incomplete beta function is the continued fraction of Abramowitz and Stegun 26.5.8, evaluated by Lentz's
method; its inverse is found by Newton's method, bisecting wherever a step would leave the bracket. The t
quantile follows from the beta quantile (26.7.1), and from the Cornish-Fisher expansion (26.7.5) where a
thousand degrees of freedom make that the more accurate of the two.
"""

from functools import lru_cache
from math import exp, lgamma, log, log1p, nextafter, sqrt
from statistics import NormalDist

_TINY = 1e-300
_EPSILON = 1e-16
_NEWTON_TOLERANCE = 1e-9
_MAX_EXPONENT = 700.0
_MIN_DF_FOR_EXPANSION = 1000.0


def normal_quantile(probability: float) -> float:
    """Return the standard normal quantile of a probability in (0, 1)."""
    return NormalDist().inv_cdf(probability)


def normal_cdf(value: float) -> float:
    """Return the standard normal distribution function at `value`."""
    return NormalDist().cdf(value)


def beta_cdf(x: float, a: float, b: float) -> float:
    """Return the regularised incomplete beta function I_x(a, b) for `x` in [0, 1] and positive `a`, `b`."""
    if x <= 0.0 or x >= 1.0:
        return float(x >= 1.0)
    if x > (a + 1.0) / (a + b + 2.0):
        return 1.0 - beta_cdf(1.0 - x, b, a)
    prefactor = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x)) / a
    return prefactor * _continued_fraction(x, a, b)


def _continued_fraction(x: float, a: float, b: float) -> float:
    c, d = 1.0, 1.0 / (1.0 - (a + b) * x / (a + 1.0) or _TINY)
    fraction = d
    for m in range(1, 100_000):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        step = 1.0
        for coefficient in (even, odd):
            d = 1.0 / (1.0 + coefficient * d or _TINY)
            c = 1.0 + coefficient / c or _TINY
            step = c * d
            fraction *= step
        if abs(step - 1.0) < _EPSILON:
            break
    return fraction


@lru_cache(maxsize=4096)
def beta_quantile(probability: float, a: float, b: float) -> float:
    """Return the beta(a, b) quantile of a probability in [0, 1]."""
    if probability <= 0.0 or probability >= 1.0:
        return float(probability >= 1.0)
    scale = lgamma(a + b) - lgamma(a) - lgamma(b)
    low, high, x = 0.0, 1.0, a / (a + b)
    while nextafter(low, 1.0) < high:
        excess = beta_cdf(x, a, b) - probability
        low, high = (x, high) if excess < 0.0 else (low, x)
        log_density = scale + (a - 1.0) * log(x) + (b - 1.0) * log1p(-x)
        newton = x - excess * exp(min(_MAX_EXPONENT, -log_density))
        # Each Newton step squares the error: after a step this small, further steps gain nothing.
        if abs(newton - x) <= _NEWTON_TOLERANCE * min(x, 1.0 - x):
            return newton
        x = newton if low < newton < high else (low + high) / 2.0
    return x


@lru_cache(maxsize=4096)
def t_quantile(probability: float, df: float) -> float:
    """Return the Student t quantile of a probability in (0, 1) for positive, possibly fractional `df`."""
    if probability < 0.5:  # noqa: PLR2004 - the median, where the distribution is symmetric
        return -t_quantile(1.0 - probability, df)
    if df >= _MIN_DF_FOR_EXPANSION:
        return _expanded_t_quantile(normal_quantile(probability), df)
    # Either of two variables gives t; the one below a half has all its digits.
    tail_probability = 2.0 * (1.0 - probability)
    if tail_probability < beta_cdf(0.5, df / 2.0, 0.5):
        complement = beta_quantile(tail_probability, df / 2.0, 0.5)
        return sqrt(df * (1.0 - complement) / complement)
    x = beta_quantile(2.0 * probability - 1.0, 0.5, df / 2.0)
    return sqrt(df * x / (1.0 - x))


def _expanded_t_quantile(z: float, df: float) -> float:
    first = (z**3 + z) / 4.0
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96.0
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384.0
    return z + first / df + second / df**2 + third / df**3
