"""The labels of a metric: one bar of their shares, and a table with counts and intervals."""

from collections.abc import Iterable, Sequence
from typing import Protocol

from ragstone.reports.comparison.label_text import label_test, points, share_range
from ragstone.reports.numbers import count, percent
from ragstone.reports.view.figure_text import share_interval_text, share_text
from ragstone.show.document import (
    PART_SIGNS,
    Bar,
    Paragraph,
    Part,
    Row,
    Section,
    Table,
    TableColumn,
    cut,
    line,
    quiet,
)
from ragstone.stats.figure import Figure
from ragstone.stats.label_change import LabelChange, ShareChange
from ragstone.stats.shares import Shares

_OPEN, _TWO, _ROUNDING = "?", 2, 1e-9


class ComparedLabels(Protocol):
    """A metric in two runs."""

    @property
    def name(self) -> str:
        """Its display name."""
        ...

    @property
    def labels(self) -> LabelChange | None:
        """How its labels changed; None for a metric without labels."""
        ...


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
    return _bar([share.label for share in shares.labels], [share.low or 0.0 for share in shares.labels], name)


def label_changes(metrics: Iterable[ComparedLabels]) -> tuple[Section, ...]:
    """Return a section for each metric that gives labels in both runs: two bars, the labels, and the moves."""
    return tuple(
        _change_section(metric.name, metric.labels)
        for metric in metrics
        if metric.labels is not None and metric.labels.n
    )


def _change_section(name: str, found: LabelChange) -> Section:
    ends = [[getattr(share, when)[0] for share in found.shares] for when in ("before", "after")]
    bars = [
        _bar(found.categories, lows, f"{cut(name, 60)} {when}")
        for lows, when in zip(ends, ("before", "after"), strict=True)
    ]
    tested = found.tested * (len(found.shares) if len(found.shares) > _TWO else 1)
    level = f"95 %, {tested} together" if tested > 1 else "95 %"
    columns = (
        TableColumn("label", style="strong"),
        TableColumn("before", number=True),
        TableColumn("after", number=True),
        TableColumn(f"difference ({level})"),
    )
    rows = tuple(
        Row(
            (
                line(f"{part.sign} ", cut(share.label, 60)),
                share_range(share.before),
                share_range(share.after),
                _difference(share),
            )
        )
        for part, share in zip(bars[0].parts, found.shares, strict=False)
    )
    remark = f"{found.moved:,} of {count(found.n, 'case')} moved"
    if found.undecided:
        remark += f", {found.undecided:,} undecided"
    return Section(
        f"Labels of {cut(name, 60)}",
        (
            Paragraph(line(quiet("before"))),
            bars[0],
            Paragraph(line(quiet("after"))),
            bars[1],
            Table(columns, rows, note=label_test(found)),
        ),
        remark,
    )


def _difference(share: ShareChange) -> str:
    size = " to ".join(dict.fromkeys(points(end) for end in share.difference))
    sign = {"rose": "▴ ", "fell": "▾ "}.get(share.verdict, "")
    if share.interval.too_few and share.verdict == "no change shown":
        return f"{size} (too few to say)"
    return f"{sign}{size} ({points(share.interval.low)} to {points(share.interval.high)})"


def _bar(categories: Sequence[str], lows: Sequence[float], name: str) -> Bar:
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
