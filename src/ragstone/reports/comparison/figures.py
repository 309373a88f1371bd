"""Format differences with their sign, and with enough digits that a nonzero value is not printed as 0."""

from ragstone.reports.comparison.model import MetricChange, RunComparison
from ragstone.reports.numbers import count, percent
from ragstone.stats.compare import Comparison, PassChange

_MINUS = "\N{MINUS SIGN}"
_MAX_DIGITS = 6


def signed(value: float, digits: int = 2) -> str:
    """Return a difference with its sign; 0 has none."""
    text = f"{abs(value):.{digits}f}"
    if float(text) == 0.0:
        return text
    return f"{_MINUS if value < 0 else '+'}{text}"


def digits_of(found: Comparison) -> int:
    """Return the number of decimals of a difference and its interval: two, more if two would print a nonzero one as 0.

    Where a difference is claimed, neither end of its interval is printed as 0.
    """
    ends = () if 0.0 in found.interval else (found.interval.low, found.interval.high)
    sizes = [abs(size) for size in (found.difference or 0.0, *ends) if size]
    for digits in range(2, _MAX_DIGITS):
        if all(round(size, digits) for size in sizes):
            return digits
    return _MAX_DIGITS


def shows_interval(found: Comparison) -> bool:
    """Return whether the interval is shown: with too few cases only where a difference is claimed."""
    return not found.interval.too_few or 0.0 not in found.interval


def difference(found: Comparison) -> str:
    """Return `-0.03 (-0.05 to -0.01)`; with few cases the interval only where it shows a difference."""
    if found.difference is None:
        return "no cases in common"
    digits = digits_of(found)
    if not shows_interval(found):
        return f"{signed(found.difference, digits)} (too few to say)"
    low, high = signed(found.interval.low, digits), signed(found.interval.high, digits)
    return f"{signed(found.difference, digits)} ({low} to {high})"


def p_value(value: float) -> str:
    """Return a p-value with three decimals, or `p < 0.001`."""
    return "p < 0.001" if value < 0.001 else f"p = {value:.3f}"  # noqa: PLR2004  (what a reader can use)


def pass_rates(found: PassChange) -> str:
    """Return the change of the pass rate, and McNemar's test of it."""
    flips = f"{found.broke} broke, {found.mended} mended"
    tested = f"; McNemar {p_value(found.p_value)}" if found.broke + found.mended else ""
    return f"passed {percent(found.before)} before, {percent(found.after)} after: {flips}{tested}"


def power(metric: MetricChange, comparison: RunComparison) -> str:
    """Return the smallest difference that this dataset can show, and how many cases a change of `worth` takes."""
    paired = metric.comparison
    if paired.detectable is None or metric.needed is None:
        return ""
    needs = f"a change of {comparison.worth:g} needs {count(metric.needed, 'case')}"
    return f"smallest difference that {count(paired.n, 'case')} show: {paired.detectable:.2g}; {needs}"


def tests(found: Comparison, what: str) -> str:
    """Return the p-value of the difference, and the figures without correction where several are tested together.

    Args:
        found: one metric in two runs.
        what: what is tested together, such as `metrics`.
    """
    if found.n == 0:
        return ""
    if found.tested == 1:
        return f"permutation test {p_value(found.p_value)}"
    digits, single = digits_of(found), found.single_interval
    text = "" if single.too_few else f"{signed(single.low, digits)} to {signed(single.high, digits)}, "
    return (
        f"permutation test for {found.tested} {what} together {p_value(found.adjusted_p)} (Holm); "
        f"this one alone, uncorrected: {text}{p_value(found.p_value)}"
    )
