"""What the answers of an application took, in one run, and the change between two."""

from math import isinf
from typing import TYPE_CHECKING

from ragstone.findings.application import ApplicationFigures, QuantityChange, QuantityFigures
from ragstone.findings.numbers import count, dollars, percent
from ragstone.findings.variance import MeanVariance
from ragstone.metrics.shared.quantities import Quantity
from ragstone.show.document import (
    ARROW,
    SIGNS,
    Item,
    Items,
    Row,
    Section,
    Table,
    TableColumn,
    line,
    listed,
    quiet,
    section,
    strong,
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
    columns = tuple(
        TableColumn(name) for name in ("", "mean (95 %)", "median (95 %)", "95th percentile (95 %)", "total")
    )
    rows = tuple(_row(each) for each in found.quantities)
    blocks = (Table(columns, rows),) if rows else ()
    share, span = percent(found.failed / found.asked), found.failure_interval
    failed = f"{found.failed:,} of {count(found.asked, 'question')} failed: {share}"
    sure = f" ({percent(span.low)} to {percent(span.high)})"
    told = Item(line(f"{failed}{sure}"), SIGNS["not_measured" if found.failed else "passed"])
    return section(
        "Application", *blocks, *listed([told]), remark=f"{found.application}, {found.concurrency} at once"
    )


def _row(found: QuantityFigures) -> Row:
    quantity, interval = found.quantity, found.interval
    few = interval.too_few or isinf(interval.high)
    span = (
        "too few to say" if few else f"{amount(interval.low, quantity)} to {amount(interval.high, quantity)}"
    )
    total = "" if quantity == "latency" else amount(found.total, quantity)
    mean = f"{amount(found.mean, quantity)} ({span})"
    return Row((quantity, mean, _quantile(found.median, quantity), _quantile(found.high, quantity), total))


def _quantile(found: "Quantile", quantity: Quantity) -> str:
    value = amount(found.value, quantity)
    if isinf(found.low):
        return value if isinf(found.high) else f"{value} (up to {amount(found.high, quantity)})"
    low = amount(found.low, quantity)
    return (
        f"{value} (at least {low})"
        if isinf(found.high)
        else f"{value} ({low} to {amount(found.high, quantity)})"
    )


def variances(found: tuple[MeanVariance, ...], repeats: int) -> tuple[Section, ...]:
    """Return where the uncertainty of each mean comes from; nothing where each question has one answer."""
    held = tuple(
        Item(
            line(strong(each.name, 60), f"  {each.shares}"),
            None,
            (line(quiet(each.spreads)), line(quiet(each.advice))),
        )
        for each in found
    )
    return (
        section("Variance of the means", Items(held), remark=f"{repeats} answers to each question")
        if held
        else ()
    )


def changes(found: tuple[QuantityChange, ...]) -> tuple[Section, ...]:
    """Return the section on what changed between two runs; nothing where neither has such figures."""
    columns = (TableColumn(""), *(TableColumn(name) for name in ("before", "after", "change (95 %)", "n")))
    rows = tuple(
        Row(
            (
                name,
                amount(ratio.before, quantity),
                f"{ARROW} {amount(ratio.after, quantity)}",
                change_text(ratio, quantity),
                f"{ratio.n:,}",
            )
        )
        for quantity, mean, high in found
        for name, ratio in ((quantity, mean), (f"{quantity}, 95th percentile", high))
        if ratio is not None
    )
    return section("Application", Table(columns, rows)) if rows else ()


def change_text(ratio: "PairedRatio", quantity: Quantity) -> str:
    """Return a change such as `cheaper by 38 % (31 to 44)`, or that none is shown."""
    known = not isinf(ratio.high)
    less, more = _WORDS[quantity]
    span = f" ({_percents(ratio.low)} to {_percents(ratio.high)} %)" if known else " (too few to say)"
    if not known or ratio.low <= 1.0 <= ratio.high:
        return (
            f"{_percents(ratio.ratio)} %{span}: no change shown"
            if known
            else f"{_percents(ratio.ratio)} %{span}"
        )
    ends = sorted(abs(end - 1.0) for end in (ratio.low, ratio.high))
    size = f"{abs(ratio.ratio - 1.0):.0%}".replace("%", " %")
    return f"{less if ratio.ratio < 1 else more} by {size} ({ends[0] * 100:.0f} to {ends[1] * 100:.0f})"


def _percents(ratio: float) -> str:
    change = (ratio - 1.0) * 100
    text = f"{abs(change):.0f}"
    sign = "+" if change > 0 else "\N{MINUS SIGN}"
    return text if text == "0" else f"{sign}{text}"
