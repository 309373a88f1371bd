"""The labels of a metric in two runs: two bars of their shares, the change of each, and the moves."""

from collections.abc import Iterable
from typing import Protocol

from ragstone.findings.comparison.label_text import label_test, points, share_range
from ragstone.findings.numbers import count
from ragstone.show.document import Paragraph, Row, Section, Table, TableColumn, cut, line, quiet
from ragstone.show.labels import parts_bar
from ragstone.stats.label_change import LabelChange, ShareChange

_TWO = 2


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
        parts_bar(found.categories, lows, f"{cut(name, 60)} {when}")
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
