"""The report on a run: the figures of its metrics, the worst cases with their verdicts, the errors, the notes."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC

from ragstone.findings.application import application_figures, mean_variances
from ragstone.findings.fingerprint import drafted_test_set
from ragstone.findings.numbers import count, score
from ragstone.findings.report import Report
from ragstone.findings.view.failures import ErrorGroup
from ragstone.findings.view.figure_text import COUNTED, interval_text, mean_text, pass_text, rule_text
from ragstone.findings.view.findings import Finding, Quote, findings, quotation
from ragstone.findings.view.metric_names import metric_name
from ragstone.findings.view.repeats import RepeatsView, UnsettledCase
from ragstone.findings.view.report_view import (
    CaseView,
    MetricView,
    ReportView,
    dataset_name,
    judges_sentence,
    report_view,
    title,
    usage_figures,
)
from ragstone.result import Result
from ragstone.show import application
from ragstone.show.document import (
    SIGNS,
    VERDICT_SIGNS,
    Document,
    Item,
    Line,
    Plot,
    Row,
    Section,
    StyledText,
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
from ragstone.show.labels import labels
from ragstone.status import STATUS_WORDS, Status

MOST_CASES = 5
"""How many of the worst cases are shown, and of the unsettled cases of each metric."""

_MAX_FINDINGS, _MAX_ERRORS, _MAX_REJECTED, _MAX_SCORES = 2, 8, 5, 10
_TABLE_WIDTH = 96
_STATUSES: dict[bool | None, Status] = {True: "passed", False: "missed", None: "not_measured"}


def document(found: Report, most: int | None = MOST_CASES) -> Document:
    """Return the report as a document; `most` is the number of worst cases that it holds, None for all."""
    view = report_view(found)
    return _filled(found, view, *repeats(view.repeats, most), *_worst(view, most))


def summary(found: Report) -> Document:
    """Return the report without its cases: the figures, why measurements failed, and what else there is to say."""
    return _filled(found, report_view(found))


def _filled(found: Report, view: ReportView, *cases: Section) -> Document:
    blocks = (*figures(found, view), *cases, *errors(view), *remarks(found, view))
    return replace(head(found, view), blocks=blocks)


def figures(found: Report, view: ReportView) -> tuple[Table | Section, ...]:
    """Return the figures of the metrics and their labels, what the application took, the variance of the means."""
    return (
        *metrics(view.metrics),
        *labels(view.metrics),
        *application.figures(application_figures(found)),
        *application.variances(mean_variances(found), found.run.plan.app_repeats),
    )


def head(found: Report, view: ReportView) -> Document:
    """Return the document without its body."""
    plan, test_set = found.run.plan, drafted_test_set(found.cases)
    when = f"{found.run.started.astimezone(UTC):%Y-%m-%d %H:%M} UTC"
    identity = " · ".join(filter(None, (when, found.run.id, f"test set {test_set}" if test_set else "")))
    told = filter(None, (identity, judges_sentence(plan), view.judge_accuracy))
    judge = line("judge ", strong(plan.judge))
    change = ""
    if found.before is not None:
        from ragstone.findings.comparison.figures import change_text  # noqa: PLC0415  (imports numpy)

        change = change_text(found, found.before)
    return Document(
        "run",
        line(strong(title(found))),
        (
            dotted(judge, cut(dataset_name(found), 80), count(len(found.cases), "case")),
            *(line(quiet(text)) for text in told),
        ),
        (),
        view.verdict,
        _STATUSES[view.passed],
        (" · ".join(usage_figures(found)),),
        change=change,
    )


def metrics(found: tuple[MetricView, ...]) -> tuple[Table, ...]:
    """Return the figures of the metrics; the counts that are 0 in all of them are left out."""
    shown: list[Status] = [
        status for status in COUNTED if any(metric.summary.counts[status] for metric in found)
    ]
    columns = (
        TableColumn("metric", style="strong"),
        TableColumn("mean", number=True, style="strong", bare=True),
        TableColumn("95 % interval", bare=True),
        TableColumn("n", number=True),
        *(TableColumn(STATUS_WORDS[status], number=True) for status in shown),
        TableColumn("passed"),
    )
    rows = tuple(_metric(metric, shown) for metric in found)
    return (Table(columns, rows, least_width=_TABLE_WIDTH),) if rows else ()


def _metric(metric: MetricView, shown: list[Status]) -> Row:
    figure = metric.summary
    rule = rule_text(metric.threshold, higher_is_better=metric.higher_is_better)
    interval = StyledText(interval_text(figure), "quiet" if not figure.n or figure.too_few else "")
    counts = (f"{figure.counts[status]:,}" if figure.counts[status] else "" for status in shown)
    label = f"{metric.name}: mean {mean_text(figure)}, {interval_text(figure)}, {rule}"
    drawn = None if figure.low is None or figure.too_few else figure.interval
    labels_only = figure.n > 0 and figure.low is None
    plot = None if labels_only else Plot(metric.scores, figure.mean, drawn, metric.threshold, label=label)
    passed = pass_text(figure).replace(" passed", "")
    cells = (cut(metric.name, 60), mean_text(figure), line(interval), f"{figure.n:,}", *counts, passed)
    return Row(cells, rule, plot)


def repeats(found: tuple[RepeatsView, ...], most: int | None) -> tuple[Section, ...]:
    """Return the judge's own spread, and the cases that are unstable or undecided."""
    held = [
        Item(
            line(strong(metric.name, 60), f"  {metric.verdict}"),
            None,
            tuple(line(quiet(text)) for text in (metric.spread, metric.advice) if text),
            first([*map(_unsettled, metric.wavering[:most])], most, len(metric.wavering)).items,
        )
        for metric in found
    ]
    remark = f"each measured {found[0].repeats} times" if found else ""
    return section("Repeats", *listed(held), remark=remark)


def _unsettled(item: UnsettledCase) -> Item:
    scores = " ".join(score(value) for value in item.scores[:_MAX_SCORES])
    words = StyledText(item.words, "idk")
    return Item(line(words, f"  {item.number:,}  {scores}  ", quiet(item.case.input, 80)), SIGNS["undecided"])


def _worst(view: ReportView, most: int | None) -> tuple[Section, ...]:
    shown = view.worst[:most]
    total = count(len(view.worst), "case")
    remark = "" if len(shown) == len(view.worst) else f"{len(shown)} of {total} that missed a threshold"
    return section("Worst first", *listed([_case(item, view) for item in shown]), remark=remark)


def _case(item: CaseView, view: ReportView) -> Item:
    case = item.case
    name = line("  ", quiet(case.name, 80)) if case.name else ""
    answer = (line(cut(case.actual_output, 320)),) if case.actual_output else ()
    question = line(strong(case.input, 240), name)
    return Item(question, StyledText(f"{item.number:,}", "quiet"), answer, tuple(_results(item, view)))


def _results(item: CaseView, view: ReportView) -> Iterator[Item]:
    """Yield the results of a case that did not pass; a verdict that two metrics share is named once."""
    shown: set[Finding] = set()
    for result in item.missed:
        found = findings(item.case, result)
        news = [finding for finding in found if replace(finding, number=0) not in shown]
        shown.update(replace(finding, number=0) for finding in found)
        reason = "" if found or not result.reason else f"  {cut(result.reason, 300)}"
        value = strong(score(result.score or 0.0, result.threshold))
        told = [_finding(each, quotation(item.case, result, each)) for each in news]
        verdicts = first(told, _MAX_FINDINGS, noun="verdict").items
        yield Item(line(_name(result, view), " ", value, reason), SIGNS["missed"], items=verdicts)
    for result in (*item.undecided, *item.not_measured):
        word = STATUS_WORDS[result.status]
        reason = f"  {cut(result.reason, 300)}" if result.reason and result.status == "undecided" else ""
        yield Item(line(_name(result, view), f" {word}", StyledText(reason, "quiet")), SIGNS[result.status])
    if item.passed:
        yield Item(line(quiet(f"{count(item.passed, 'other metric')} passed")), SIGNS["passed"])


def _name(result: Result, view: ReportView) -> str:
    return cut(metric_name(result, view.labels), 80)


def _finding(finding: Finding, quote: Quote | None) -> Item:
    mark = VERDICT_SIGNS[finding.verdict]
    subject = f"“{cut(finding.statement, 200)}”" if finding.statement else f"passage {finding.passage}"
    told: list[Line] = [line(cut(finding.reason, 300))] if finding.reason else []
    if quote is not None:
        before, span, after = quote
        told.append(line(f"passage {finding.passage}: {before}[", strong(span, 200), f"]{after}"))
    elif finding.passage and finding.statement:
        told.append(line(quiet(f"passage {finding.passage}")))
    return Item(line(StyledText(finding.word, mark.style), f"  {subject}"), mark, tuple(told))


def errors(view: ReportView) -> tuple[Section, ...]:
    """Return what was not measured, by kind of error."""
    shown = first([*map(_error, view.errors)], _MAX_ERRORS, noun="other kind")
    remark = f"{count(view.not_measured, 'result')}, not in the means"
    return section("Not measured", shown, remark=remark)


def _error(group: ErrorGroup) -> Item:
    metrics = ", ".join(f"{name} {number}" for name, number in group.metrics)
    times = f"{group.count:,} \N{MULTIPLICATION SIGN} "
    where = StyledText(f"  ({cut(metrics, 200)}; first in case {group.first})", "quiet")
    text = line(times, strong(group.kind, 60), f"  {cut(group.message, 400)}", where)
    return Item(text, SIGNS["not_measured"])


def remarks(found: Report, view: ReportView) -> tuple[Section, ...]:
    """Return the notes on a run, and the rows that could not be read."""
    rows = notes([f"not read: {row}" for row in found.rejected[:_MAX_REJECTED]], SIGNS["not_measured"])
    rejected = first(rows, None, len(found.rejected), "other row not read").items if found.rejected else ()
    return section("Notes", *listed((*notes(view.notes), *rejected)))
