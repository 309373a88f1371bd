"""The labels of a metric as bars of their shares: in one run with counts and intervals, in two with what moved."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from ragstone.findings.numbers import count, p_value, percent
from ragstone.findings.view.figure_text import share_interval_text, share_range, share_text
from ragstone.show.document import (
    ARROW,
    MINUS,
    PART_SIGNS,
    Bar,
    Line,
    Paragraph,
    Part,
    Section,
    cut,
    line,
    quiet,
    table,
)
from ragstone.stats.shares import Shares

if TYPE_CHECKING:  # a report on a run without labels needs no numpy
    from ragstone.findings.comparison import MetricChange
    from ragstone.findings.view.report_view import MetricView
    from ragstone.stats.label_change import LabelChange, ShareChange

_OPEN, _TWO, _ROUNDING, _MAX_MOVES = "?", 2, 1e-9, 4


def labels(metrics: "Iterable[MetricView]") -> tuple[Section, ...]:
    """Return a section for each metric that gives labels."""
    return tuple(
        _section(metric.name, metric.summary.shares)
        for metric in metrics
        if metric.summary.shares is not None and metric.summary.shares.n
    )


def label_changes(metrics: "Iterable[MetricChange]") -> tuple[Section, ...]:
    """Return a section for each metric that gives labels in both runs: two bars, the labels, and the moves."""
    return tuple(
        _change_section(metric.name, metric.labels)
        for metric in metrics
        if metric.labels is not None and metric.labels.n
    )


def part_signs(shares: Shares) -> list[str]:
    """Return the pattern of each label."""
    return [PART_SIGNS[place % len(PART_SIGNS)] for place in range(len(shares.labels))]


def label_bar(shares: Shares, name: str) -> Bar:
    """Return the shares as one bar, in the order of the categories; undecided cases come last."""
    return _bar([share.label for share in shares.labels], [share.low or 0.0 for share in shares.labels], name)


def _bar(categories: Sequence[str], lows: Sequence[float], name: str) -> Bar:
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
    rows: list[tuple[Line | str, ...]] = [
        (
            line(f"{part.sign} ", cut(share.label, 60)),
            share_text(share, shares),
            share_interval_text(share),
            f"{share.count:,}",
        )
        for part, share in zip(bar.parts, shares.labels, strict=False)
    ]
    if shares.undecided:
        rows.append((f"{_OPEN} undecided", "", "", f"{shares.undecided:,}"))
    names = ("label", "share", f"interval (95 %{together})", "n")
    held = (bar, table(names, rows, numbers=("share", "n"), strong=("label",)))
    grouped = f" in {count(shares.groups, 'group')}" if shares.groups != shares.n else ""
    return Section(f"Labels of {cut(name, 60)}", held, f"{count(shares.n, 'case')}{grouped}")


def _change_section(name: str, found: "LabelChange") -> Section:
    lows = ((when, [getattr(share, when)[0] for share in found.shares]) for when in ("before", "after"))
    before, after = (_bar(found.categories, low, f"{cut(name, 60)} {when}") for when, low in lows)
    tested = found.tested * (len(found.shares) if len(found.shares) > _TWO else 1)
    level = f"95 %, {tested} together" if tested > 1 else "95 %"
    rows = [
        (
            line(f"{part.sign} ", cut(share.label, 60)),
            share_range(share.before),
            share_range(share.after),
            _difference(share),
        )
        for part, share in zip(before.parts, found.shares, strict=False)
    ]
    names, ends = ("label", "before", "after", f"difference ({level})"), ("before", "after")
    listed = table(names, rows, numbers=ends, strong=("label",), note=_test(found))
    was, now = (Paragraph(line(quiet(when))) for when in ("before", "after"))
    held = (was, before, now, after, listed)
    undecided = f", {found.undecided:,} undecided" if found.undecided else ""
    remark = f"{found.moved:,} of {count(found.n, 'case')} moved{undecided}"
    return Section(f"Labels of {cut(name, 60)}", held, remark)


def _difference(share: "ShareChange") -> str:
    size = " to ".join(dict.fromkeys(_points(end) for end in share.difference))
    sign = {"rose": "▴ ", "fell": "▾ "}.get(share.verdict, "")
    if share.interval.too_few and share.verdict == "no change shown":
        return f"{size} (too few to say)"
    return f"{sign}{size} ({_points(share.interval.low)} to {_points(share.interval.high)})"


def _points(share: float) -> str:
    """Return a difference of shares in percentage points, with its sign."""
    size = f"{abs(100.0 * share):.1f}"
    if float(size) == 0.0:
        return "0.0" if share == 0.0 else "above 0" if share > 0.0 else "below 0"
    return f"{MINUS if share < 0.0 else '+'}{size}"


def _test(found: "LabelChange") -> str:
    """Return the most frequent moves, and the test of all labels together."""
    moves = [f"{was} {ARROW} {now} {cases:,}" for was, now, cases in found.moves[:_MAX_MOVES]]
    rest = len(found.moves) - len(moves)
    listed = ", ".join([*moves, *([f"{rest} others"] if rest > 0 else [])])
    p = f"Stuart-Maxwell {p_value(found.adjusted_p)}"
    if found.tested > 1:
        p += f" (Holm, {found.tested} metrics with labels)"
    if found.verdict == "depends on the undecided":
        p += "; it depends on the undecided"
    return f"{listed}; {p}" if listed else p
