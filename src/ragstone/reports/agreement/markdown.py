"""Agreement report as Markdown: figures beside those of one annotator, confusion, calibration, worst disagreements."""

from collections.abc import Iterator

from ragstone.reports.agreement.figures import (
    figures,
    format_estimate,
    label_summary,
    people_figures,
    sentences,
)
from ragstone.reports.agreement.model import AgreementReport, MetricAgreement
from ragstone.reports.formats.markdown import escape
from ragstone.reports.numbers import score
from ragstone.reports.view.report_view import dataset_name
from ragstone.stats.agreement import LabelAgreement


def render(found: AgreementReport) -> str:
    """Return the agreement report as Markdown."""
    return "\n".join(_lines(found))


def _lines(agreement: AgreementReport) -> Iterator[str]:
    plan = agreement.report.run.plan
    yield f"## {escape(plan.judge)} against people\n"
    yield f"{escape(dataset_name(agreement.report))} · {escape(label_summary(agreement.labels))}\n"
    for metric in agreement.metrics:
        yield from _metric(metric)
    people_rows = list(people_figures(agreement))
    if people_rows and agreement.people:
        yield f"### People with each other, n = {agreement.people.n:,}\n"
        yield from (f"- {figure.name} {format_estimate(figure.judge)}" for figure in people_rows)
        yield ""
    notes = (*agreement.report.run.notes, *(f"Not read: {row}" for row in agreement.report.rejected[:5]))
    yield from (f"- {escape(note)}" for note in notes)


def _metric(metric: MetricAgreement) -> Iterator[str]:
    yield f"### {escape(metric.name)}, n = {metric.n:,}\n"
    rows = list(figures(metric))
    if rows:
        yield "| | judge with people (95 %) | one person with the others |\n| --- | --- | --- |"
        yield from (
            f"| {name} | {format_estimate(judge)} | {format_estimate(person)} |"
            for name, judge, person in rows
        )
        yield ""
    yield from (f"- {text}" for text in sentences(metric))
    yield ""
    if metric.decisions:
        yield from _decisions(metric.decisions)
    if metric.worst:
        yield "Worst disagreements:\n"
        for item in metric.worst:
            reason = f": {escape(item.reason, 300)}" if item.reason else ""
            both_scores = f"people {score(item.people)}, judge {score(item.judge)}"
            yield f"- **{item.number:,}** {both_scores} {escape(item.question or item.output, 200)}{reason}"
        yield ""


def _decisions(decisions: LabelAgreement) -> Iterator[str]:
    counts = decisions.confusion
    yield f"| at {score(decisions.threshold)} | judge yes | judge no |\n| --- | --: | --: |"
    yield f"| people yes | {counts.true_positive:,} | {counts.false_negative:,} |"
    yield f"| people no | {counts.false_positive:,} | {counts.true_negative:,} |"
    yield ""
    yield "| judge's score | people say yes (95 %) | n |\n| --: | --- | --: |"
    for part in decisions.curve:
        yield f"| {score(part.score)} | {score(part.rate)} ({part.interval}) | {part.n:,} |"
    yield ""
