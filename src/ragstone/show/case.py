"""One test case of a stored run: its verdicts, its exchanges with the judge, and its annotations."""

from collections.abc import Iterator
from typing import Any

from ragstone.findings.numbers import count, dollars, duration, score
from ragstone.findings.view.exchanges import answer_text, readable_lines
from ragstone.findings.view.findings import Finding, all_findings
from ragstone.findings.view.metric_names import metric_name, metric_names
from ragstone.result import Result
from ragstone.show.document import (
    SIGNS,
    VERDICT_SIGNS,
    Block,
    Document,
    Item,
    Items,
    Line,
    StyledText,
    dotted,
    line,
    listed,
    section,
    strong,
)
from ragstone.show.render.json import plain
from ragstone.store import Annotation, StoredCase, StoredExchange

SCHEMA = 1
"""Version of the JSON document, incremented with every incompatible change."""
_SAID = ("annotator", "verdict", "claim", "note")


def case_page(found: StoredCase, *, verbose: bool = False) -> Document:
    """Return a test case with its results, the exchanges with the judge, and people's annotations.

    Exchanges without a request, those of the embedded judge, are only counted unless `verbose`.
    """
    case = found.case
    texts = (("question", case.input), ("answer", case.actual_output), ("expected", case.expected_output))
    passages = enumerate(case.get("retrieval_context") or (), 1)
    named = (*texts, *((f"passage {number}", passage) for number, passage in passages))
    names = metric_names(found.results.values())
    results = [_result(found, result, metric_name(result, names)) for result in found.results.values()]
    annotations = section("Annotations", *listed([*map(_annotation, found.annotations)]))
    return Document(
        f"case {found.case_index + 1}",
        line(strong(case.name or case.id, 200)),
        tuple(line(StyledText(f"{name}  ", "quiet"), text) for name, text in named if text),
        (*listed(results), *_exchanges(found, verbose=verbose), *annotations),
    )


def case_values(run: str, found: StoredCase) -> dict[str, Any]:
    """Return a test case of a run as JSON has it; `case` and `results` are those of the JSON report."""
    return {
        "schema": SCHEMA,
        "run": run,
        "number": found.case_index + 1,
        "case": found.case.model_dump(mode="json", exclude_none=True, fallback=repr),
        "results": [result.model_dump(mode="json", fallback=repr) for result in found.results.values()],
        "exchanges": found.exchanges,
        "annotations": [
            {**plain(item, *_SAID), "target": str(item.target), "updated": item.updated.isoformat()}
            for item in found.annotations
        ],
    }


def _result(stored_case: StoredCase, result: Result, name: str) -> Item:
    value = "" if result.score is None else score(result.score, result.threshold)
    text = line(strong(name), f" {value}  ", result.error or result.reason or "")
    verdicts = tuple(map(_finding, all_findings(stored_case.case, result)))
    return Item(text, SIGNS[result.status], items=verdicts)


def _finding(finding: Finding) -> Item:
    subject = finding.statement or (f"passage {finding.passage}" if finding.passage else "")
    reason = (line(StyledText(finding.reason, "quiet")),) if finding.reason else ()
    return Item(line(f"{finding.word}  {subject}"), VERDICT_SIGNS[finding.verdict], reason)


def _exchanges(found: StoredCase, *, verbose: bool) -> tuple[Block, ...]:
    shown = [exchange for exchange in found.exchanges if verbose or exchange.request]
    hidden = len(found.exchanges) - len(shown)
    note = f"{count(hidden, 'prompt')} answered by the embedded judge: --verbose shows the answers"
    rest = [Item(line(StyledText(note, "quiet")))] if hidden else []
    return section("Exchanges with the judge", Items((*(_exchange(found, each) for each in shown), *rest)))


def _exchange(stored_case: StoredCase, exchange: StoredExchange) -> Item:
    asked_for = ""
    if exchange.asked_for != stored_case.case_index:
        same = f"for case {exchange.asked_for + 1}, which is identical"
        asked_for = "once for the whole run" if exchange.asked_for == -1 else same
    used = (
        (f"{exchange.input_tokens:,} + {exchange.output_tokens:,} tokens", dollars(exchange.cost))
        if exchange.calls
        else ()
    )
    recorded = "from the cache" if exchange.recorded else ""
    facts = dotted(exchange.judge, duration(exchange.latency_ms / 1000), *used, asked_for, recorded)
    return Item(line(strong(exchange.prompt), "  ", facts), None, tuple(_texts(exchange)))


def _texts(exchange: StoredExchange) -> Iterator[Line]:
    """Yield the prompt and the answer or the error, line by line with their own indentation."""
    request, answer = exchange.request.splitlines(), readable_lines(exchange.error or answer_text(exchange))
    for name, lines in (("prompt", request), ("error" if exchange.error else "answer", answer)):
        texts = [text for text in lines if text.strip()]
        if texts:
            yield line(StyledText(name, "quiet"))
        yield from (line(f"  {text}") for text in texts)


def _annotation(annotation: Annotation) -> Item:
    subject = annotation.claim or annotation.target.spec or "the case"
    note = f"  {annotation.note}" if annotation.note else ""
    text = line(strong(annotation.annotator), f" says {annotation.verdict}: {subject}{note}")
    return Item(text, VERDICT_SIGNS[annotation.verdict])
