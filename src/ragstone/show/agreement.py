"""Agreement with people: each metric's figures beside those of one annotator, and the worst disagreements."""

from collections.abc import Iterator, Sequence
from itertools import chain
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
    Table,
    cut,
    dotted,
    first,
    line,
    listed,
    notes,
    quiet,
    section,
    strong,
    table,
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
    listed_people = (_table([*people_figures(found)]),) if found.people else ()
    remark = f"n {found.people.n:,}" if found.people else ""
    rejected = first([*notes([f"not read: {row}" for row in report.rejected])], _MAX_NOTES, noun="other row")
    return Document(
        "agree",
        line(strong(dataset_name(report), 60)),
        (facts,),
        (
            *chain.from_iterable(
                section(strong(metric.name, 60), *_blocks(metric), remark=f"n {metric.n:,}")
                for metric in found.metrics
            ),
            *section("People with each other", *listed_people, remark=remark),
            *section("Notes", Items((*notes(report.run.notes), *rejected.items))),
        ),
    )


def _blocks(metric: MetricAgreement) -> Iterator[Block]:
    if rows := list(figures(metric)):
        yield _table(rows)
    yield from listed(notes([*sentences(metric)]))
    if metric.decisions:
        yield from _decisions(metric.decisions)
    if metric.labels:
        yield from _labels(metric.labels)
    yield from section("Worst disagreements", Items(tuple(map(_disagreement, metric.worst))))


def _table(rows: Sequence[AgreementFigure]) -> Table:
    names = ("", "judge with people (95 %)", "one person with the others")
    width = 3 if any(figure.person for figure in rows) else 2
    cells = [(name, format_estimate(judge), format_estimate(person))[:width] for name, judge, person in rows]
    return table(names[:width], cells)


def _decisions(found: LabelAgreement) -> Iterator[Block]:
    counts, at = found.confusion, f"at {score(found.threshold)}"
    said = [
        ("people yes", f"{counts.true_positive:,}", f"{counts.false_negative:,}"),
        ("people no", f"{counts.false_positive:,}", f"{counts.true_negative:,}"),
    ]
    yield table((at, "judge yes", "judge no"), said, numbers=("judge yes", "judge no"))
    curve = [
        (
            score(part.score),
            f"{score(part.rate)} ({part.interval})",
            _BAR * round(_BAR_WIDTH * part.rate),
            f"{part.n:,}",
        )
        for part in found.curve
    ]
    yield table(("judge's score", "people say yes (95 %)", "", "n"), curve, numbers=("n",))


def _labels(found: CategoryAgreement) -> Iterator[Block]:
    names = [cut(label, 40) for label in found.categories]
    counted = zip(names, found.table, strict=True)
    matrix = [(name, *(f"{count:,}" for count in counts)) for name, counts in counted]
    yield table(("people, by judge", *names), matrix, numbers=names)
    each_label = [
        (
            cut(each.label, 40),
            format_estimate(each.precision),
            format_estimate(each.recall),
            f"{each.people:,}",
            f"{each.judge:,}",
        )
        for each in found.labels
    ]
    columns = ("label", "precision (95 %)", "recall (95 %)", "people", "judge")
    yield table(columns, each_label, numbers=("people", "judge"))


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
