"""A comparison in one sentence: the change, its interval, and the number of changed cases."""

from ragstone.stats.comparison_figures import ComparisonFigures
from ragstone.stats.interval import NEXT_TO_ZERO

_MAX_DIGITS = 6


def comparison_sentence(found: ComparisonFigures) -> str:
    """Return one sentence: the change, its interval and its cases; or what this dataset could have shown."""
    name = _capitalised(found.metric)
    if found.difference is None or found.difference_high is None:
        return f"{name}: no case was scored in both runs."
    claim = f"{name}{_change(found)}" if found.claimed else f"{name}: {_why_none(found)}"
    return f"{claim}{_pass_rate(found)}; {_case_counts(found)}.{_few_units(found)}"


def _change(found: ComparisonFigures) -> str:
    ends = sorted((abs(found.interval.low), abs(found.interval.high)))
    sizes = sorted((abs(found.difference or 0.0), abs(found.difference_high or 0.0)))
    digits = max(_digits(sizes[0]), 2 if ends[0] < NEXT_TO_ZERO else _digits_above_zero(ends[0]))
    first, last = (f"{size:.{digits}f}" for size in sizes)
    low = "above 0" if ends[0] < NEXT_TO_ZERO else f"{ends[0]:.{digits}f}"
    tested_note = f", {found.tested} tested together" if found.tested > 1 else ""
    span = f"{100 * found.level:g} %{tested_note}: {low} to {ends[1]:.{digits}f}"
    note = "" if found.higher_is_better else f", which is {found.verdict}"
    size = first if first == last else f"{first} to {last}"
    return f" {'rose' if found.interval.low > 0.0 else 'fell'} by {size} ({span}){note}"


def _why_none(found: ComparisonFigures) -> str:
    if found.verdict == "depends on the undecided":
        return f"whether it changed depends on {_count(found.undecided, 'undecided case')}"
    if not found.can_show:
        units = found.interval.units
        together = f" among {found.tested} tested together" if found.tested > 1 else ""
        noun = "case" if units == found.n else "group"
        return (
            f"{_count(units, noun)} {'is' if units == 1 else 'are'} too few to show any difference{together}"
        )
    if found.hidden_by_correction:
        return f"no difference shown after correction for {found.tested} tested together"
    means = " in means" if found.unseen_in_mean else ""
    if found.detectable is None:
        return f"no difference{means} shown"
    return f"no difference{means} this dataset could show (smallest: {_format(found.detectable)})"


def _pass_rate(found: ComparisonFigures) -> str:
    if found.unseen_in_mean is None or found.passes is None:
        return ""
    rates = found.passes
    before, after = _rate(rates.before, rates.before_high), _rate(rates.after, rates.after_high)
    return f", but the pass rate {found.unseen_in_mean} from {before} to {after}"


def _few_units(found: ComparisonFigures) -> str:
    if not found.interval.too_few or (not found.claimed and not found.can_show):
        return ""
    units = _count(found.interval.units, "independent case")
    return f" It rests on only {units}." if found.claimed else f" Only {units}: too few to trust."


def _case_counts(found: ComparisonFigures) -> str:
    if found.same == found.n:
        return (
            f"all {_count(found.n, 'case')} scored the same"
            if found.n > 1
            else "the one case scored the same"
        )
    first, second = (found.worse, "got worse"), (found.better, "better")
    if found.better > found.worse:
        first, second = (found.better, "got better"), (found.worse, "worse")
    rest = found.n - found.better - found.worse - found.same
    return (
        f"{_count(first[0], 'case')} {first[1]}, {second[0]} {second[1]}"
        + (f", {found.same} the same" if found.same else "")
        + (f", {rest} undecided" if rest else "")
    )


def _capitalised(name: str) -> str:
    words = name.replace("_", " ")
    return words[:1].upper() + words[1:]


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _rate(low: float, high: float) -> str:
    most = "" if low == high else f"\N{EN DASH}{100 * high:.3g}"
    return f"{100 * low:.3g}{most} %"


def _digits(value: float) -> int:
    """Return the decimals to print: two, or more where two would print a difference as zero or nearly so."""
    digits = 2
    while value and round(value, digits) < 2 * 10**-digits and digits < _MAX_DIGITS:
        digits += 1
    return digits


def _digits_above_zero(value: float) -> int:
    """Return the decimals to print: two, or more where two would print a number as zero."""
    digits = 2
    while value and not round(value, digits) and digits < _MAX_DIGITS:
        digits += 1
    return digits


def _format(value: float) -> str:
    return f"{value:.{_digits(value)}f}"
