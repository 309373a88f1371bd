"""The labels of a metric: one bar of their shares, and a table with counts and intervals."""

from collections.abc import Iterable, Sequence
from typing import Protocol

from ragstone.findings.numbers import count, percent
from ragstone.findings.view.figure_text import share_interval_text, share_text
from ragstone.show.document import (
    PART_SIGNS,
    Bar,
    Part,
    Row,
    Section,
    Table,
    TableColumn,
    cut,
    line,
)
from ragstone.stats.figure import Figure
from ragstone.stats.shares import Shares

_OPEN, _TWO, _ROUNDING = "?", 2, 1e-9


class Labelled(Protocol):
    """A metric over the cases of a run."""

    @property
    def name(self) -> str:
        """Its display name."""
        ...

    @property
    def summary(self) -> Figure:
        """Its figures."""
        ...


def labels(metrics: Iterable[Labelled]) -> tuple[Section, ...]:
    """Return a section for each metric that gives labels."""
    return tuple(
        _section(metric.name, metric.summary.shares)
        for metric in metrics
        if metric.summary.shares is not None and metric.summary.shares.n
    )


def part_signs(shares: Shares) -> list[str]:
    """Return the pattern of each label."""
    return [PART_SIGNS[place % len(PART_SIGNS)] for place in range(len(shares.labels))]


def label_bar(shares: Shares, name: str) -> Bar:
    """Return the shares as one bar, in the order of the categories; undecided cases come last."""
    return parts_bar(
        [share.label for share in shares.labels], [share.low or 0.0 for share in shares.labels], name
    )


def parts_bar(categories: Sequence[str], lows: Sequence[float], name: str) -> Bar:
    """Return shares that add up to 1, but for what is undecided, as one bar."""
    parts = [
        Part(label, low, PART_SIGNS[place % len(PART_SIGNS)])
        for place, (label, low) in enumerate(zip(categories, lows, strict=True))
    ]
    rest = 1.0 - sum(lows)
    if rest > _ROUNDING:
        parts.append(Part("undecided", rest, _OPEN))
    words = ", ".join(f"{cut(part.name, 60)} {percent(part.share)}" for part in parts)
    return Bar(tuple(parts), f"{name}: {words}")


def _section(name: str, shares: Shares) -> Section:
    bar = label_bar(shares, cut(name, 60))
    together = (
        f", {len(shares.labels)} together" if len(shares.labels) > _TWO else ""
    )  # of two, one fixes the other
    columns = (
        TableColumn("label", style="strong"),
        TableColumn("share", number=True),
        TableColumn(f"interval (95 %{together})"),
        TableColumn("n", number=True),
    )
    rows = [
        Row(
            (
                line(f"{part.sign} ", cut(share.label, 60)),
                share_text(share, shares),
                share_interval_text(share),
                f"{share.count:,}",
            )
        )
        for part, share in zip(bar.parts, shares.labels, strict=False)
    ]
    if shares.undecided:
        rows.append(Row((f"{_OPEN} undecided", "", "", f"{shares.undecided:,}")))
    grouped = f" in {count(shares.groups, 'group')}" if shares.groups != shares.n else ""
    return Section(
        f"Labels of {cut(name, 60)}",
        (bar, Table(columns, tuple(rows))),
        f"{count(shares.n, 'case')}{grouped}",
    )
