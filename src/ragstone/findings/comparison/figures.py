"""Format differences with their sign, and with enough digits that a nonzero value is not printed as 0."""

from collections.abc import Iterator

from ragstone.findings.comparison.model import MetricChange, RunComparison
from ragstone.findings.numbers import count, p_value, percent, score
from ragstone.stats.compare import Comparison
from ragstone.stats.interval import NEXT_TO_ZERO
from ragstone.stats.pass_change import PassChange

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
    ends = (found.interval.low, found.interval.high) if found.claimed else ()
    sizes = [abs(size) for size in (found.difference or 0.0, found.difference_high or 0.0, *ends)]
    for digits in range(2, _MAX_DIGITS):
        if all(round(size, digits) for size in sizes if size > NEXT_TO_ZERO):
            return digits
    return _MAX_DIGITS


def shows_interval(found: Comparison) -> bool:
    """Return whether the interval is shown: with too few cases only where a difference is claimed."""
    return not found.interval.too_few or found.claimed


def means(found: Comparison, nothing: str) -> tuple[str, str]:
    """Return the means before and after: `0.85`, `0.78 to 0.88` where scores are undecided, or `nothing`."""
    return _mean(found.before, found.before_high, nothing), _mean(found.after, found.after_high, nothing)


def _mean(low: float | None, high: float | None, nothing: str) -> str:
    if low is None or high is None:
        return nothing
    return score(low) if low == high else f"{score(low)} to {score(high)}"


def difference(found: Comparison) -> str:
    """Return `-0.03 (-0.05 to -0.01)`; with few cases the interval only where it shows a difference."""
    if found.difference is None or found.difference_high is None:
        return "no cases in common"
    digits = digits_of(found)
    sizes = list(
        dict.fromkeys(signed(each, digits) for each in sorted((found.difference, found.difference_high)))
    )
    size = " to ".join(sizes)
    if not shows_interval(found):
        return f"{size} (too few to say)"
    return f"{size} ({_end(found.interval.low, digits)} to {_end(found.interval.high, digits)})"


def _end(value: float, digits: int) -> str:
    if value and abs(value) < NEXT_TO_ZERO:
        return "above 0" if value > 0 else "below 0"
    return signed(value, digits)


def details(metric: MetricChange, comparison: RunComparison, what: str) -> Iterator[str]:
    """Yield the figures behind a sentence: pass rates, the test, the power of this dataset.

    Args:
        metric: one metric in two runs.
        comparison: the two runs.
        what: what is tested together, such as `metrics`.
    """
    if metric.comparison.passes:
        yield pass_rates(metric.comparison.passes)
    if comparison.margin is not None:
        yield not_worse(metric.comparison, comparison.margin)
    if metric.comparison.n:
        yield tests(metric.comparison, what)
        yield from power(metric, comparison)


def not_worse(found: Comparison, margin: float) -> str:
    """Return whether a metric is shown not to be worse by more than a margin."""
    if found.is_not_worse_by(margin):
        return f"not worse by more than {margin:g} (95 %)"
    return f"not shown: not worse by more than {margin:g}"


def unmatched(comparison: RunComparison) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield a heading and the names of the cases, then of the metrics, that only one of the runs has."""
    for when, cases, metrics in (
        ("earlier", comparison.only_before, comparison.metrics_only_before),
        ("later", comparison.only_after, comparison.metrics_only_after),
    ):
        if cases:
            yield f"{count(len(cases), 'case')} only in the {when} run", cases
        if metrics:
            yield f"{count(len(metrics), 'metric')} only in the {when} run", metrics


def pass_rates(found: PassChange) -> str:
    """Return the change of the pass rate, and McNemar's test of it."""
    flips = f"{found.broke} broke, {found.mended} mended"
    changed = found.broke + found.mended
    corrected = " (Holm)" if found.adjusted_p != found.p_value else ""
    tested = f"; McNemar {p_value(found.adjusted_p)}{corrected}" if changed else ""
    before, after = (
        _rate(found.before, found.before_high),
        _rate(found.after, found.after_high),
    )
    return f"passed {before} before, {after} after: {flips}{tested}"


def _rate(low: float, high: float) -> str:
    return percent(low) if low == high else f"{percent(low)} to {percent(high)}"


def power(metric: MetricChange, comparison: RunComparison) -> Iterator[str]:
    """Yield the smallest difference that this dataset can show, and how many cases a change of `worth` takes."""
    paired = metric.comparison
    if paired.detectable is not None:
        yield f"smallest difference that {count(paired.n, 'case')} show: {paired.detectable:.2g}"
    if metric.needed is not None:
        yield f"a change of {comparison.worth:g} needs {count(metric.needed, 'case')}"


def tests(found: Comparison, what: str) -> str:
    """Return the p-value of the difference, and the figures without correction where several are tested together.

    Args:
        found: one metric in two runs.
        what: what is tested together, such as `metrics`.
    """
    if found.tested == 1:
        return f"permutation test {p_value(found.p_value)}"
    digits, single = digits_of(found), found.single_interval
    text = "" if single.too_few else f"{signed(single.low, digits)} to {signed(single.high, digits)}, "
    return (
        f"permutation test for {found.tested} {what} together {p_value(found.adjusted_p)} (Holm); "
        f"this one alone, uncorrected: {text}{p_value(found.p_value)}"
    )
