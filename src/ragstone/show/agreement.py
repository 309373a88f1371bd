"""Agreement with people: each metric's figures beside those of one annotator, and the worst disagreements."""

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

from ragstone.findings.agreement import AgreementReport, MetricAgreement
from ragstone.findings.agreement.disagreements import Disagreement
from ragstone.findings.agreement.human_labels import HumanLabels
from ragstone.findings.numbers import count, score
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
from ragstone.stats.estimate import Estimate

SCHEMA = 1
"""Version of the JSON document, incremented with every incompatible change."""
_BAR, _BAR_WIDTH = "█", 20
_MAX_NOTES, _MIN_LABELS = 5, 30

AgreementFigure = tuple[str, Estimate, Estimate | None]
"""One figure: its name, its value for the judge, and its value for one person against the others."""


def document(found: AgreementReport) -> Document:
    """Return the agreement as a document."""
    report = found.report
    facts = dotted(line("judge ", strong(report.run.plan.judge)), cut(_label_summary(found.labels), 120))
    people: list[AgreementFigure] = []
    if found.people:
        people.append(("Krippendorff's alpha", found.people.alpha, None))
        if found.people.fleiss:
            people.append(("Fleiss' kappa", found.people.fleiss, None))
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
            *section("People with each other", _table(people), remark=remark),
            *section("Notes", Items((*notes(report.run.notes), *rejected.items))),
        ),
    )


def _blocks(metric: MetricAgreement) -> Iterator[Block]:
    if rows := list(_figures(metric)):
        yield _table(rows)
    yield from listed(notes([*_sentences(metric)]))
    if metric.decisions:
        yield from _decisions(metric.decisions)
    if metric.labels:
        yield from _labels(metric.labels)
    yield from section("Worst disagreements", Items(tuple(map(_disagreement, metric.worst))))


def _figures(metric: MetricAgreement) -> Iterator[AgreementFigure]:
    decisions, labels, grades, pairs = metric.decisions, metric.labels, metric.correlations, metric.pairs
    if decisions:
        person = decisions.ceiling.human if decisions.ceiling else None
        yield "accuracy", decisions.accuracy, None
        yield "balanced accuracy", decisions.balanced_accuracy, None
        yield "Cohen's kappa", decisions.kappa, person
    if labels:
        yield "accuracy", labels.accuracy, None
        yield "Cohen's kappa", labels.kappa, None
        yield "Krippendorff's alpha", labels.alpha, None
    if metric.alpha:
        yield "Krippendorff's alpha", metric.alpha, None
    if decisions:
        yield "AUROC", decisions.auroc, None
        yield "average precision", decisions.average_precision, None
    if pairs:
        yield "prefers the same answer", pairs.accuracy, None
    if found := grades or pairs:
        human = found.ceiling.human if found.ceiling else None
        yield "Pearson's r", found.pearson, human if pairs else None
        yield "Spearman's rho", found.spearman, human if grades else None
        yield "Kendall's tau-b", found.kendall, None
    if decisions:
        yield "Brier score (0 is best)", decisions.brier, None
        yield "calibration error, ECE (0 is best)", decisions.calibration_error, None


def _estimate(estimate: Estimate | None) -> str:
    if estimate is None:
        return ""
    if estimate.value is None:
        return "undefined"
    if estimate.interval is None:
        return f"{estimate.value:.2f}"
    if estimate.interval.too_few:
        return f"{estimate.value:.2f} (too few to say)"
    return f"{estimate.value:.2f} ({estimate.interval})"


def _label_summary(labels: HumanLabels) -> str:
    labelled = sum(value is not None for value in labels.values)
    if labels.kind == "pairs":
        return f"{count(labelled // 2, 'labelled pair')} in {labels.field!r}"
    kind = f"grades from {labels.scale[0]:g} to {labels.scale[1]:g}"
    if labels.kind in ("yes or no", "labels"):
        kind = "yes or no" if labels.kind == "yes or no" else ", ".join(labels.categories)
    unlabelled = len(labels.values) - labelled
    rest = f", {unlabelled:,} without" if unlabelled else ""
    return f"{count(labelled, 'label')} in {labels.field!r} ({kind}){rest}"


def _sentences(metric: MetricAgreement) -> Iterator[str]:
    if metric.n == 0 and metric.narrowed is None:
        yield "no labelled case was measured"
        return
    if metric.turned:
        yield "lower is better: 1 - score is compared with the labels"
    if 0 < metric.n < _MIN_LABELS:
        yield f"only {count(metric.n, 'label')}: a few dozen are needed for a conclusion"
    if metric.unmeasured:
        yield f"{count(metric.unmeasured, 'labelled case')} not measured, in none of the figures"
    if metric.undecided:
        yield f"{count(metric.undecided, 'labelled case')} undecided, in none of the figures on agreement"
    if metric.narrowed:
        found = metric.narrowed
        checked = f"people checked {found.checked:,} of {count(found.bounds.undecided, 'undecided case')}"
        yield f"{checked}: the mean is {found.value:.2f} ({found.interval}); without them {found.bounds}"
    if (now := metric.decisions) and (fitted := metric.threshold):
        yield (
            f"a threshold of {fitted.value:.2f} fits best: balanced accuracy {_estimate(fitted.expected)} on "
            f"unseen cases; {_estimate(now.balanced_accuracy)} at the current {now.threshold:.2f}"
        )
    if metric.corrected:
        mean = metric.corrected
        labels = f"{count(mean.labelled, 'label')} correct {count(mean.unlabelled, 'case')} without one"
        worth = f"as good as {mean.labelled * mean.labels_worth:,.0f} labels alone"
        yield f"{mean.sentence()}: {labels} (PPI++, {worth})"


def _table(rows: Sequence[AgreementFigure]) -> Table:
    names = ("", "judge with people (95 %)", "one person with the others")
    width = 3 if any(person for *_, person in rows) else 2
    cells = [(name, _estimate(judge), _estimate(person))[:width] for name, judge, person in rows]
    return table(names[:width], cells)


def _decisions(found: LabelAgreement) -> Iterator[Block]:
    counts, at = found.confusion, f"at {score(found.threshold)}"
    said = [
        ("people yes", f"{counts.true_positive:,}", f"{counts.false_negative:,}"),
        ("people no", f"{counts.false_positive:,}", f"{counts.true_negative:,}"),
    ]
    yield table((at, "judge yes", "judge no"), said, numbers=("judge yes", "judge no"))
    rated = ((part, f"{score(part.rate)} ({part.interval})") for part in found.curve)
    curve = [
        (score(part.score), rate, _BAR * round(_BAR_WIDTH * part.rate), f"{part.n:,}") for part, rate in rated
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
            _estimate(each.precision),
            _estimate(each.recall),
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
