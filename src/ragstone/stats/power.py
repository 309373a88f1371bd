"""Power of a paired comparison: the smallest difference that it finds, and the number of cases that a difference needs.

A true difference δ comes from cases that change, so it brings a variance of its own: where cases change by a typical
size s, a share δ/s of them must change, which adds s·δ to the variance v of the changes that are seen without it. With
q = (normal quantile of the error level) + (that of the power), a test finds δ with that power where

    δ = q · sqrt((v + s·δ) / n)

solved for δ, or for n. Without s·δ this is the usual formula (Cohen 1988, chapter 2), which promises far too much where
hardly a case changes between two runs of one system: there v is nearly 0.
"""

from math import ceil, isfinite, log2, sqrt

from ragstone.stats._special import normal_quantile

POWER = 0.8


def detectable_difference(
    variance: float, change: float, n: int, *, level: float = 0.95, power: float = POWER
) -> float:
    """Return the smallest true difference that `n` cases show with probability `power`.

    Args:
        variance: Of the per-case differences between two runs, n · (variance of their mean).
        change: Typical size of the change of a case that changes; see `ChangeFigures`.
        n: Number of paired cases.
        level: 0.95 for a two-sided test with 5 % false alarms.
        power: Probability of finding the difference, in (0, 1).

    Raises:
        ValueError: `variance` or `change` is negative or not finite, `n` is below 1, or a probability is outside
            (0, 1).
    """
    squared = _checked_quantile_sum(variance, change, level, power) ** 2
    if n < 1:
        raise ValueError(f"n is {n}; give the number of paired cases, 1 or more")
    half = squared * change / n / 2.0
    return half + sqrt(half**2 + squared * variance / n)


def cases_needed(
    difference: float, variance: float, change: float, *, level: float = 0.95, power: float = POWER
) -> int:
    """Return the number of paired cases that show a true `difference` with probability `power`.

    Args:
        difference: The smallest change worth knowing, in the units of the scores; its sign does not matter.
        variance: As for `detectable_difference`, from a run like it.
        change: As for `detectable_difference`.
        level: 0.95 for a two-sided test with 5 % false alarms.
        power: Probability of finding the difference, in (0, 1).

    Raises:
        ValueError: `difference` is 0, `variance` or `change` is negative, or a probability is outside (0, 1).
    """
    squared = _checked_quantile_sum(variance, change, level, power) ** 2
    if difference == 0.0 or not isfinite(difference):
        raise ValueError(f"difference is {difference}; give the smallest change that matters, such as 0.05")
    size = abs(difference)
    return max(least_units(level), ceil(squared * (variance + change * size) / size**2 - 1e-9))


def least_units(level: float) -> int:
    """Return the number of independent units below which no sign-flip test can claim a difference at `level`.

    The least p-value of `n` units that all change in one direction is 2 / 2ⁿ.
    """
    return ceil(1.0 - log2(1.0 - level) - 1e-9)


def level_of_each(level: float, tested: int) -> float:
    """Return the coverage that each of several intervals needs for all of them together to have `level`."""
    return 1.0 - (1.0 - level) / max(1, tested)


def _checked_quantile_sum(variance: float, change: float, level: float, power: float) -> float:
    for name, value in (("variance", variance), ("change", change)):
        if not (isfinite(value) and value >= 0.0):
            raise ValueError(f"{name} is {value}; give a finite number, 0 or more")
    for name, value in (("level", level), ("power", power)):
        if not 0.0 < value < 1.0:
            raise ValueError(f"{name} is {value}; give a share between 0 and 1, such as 0.8")
    return normal_quantile((1.0 + level) / 2.0) + normal_quantile(power)
