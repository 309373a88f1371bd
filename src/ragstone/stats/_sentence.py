"""A comparison in one sentence: the change, its interval, and the number of changed cases."""

from typing import Protocol

from ragstone.stats.interval import Interval


class ComparedMetric(Protocol):
    """The part of a comparison that the sentence uses (see `compare.Comparison`)."""

    @property
    def metric(self) -> str:
        """The metric's name."""
        ...

    @property
    def n(self) -> int:
        """Cases scored in both runs."""
        ...

    @property
    def difference(self) -> float | None:
        """Mean of after minus before; None where no case was scored in both."""
        ...

    @property
    def interval(self) -> Interval:
        """The interval of the difference."""
        ...

    @property
    def level(self) -> float:
        """Coverage of the intervals of all differences tested together."""
        ...

    @property
    def tested(self) -> int:
        """How many differences are tested together."""
        ...

    @property
    def better(self) -> int:
        """Cases that got better."""
        ...

    @property
    def worse(self) -> int:
        """Cases that got worse."""
        ...

    @property
    def detectable(self) -> float | None:
        """The smallest difference that so many cases would have shown."""
        ...

    @property
    def higher_is_better(self) -> bool:
        """Whether a higher score is the better one."""
        ...

    @property
    def verdict(self) -> str:
        """`better`, `worse` or `no difference shown`."""
        ...


def comparison_sentence(found: ComparedMetric) -> str:
    """Return one sentence: the change, its interval and its cases; or the smallest change that could be shown."""
    if found.difference is None or found.detectable is None:
        return f"{_metric_name(found)}: no case was scored in both runs."
    if found.verdict == "no difference shown":
        claim = f"{_metric_name(found)}: no difference this dataset could show (smallest: {_format(found.detectable)})"
    else:
        claim = _change_claim(found, found.difference)
    warning = _few_units_note(found) if found.interval.too_few else ""
    return f"{claim}; {_case_counts(found)}.{warning}"


def _few_units_note(comparison: ComparedMetric) -> str:
    units = _count(comparison.interval.units, "independent case")
    if comparison.verdict == "no difference shown":
        return f" Only {units}: too few to trust."
    return f" It rests on only {units}."


def _change_claim(comparison: ComparedMetric, difference: float) -> str:
    rose = difference > 0.0
    ends = sorted((abs(comparison.interval.low), abs(comparison.interval.high)))
    digits = max(_digits(abs(difference)), _digits_above_zero(ends[0]))
    tested_note = f", {comparison.tested} tested together" if comparison.tested > 1 else ""
    span = f"{100 * comparison.level:g} %{tested_note}: {ends[0]:.{digits}f} to {ends[1]:.{digits}f}"
    note = "" if comparison.higher_is_better else f", which is {comparison.verdict}"
    return f"{_metric_name(comparison)} {'rose' if rose else 'fell'} by {abs(difference):.{digits}f} ({span}){note}"


def _case_counts(comparison: ComparedMetric) -> str:
    same = comparison.n - comparison.better - comparison.worse
    if not comparison.better and not comparison.worse:
        return (
            f"all {_count(comparison.n, 'case')} scored the same"
            if comparison.n > 1
            else "the one case scored the same"
        )
    first, second = (comparison.worse, "got worse"), (comparison.better, "better")
    if comparison.better > comparison.worse:
        first, second = (comparison.better, "got better"), (comparison.worse, "worse")
    return f"{_count(first[0], 'case')} {first[1]}, {second[0]} {second[1]}" + (
        f", {same} the same" if same else ""
    )


def _metric_name(comparison: ComparedMetric) -> str:
    words = comparison.metric.replace("_", " ")
    return words[:1].upper() + words[1:]


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _digits(value: float) -> int:
    """Return the decimals to print: two, or more where two would print a difference as zero or nearly so."""
    digits = 2
    while value and round(value, digits) < 2 * 10**-digits and digits < 6:  # noqa: PLR2004 - two steps of the last digit
        digits += 1
    return digits


def _digits_above_zero(value: float) -> int:
    """Return the decimals to print: two, or more where two would print a number as zero."""
    digits = 2
    while value and not round(value, digits) and digits < 6:  # noqa: PLR2004
        digits += 1
    return digits


def _format(value: float) -> str:
    return f"{value:.{_digits(value)}f}"
