"""Agreement with people: each metric's figures beside those of one annotator, and the worst disagreements."""

from collections.abc import Iterator, Sequence
from typing import Any

from ragstone.findings.agreement import AgreementReport, MetricAgreement
from ragstone.findings.agreement.disagreements import Disagreement
from ragstone.findings.agreement.figures import (
    AgreementFigure,
    figures,
    format_estimate,
    label_summary,
    people_figures,
    sentences,
)
from ragstone.findings.numbers import score
from ragstone.findings.view.report_view import dataset_name
from ragstone.show.document import (
    SIGNS,
    Block,
    Document,
    Item,
    Items,
    Row,
    Table,
    TableColumn,
    cut,
    dotted,
    first,
    line,
    listed,
    notes,
    quiet,
    section,
    strong,
)
from ragstone.show.render.json import plain
from ragstone.stats.agreement import LabelAgreement
from ragstone.stats.category_agreement import CategoryAgreement

SCHEMA = 1
"""Version of the JSON document, incremented with every incompatible change."""
_BAR, _BAR_WIDTH = "█", 20
_MAX_NOTES = 5


def document(found: AgreementReport) -> Document:
    """Return the agreement as a document."""
    report = found.report
    facts = dotted(line("judge ", strong(report.run.plan.judge)), cut(label_summary(found.labels), 120))
    people = list(people_figures(found))
    among = (
        section("People with each other", _table(people), remark=f"n {found.people.n:,}")
        if found.people
        else ()
    )
    rejected = first([*notes([f"not read: {row}" for row in report.rejected])], _MAX_NOTES, noun="other row")
    return Document(
        "agree",
        line(strong(dataset_name(report), 60)),
        (facts,),
        (
            *(part for metric in found.metrics for part in _metric(metric)),
            *among,
            *section("Notes", Items((*notes(report.run.notes), *rejected.items))),
        ),
    )


def _metric(metric: MetricAgreement) -> Sequence[Block]:
    return section(strong(metric.name, 60), *_blocks(metric), remark=f"n {metric.n:,}")


def _blocks(metric: MetricAgreement) -> Iterator[Block]:
    rows = list(figures(metric))
    if rows:
        yield _table(rows)
    yield from listed(notes([*sentences(metric)]))
    if metric.decisions:
        yield from _decisions(metric.decisions)
    if metric.labels:
        yield from _labels(metric.labels)
    yield from section("Worst disagreements", Items(tuple(map(_disagreement, metric.worst))))


def _table(rows: Sequence[AgreementFigure]) -> Table:
    persons = any(figure.person for figure in rows)
    columns = (
        TableColumn(""),
        TableColumn("judge with people (95 %)"),
        TableColumn("one person with the others"),
    )
    cells = [(name, format_estimate(judge), format_estimate(person)) for name, judge, person in rows]
    width = 3 if persons else 2
    return Table(columns[:width], tuple(Row(row[:width]) for row in cells))


def _decisions(found: LabelAgreement) -> Iterator[Block]:
    counts = found.confusion
    yield Table(
        (
            TableColumn(f"at {score(found.threshold)}"),
            TableColumn("judge yes", number=True),
            TableColumn("judge no", number=True),
        ),
        (
            Row(("people yes", f"{counts.true_positive:,}", f"{counts.false_negative:,}")),
            Row(("people no", f"{counts.false_positive:,}", f"{counts.true_negative:,}")),
        ),
    )
    yield Table(
        (
            TableColumn("judge's score"),
            TableColumn("people say yes (95 %)"),
            TableColumn(""),
            TableColumn("n", number=True),
        ),
        tuple(
            Row(
                (
                    score(part.score),
                    f"{score(part.rate)} ({part.interval})",
                    _BAR * round(_BAR_WIDTH * part.rate),
                    f"{part.n:,}",
                )
            )
            for part in found.curve
        ),
    )


def _labels(found: CategoryAgreement) -> Iterator[Block]:
    names = [cut(label, 40) for label in found.categories]
    yield Table(
        (TableColumn("people, by judge"), *(TableColumn(name, number=True) for name in names)),
        tuple(
            Row((name, *(f"{count:,}" for count in counts)))
            for name, counts in zip(names, found.table, strict=True)
        ),
    )
    columns = ("label", "precision (95 %)", "recall (95 %)", "people", "judge")
    yield Table(
        tuple(TableColumn(name, number=name in ("people", "judge")) for name in columns),
        tuple(
            Row(
                (
                    cut(each.label, 40),
                    format_estimate(each.precision),
                    format_estimate(each.recall),
                    f"{each.people:,}",
                    f"{each.judge:,}",
                )
            )
            for each in found.labels
        ),
    )


def _disagreement(item: Disagreement) -> Item:
    both = f"{item.number:,}  people {item.people:.2g}, judge {score(item.judge)}  "
    if item.people_label:
        both = f"{item.number:,}  people {cut(item.people_label, 40)}, judge {cut(item.judge_label, 40)}  "
    output = [line(cut(item.output, 200))] if item.question and item.output else []
    reason = [line(quiet(item.reason, 300))] if item.reason else []
    text = line(both, cut(item.question or item.output, 120))
    return Item(text, SIGNS["missed"], (*output, *reason))


def values(found: AgreementReport) -> dict[str, Any]:
    """Return the agreement as JSON has it."""
    return {
        "schema": SCHEMA,
        "run": found.report.run.id,
        **plain(found.report.run.plan, "judge", "dataset", "prompts"),
        "label": found.labels.field,
        **plain(found.labels, "kind", "scale"),
        "labelled": sum(value is not None for value in found.labels.values),
        **plain(found, "people", "metrics"),
        "rejected": found.report.rejected,
    }
