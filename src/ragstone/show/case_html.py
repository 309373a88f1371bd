"""A test case in an HTML report: one line with a cell for each metric, which opens to all texts and verdicts."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby

from ragstone.case import TestCase
from ragstone.findings.numbers import score
from ragstone.findings.printable import one_line
from ragstone.findings.view.findings import Finding, all_findings, findings, first_sentence
from ragstone.findings.view.highlights import Highlight, claim_highlights, passage_highlights, text_segments
from ragstone.findings.view.metric_names import metric_name
from ragstone.findings.view.report_view import CaseView
from ragstone.findings.view.turn_results import TurnResult, turn_results
from ragstone.metric_label import base_name
from ragstone.result import Result
from ragstone.show.document import VERDICT_SIGNS
from ragstone.show.render.html import CLASSES
from ragstone.show.render.markup import Child, Markup, element, fragment
from ragstone.status import STATUS_WORDS

_STATUS_SIGNS = {
    "passed": ("✓", "supported"),
    "missed": ("✗", "contradicted"),
    "undecided": ("?", "undecided"),
    "not_measured": ("⚠", "unmeasured"),
    "skipped": ("\N{EN DASH}", "quiet"),
    None: ("\N{MIDDLE DOT}", "quiet"),
}
_MAX_QUESTION, _MAX_EXPLANATION, _MAX_STATEMENT = 160, 140, 400
"""Maximum lengths of texts, in characters."""

_MAX_FINDINGS, _MAX_LABEL = 6, 40
_CLAIM_METRICS = ("answer_acceptance", "faithfulness")
_FACT_METRICS = ("faithfulness", "hallucination", "contextual_recall")
"""Metrics whose verdicts say whether a text is supported, so that the words themselves may be highlighted."""


def case_html(item: CaseView, names: Mapping[str, str], *, opened: bool = False) -> Markup:
    """Return one test case."""
    groups = {"missed": item.missed, "undecided": item.undecided, "not_measured": item.not_measured}
    by_metric = {result.spec: result for result in item.results}
    cells = [_cell(by_metric.get(spec), name) for spec, name in names.items()]
    line = element(
        "summary",
        element("span", f"{item.number:,}", class_="number"),
        element("span", one_line(item.case.input, _MAX_QUESTION), class_="question", dir="auto"),
        element("span", *cells, class_="cells"),
        element("span", one_line(_explanation(item), _MAX_EXPLANATION), class_="why", dir="auto"),
    )
    return element(
        "details",
        line,
        element("div", *_body(item, names), class_="body"),
        class_="case",
        id=f"case-{item.number}",
        data_status=" ".join(status for status, results in groups.items() if results) or "passed",
        open="" if opened else None,
    )


def _cell(result: Result | None, name: str) -> Markup:
    if result is None:
        return element("span", title=f"{name}: not reached", class_="cell")
    sign, style = _STATUS_SIGNS[result.status]
    word = STATUS_WORDS[result.status]
    if result.score is None and result.label is not None:
        title = f"{name}: {result.reason or result.label}"
        return element("span", one_line(result.label, _MAX_LABEL), title=title, class_="cell")
    mark = element("b", sign, class_=style)
    if result.score is None:
        return element("span", mark, title=f"{name}: {result.error or result.reason or word}", class_="cell")
    value, shade = score(result.score, result.threshold), round(result.score * 10)
    return element("span", mark, f" {value}", class_=f"cell s{shade}", title=f"{name}: {word}")


def _explanation(item: CaseView) -> str:
    """Return why a case is not passed, in short: the most important verdict of the worst result."""
    for result in item.missed:
        for finding in findings(item.case, result):
            explanation = finding.reason or finding.statement or f"passage {finding.passage}"
            return f"{finding.word}: {explanation}"
        return result.reason or ""
    if item.not_measured:
        return item.not_measured[0].error or ""
    return item.undecided[0].reason or "" if item.undecided else ""


def _body(item: CaseView, names: Mapping[str, str]) -> list[Child]:
    case = item.case
    identification = " · ".join(part for part in (case.name, case.id, ", ".join(case.tags)) if part)
    facts = [seen for seen in _findings_of(item, _FACT_METRICS) if seen.verdict in ("yes", "no")]
    parts = (
        ("question", element("p", case.input, class_="text", dir="auto")),
        ("conversation", _conversation(item, names)),
        ("answer", _answer(case, _findings_of(item, _CLAIM_METRICS))),
        (
            "expected",
            element("p", case.expected_output, class_="text", dir="auto") if case.expected_output else None,
        ),
        ("passages", _passages(case, facts)),
        ("metrics", element("div", *(_result(case, result, names) for result in item.results))),
    )
    return [
        element("p", identification, class_="quiet", dir="auto"),
        *(child for heading, body in parts if body is not None for child in (element("h3", heading), body)),
    ]


def _findings_of(item: CaseView, metrics: tuple[str, ...]) -> list[Finding]:
    chosen = [result for result in item.results if base_name(result.spec) in metrics]
    return [finding for result in chosen for finding in all_findings(item.case, result)]


def _result(case: TestCase, result: Result, names: Mapping[str, str]) -> Markup:
    sign, style = _STATUS_SIGNS[result.status]
    found = findings(case, result) if result.status in ("missed", "undecided") else []
    reason = result.error or result.reason or ""
    head = element(
        "p",
        element("b", sign, class_=style),
        " ",
        element("b", metric_name(result, names)),
        "" if result.score is None else f" {score(result.score, result.threshold)}",
        element("span", f" {result.label}") if result.label is not None else None,
        " ",
        element("span", first_sentence(reason) if found else reason, class_="quiet", dir="auto"),
    )
    omitted = len(found) - _MAX_FINDINGS
    rest = element("li", f"and {omitted} more", class_="quiet") if omitted > 0 else None
    listed = element("ul", *map(_finding, found[:_MAX_FINDINGS]), rest, class_="findings")
    return fragment(head, listed if found else None)


def _conversation(item: CaseView, names: Mapping[str, str]) -> Markup | None:
    if not item.case.turns:
        return None
    found = turn_results(item.results)
    turns = [
        element(
            "li",
            element("b", f"{turn.role} "),
            element("span", turn.content, class_="text", dir="auto"),
            *(_turn_result(each, names) for each in found.get(number, ())),
        )
        for number, turn in enumerate(item.case.turns, 1)
    ]
    return element("ol", *turns)


def _turn_result(found: TurnResult, names: Mapping[str, str]) -> Markup:
    sign, style = _STATUS_SIGNS[found.status]
    value = "" if found.score is None else f" {score(found.score, found.threshold)}"
    return element(
        "p",
        element("b", sign, class_=style),
        f" {names.get(found.spec, found.spec)}{value} ",
        element("span", one_line(found.reason, _MAX_STATEMENT), class_="quiet", dir="auto"),
    )


def _finding(finding: Finding) -> Markup:
    mark = VERDICT_SIGNS[finding.verdict]
    subject = f"passage {finding.passage}"
    if finding.statement:
        subject = f"“{one_line(finding.statement, _MAX_STATEMENT)}”"
    location = f" (passage {finding.passage})" if finding.passage and finding.statement else ""
    return element(
        "li",
        element("b", f"{mark.text} {finding.word}", class_=CLASSES[mark.style]),
        " ",
        element("span", subject, dir="auto"),
        element("span", f" {finding.reason}" if finding.reason else "", class_="quiet", dir="auto"),
        location,
    )


def _answer(case: TestCase, found: Iterable[Finding]) -> Markup | None:
    text = case.actual_output
    if not text:
        return None
    return element("p", *highlighted(text, claim_highlights(text, found)), class_="answer text", dir="auto")


def _passages(case: TestCase, found: Sequence[Finding]) -> Markup | None:
    texts = case.retrieval_context or case.context
    if not texts:
        return None
    items = [
        element("li", *highlighted(text, passage_highlights(number, found)), class_="text", dir="auto")
        for number, text in enumerate(texts, 1)
    ]
    return element("ol", *items, class_="passages")


def highlighted(text: str, marks: Iterable[Highlight]) -> list[Child]:
    """Return a text with its highlights.

    Of two that overlap, the one that begins first is drawn; of two that begin together, the longer one.
    """
    parts: list[Child] = []
    pieces = groupby(text_segments(text, marks), key=lambda piece: piece.marks[0] if piece.marks else None)
    for mark, run in pieces:
        words = "".join(piece.text for piece in run)
        parts.append(words if mark is None else element("mark", words, class_=mark.style, title=mark.title))
    return parts
