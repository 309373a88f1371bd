"""Power of a dataset: the smallest difference that it detects, and the number of cases that a smaller one needs.

Both follow from one formula, difference = (z for the error level + z for the power) · standard error, the normal
approximation to the power of the paired test (Cohen 1988, chapter 2).
"""

from math import ceil, isfinite

from ragstone.stats._special import normal_quantile

POWER = 0.8


def detectable_difference(standard_error: float, *, level: float = 0.95, power: float = POWER) -> float:
    """Return the smallest true difference that a test at `level` finds with probability `power`.

    Args:
        standard_error: Of the mean paired difference, in the units of the scores.
        level: 0.95 for a two-sided test with 5 % false alarms.
        power: Probability of finding the difference, in (0, 1).

    Raises:
        ValueError: `standard_error` is negative or not finite, or a probability is outside (0, 1).
    """
    if not (isfinite(standard_error) and standard_error >= 0.0):
        raise ValueError(f"standard_error is {standard_error}; give a finite number, 0 or more")
    return _quantile_sum(level, power) * standard_error


def cases_needed(difference: float, deviation: float, *, level: float = 0.95, power: float = POWER) -> int:
    """Return the number of paired cases that show a true `difference` with probability `power`.

    Args:
        difference: The smallest change worth knowing, in the units of the scores; its sign does not matter.
        deviation: Standard deviation of the per-case differences, from a run like it.
        level: 0.95 for a two-sided test with 5 % false alarms.
        power: Probability of finding the difference, in (0, 1).

    Raises:
        ValueError: `difference` is 0, `deviation` is negative, or a probability is outside (0, 1).
    """
    if difference == 0.0 or not isfinite(difference):
        raise ValueError(f"difference is {difference}; give the smallest change that matters, such as 0.05")
    if not (isfinite(deviation) and deviation >= 0.0):
        raise ValueError(f"deviation is {deviation}; give a finite number, 0 or more")
    return max(1, ceil((_quantile_sum(level, power) * deviation / difference) ** 2))


def _quantile_sum(level: float, power: float) -> float:
    for name, value in (("level", level), ("power", power)):
        if not 0.0 < value < 1.0:
            raise ValueError(f"{name} is {value}; give a share between 0 and 1, such as 0.8")
    return normal_quantile((1.0 + level) / 2.0) + normal_quantile(power)
