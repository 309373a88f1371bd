"""A comparison as Markdown, fit for a pull request: the verdict, a table, the sentences, the flipped cases."""

from collections.abc import Iterator

from ragstone.reports.comparison.figures import details, difference, means
from ragstone.reports.comparison.model import MetricChange, RunComparison
from ragstone.reports.formats.markdown import escape
from ragstone.reports.numbers import count, score
from ragstone.reports.report import Report

SIGN_OF_STATE = {"red": "✗", "yellow": "⚠", "green": "✓"}
"""The sign that marks a comparison or a gate."""

_MAX_FLIPS, _MAX_IDS = 10, 10
_TABLE_HEADER = """\
| metric | before | after | difference ({level}) | n | worse | better |
| --- | --: | --: | --- | --: | --: | --: |"""


def render(comparison: RunComparison) -> str:
    """Return the comparison as Markdown."""
    return "\n".join(_lines(comparison))


def _lines(comparison: RunComparison) -> Iterator[str]:
    sign = SIGN_OF_STATE[comparison.state]
    before, after = _run_name(comparison.before), _run_name(comparison.after)
    yield f"## {sign} {before} → {after}\n"
    yield f"**{escape(comparison.verdict)}**\n"
    yield f"{count(comparison.cases, 'case')} in common · judge **{escape(comparison.after.run.plan.judge)}**\n"
    if comparison.metrics:
        yield _TABLE_HEADER.format(level=_level_text(comparison))
        yield from map(_row, comparison.metrics)
        yield ""
        for metric in comparison.metrics:
            yield from _metric(metric, comparison)
        yield ""
    yield from _flips(comparison)
    yield from _notes(comparison)


def _level_text(comparison: RunComparison) -> str:
    tested = max((metric.comparison.tested for metric in comparison.metrics), default=1)
    return f"95 %, {tested} together" if tested > 1 else "95 %"


def _run_name(report: Report) -> str:
    return escape(report.run.plan.name or report.run.id, 80)


def _row(metric: MetricChange) -> str:
    comparison = metric.comparison
    cells = (
        escape(metric.name),
        *means(comparison, "\N{EN DASH}"),
        difference(comparison),
        str(comparison.n),
        str(comparison.worse),
        str(comparison.better),
    )
    return f"| {' | '.join(cells)} |"


def _metric(metric: MetricChange, comparison: RunComparison) -> Iterator[str]:
    change = metric.comparison
    yield f"- {escape(change.sentence())}"
    if texts := list(details(metric, comparison, "metrics")):
        yield f"  <br>{'; '.join(texts)}"


def _flips(comparison: RunComparison) -> Iterator[str]:
    for metric in comparison.metrics:
        if metric.flips:
            yield f"### {escape(metric.name)}: {metric.broke} broke, {metric.flips.mended} mended\n"
            for flip in metric.flips[:_MAX_FLIPS]:
                sign = "✗" if flip.broke else "✓"
                reason = f": {escape(flip.reason, 300)}" if flip.reason else ""
                change = f"{score(flip.before)} → {score(flip.after)}"
                yield f"- {sign} {change} {escape(flip.question or flip.case_id, 160)}{reason}"
            remaining = len(metric.flips) - _MAX_FLIPS
            if remaining > 0:
                yield f"- and {count(remaining, 'other')}"
            yield ""


def _notes(comparison: RunComparison) -> Iterator[str]:
    for warning in comparison.warnings:
        yield f"- ⚠ {escape(warning)}"
    for heading, names in unmatched(comparison):
        text = ", ".join(escape(name, 80) for name in names[:_MAX_IDS])
        more = f" and {count(len(names) - _MAX_IDS, 'other')}" if len(names) > _MAX_IDS else ""
        yield f"- {heading}: {text}{more}"


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
