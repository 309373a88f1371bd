"""A difference in figures, with its sign and as many digits as it takes to be no zero."""

from ragstone.reports.comparison.model import MetricChange, RunComparison
from ragstone.reports.numbers import count, percent
from ragstone.stats.compare import Comparison, PassChange

_MINUS = "\N{MINUS SIGN}"
_MOST_DIGITS = 4


def signed(value: float, digits: int = 2) -> str:
    """Return a difference with its sign; 0 has none."""
    text = f"{abs(value):.{digits}f}"
    if float(text) == 0.0:
        return text
    return f"{_MINUS if value < 0 else '+'}{text}"


def digits_of(found: Comparison) -> int:
    """Return how many digits a difference and its interval take: two, more where two would print a zero."""
    size = abs(found.difference or 0.0)
    for digits in range(2, _MOST_DIGITS):
        if size == 0.0 or round(size, digits) > 0.0:
            return digits
    return _MOST_DIGITS


def difference(found: Comparison) -> str:
    """Return `-0.03 (-0.05 to -0.01)`."""
    if found.difference is None:
        return "nothing in common"
    digits = digits_of(found)
    if found.interval.too_few:
        return f"{signed(found.difference, digits)} (too few to say)"
    low, high = signed(found.interval.low, digits), signed(found.interval.high, digits)
    return f"{signed(found.difference, digits)} ({low} to {high})"


def p_value(value: float) -> str:
    """Return a p-value with the digits that matter."""
    return "p < 0.001" if value < 0.001 else f"p = {value:.3f}"  # noqa: PLR2004  (what a reader can use)


def pass_rates(found: PassChange) -> str:
    """Return how the pass rate changed, and McNemar's test of it."""
    flips = f"{found.broke} broke, {found.mended} mended"
    tested = f"; McNemar {p_value(found.p_value)}" if found.broke + found.mended else ""
    return f"passed {percent(found.before)} before, {percent(found.after)} after: {flips}{tested}"


def power(metric: MetricChange, comparison: RunComparison) -> str:
    """Return what this dataset could have shown, and how many cases a smaller change would take."""
    found = metric.comparison
    if found.detectable is None or metric.needed is None:
        return ""
    wanted = f"a change of {comparison.worth:g} takes {count(metric.needed, 'case')}"
    return f"smallest difference that {count(found.n, 'case')} show: {found.detectable:.2g}; {wanted}"


def tests(found: Comparison, number: int, what: str) -> str:
    """Return the p-value of the difference, corrected where so many metrics, or whatever it is, are looked at."""
    if found.n == 0:
        return ""
    if number == 1:
        return f"permutation test {p_value(found.p_value)}"
    return (
        f"permutation test {p_value(found.p_value)}, for {number} {what} {p_value(found.adjusted_p)} (Holm)"
    )
