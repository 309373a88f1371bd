"""What the answers of an application took, in one run, and the change between two."""

from math import isinf
from typing import TYPE_CHECKING

from ragstone.findings.application import ApplicationFigures, MeanVariance, QuantityChange, QuantityFigures
from ragstone.findings.numbers import count, dollars, percent
from ragstone.metrics.shared.quantities import Quantity
from ragstone.show.document import (
    ARROW,
    MINUS,
    SIGNS,
    Item,
    Section,
    line,
    listed,
    quiet,
    section,
    strong,
    table,
)

if TYPE_CHECKING:  # a report on a run without an application needs no numpy
    from ragstone.stats.quantile import Quantile
    from ragstone.stats.ratio import PairedRatio

_SECOND = 1000.0
_WORDS = {"latency": ("faster", "slower"), "cost": ("cheaper", "dearer"), "tokens": ("fewer", "more")}


def amount(value: float, quantity: Quantity) -> str:
    """Return an amount with its unit, such as `812 ms`, `2.4 s`, `$0.0012` or `652`."""
    if quantity == "cost":
        return dollars(value) if value >= 1 or not value else f"${value:.3g}"
    if quantity == "tokens":
        return f"{value:,.0f}"
    if value < _SECOND:
        return f"{value:.3g} ms" if value < 1 else f"{value:.0f} ms"
    return f"{value / _SECOND:,.1f} s"


def figures(found: ApplicationFigures | None) -> tuple[Section, ...]:
    """Return the section on the application of a run; nothing for a run without one."""
    if found is None:
        return ()
    names = ("", "mean (95 %)", "median (95 %)", "95th percentile (95 %)", "total")
    share, span = percent(found.failed / found.asked), found.failure_interval
    failed = f"{found.failed:,} of {count(found.asked, 'question')} failed: {share}"
    sure = f" ({percent(span.low)} to {percent(span.high)})"
    told = Item(line(f"{failed}{sure}"), SIGNS["not_measured" if found.failed else "passed"])
    remark = f"{found.application}, {found.concurrency} at once"
    return section("Application", table(names, map(_row, found.quantities)), *listed([told]), remark=remark)


def _row(found: QuantityFigures) -> tuple[str, ...]:
    quantity, interval = found.quantity, found.interval
    few = interval.too_few or isinf(interval.high)
    ends = f"{amount(interval.low, quantity)} to {amount(interval.high, quantity)}"
    total = "" if quantity == "latency" else amount(found.total, quantity)
    mean = f"{amount(found.mean, quantity)} ({'too few to say' if few else ends})"
    return (quantity, mean, _quantile(found.median, quantity), _quantile(found.high, quantity), total)


def _quantile(found: "Quantile", quantity: Quantity) -> str:
    value, low, high = (amount(each, quantity) for each in (found.value, found.low, found.high))
    if isinf(found.low):
        return value if isinf(found.high) else f"{value} (up to {high})"
    return f"{value} (at least {low})" if isinf(found.high) else f"{value} ({low} to {high})"


def variances(found: tuple[MeanVariance, ...], repeats: int) -> tuple[Section, ...]:
    """Return where the uncertainty of each mean comes from; nothing where each question has one answer."""
    held = [
        Item(
            line(strong(each.name, 60), f"  {each.shares}"),
            notes=(line(quiet(each.spreads)), line(quiet(each.advice))),
        )
        for each in found
    ]
    return section("Variance of the means", *listed(held), remark=f"{repeats} answers to each question")


def changes(found: tuple[QuantityChange, ...]) -> tuple[Section, ...]:
    """Return the section on what changed between two runs; nothing where neither has such figures."""
    rows = [
        (
            name,
            amount(ratio.before, quantity),
            f"{ARROW} {amount(ratio.after, quantity)}",
            change_text(ratio, quantity),
            f"{ratio.n:,}",
        )
        for quantity, mean, high in found
        for name, ratio in ((quantity, mean), (f"{quantity}, 95th percentile", high))
        if ratio is not None
    ]
    return section("Application", table(("", "before", "after", "change (95 %)", "n"), rows))


def change_text(ratio: "PairedRatio", quantity: Quantity) -> str:
    """Return a change such as `cheaper by 38 % (31 to 44)`, or that none is shown."""
    less, more = _WORDS[quantity]
    if isinf(ratio.high):
        return f"{_percents(ratio.ratio)} % (too few to say)"
    if ratio.low <= 1.0 <= ratio.high:
        span = f"({_percents(ratio.low)} to {_percents(ratio.high)} %)"
        return f"{_percents(ratio.ratio)} % {span}: no change shown"
    ends = sorted(abs(end - 1.0) for end in (ratio.low, ratio.high))
    size = f"{abs(ratio.ratio - 1.0):.0%}".replace("%", " %")
    return f"{less if ratio.ratio < 1 else more} by {size} ({ends[0] * 100:.0f} to {ends[1] * 100:.0f})"


def _percents(ratio: float) -> str:
    change = (ratio - 1.0) * 100
    text = f"{abs(change):.0f}"
    return text if text == "0" else f"{'+' if change > 0 else MINUS}{text}"
