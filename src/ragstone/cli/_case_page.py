"""One test case of a stored run in the terminal: its verdicts, its exchanges with the judge, and its annotations."""

from collections.abc import Iterator

from rich.console import RenderableType

from ragstone.reports.console.glyphs import Glyphs
from ragstone.reports.console.styles import (
    QUIET,
    STRONG,
    indented,
    joined,
    status_mark,
    styled,
    untrusted,
    verdict_mark,
)
from ragstone.reports.numbers import count, dollars, duration, score
from ragstone.reports.view.exchanges import answer_text, readable_lines
from ragstone.reports.view.findings import all_findings
from ragstone.reports.view.metric_names import metric_name, metric_names
from ragstone.result import Result
from ragstone.store import Annotation, StoredCase, StoredExchange


def case_page(found: StoredCase, glyphs: Glyphs, *, verbose: bool = False) -> Iterator[RenderableType]:
    """Yield a test case with its results, the exchanges with the judge, and people's annotations.

    Exchanges without a request, those of the embedded judge, are only counted unless `verbose`.
    """
    case = found.case
    yield joined(
        styled(f"CASE {found.case_index + 1}  ", STRONG),
        untrusted(case.name or case.id, glyphs, 200, QUIET),
        "\n",
    )
    texts = (("question", case.input), ("answer", case.actual_output), ("expected", case.expected_output))
    for name, text in texts:
        if text:
            yield joined(styled(f"{name}  ", QUIET), untrusted(text, glyphs))
    for number, passage in enumerate(case.get("retrieval_context") or (), 1):
        yield joined(styled(f"passage {number}  ", QUIET), untrusted(passage, glyphs))
    yield ""
    names = metric_names(found.results.values())
    for result in found.results.values():
        yield from _result(found, result, metric_name(result, names), glyphs)
    exchanges = [exchange for exchange in found.exchanges if verbose or exchange.request]
    if found.exchanges:
        yield styled("EXCHANGES WITH THE JUDGE\n", STRONG)
    for exchange in exchanges:
        yield from _exchange(found, exchange, glyphs)
    hidden_count = len(found.exchanges) - len(exchanges)
    if hidden_count:
        yield styled(
            f"{count(hidden_count, 'prompt')} answered by the embedded judge: --verbose shows the answers\n",
            QUIET,
        )
    for annotation in found.annotations:
        yield _annotation(annotation, glyphs)


def _result(stored_case: StoredCase, result: Result, name: str, glyphs: Glyphs) -> Iterator[RenderableType]:
    value = "" if result.score is None else score(result.score, result.threshold)
    reason = untrusted(result.error or result.reason or "", glyphs)
    yield joined(
        status_mark(result.status, glyphs),
        " ",
        untrusted(name, glyphs, 80, STRONG),
        f" {value}  ",
        reason,
    )
    for finding in all_findings(stored_case.case, result):
        subject = finding.statement or (f"passage {finding.passage}" if finding.passage else "")
        yield indented(
            joined(
                verdict_mark(finding.verdict, glyphs), " ", f"{finding.word}  ", untrusted(subject, glyphs)
            ),
            2,
        )
        if finding.reason:
            yield indented(untrusted(finding.reason, glyphs, style=QUIET), 4)
    yield ""


def _exchange(stored_case: StoredCase, exchange: StoredExchange, glyphs: Glyphs) -> Iterator[RenderableType]:
    separator = f" {glyphs.separator} "
    tokens = f"{exchange.input_tokens:,} + {exchange.output_tokens:,} tokens" if exchange.calls else ""
    asked_for = "" if exchange.asked_for == stored_case.case_index else "once for the whole run"
    if exchange.asked_for not in (stored_case.case_index, -1):
        asked_for = f"for case {exchange.asked_for + 1}, which is identical"
    recorded = "from the cache" if exchange.recorded else ""
    cost = dollars(exchange.cost) if exchange.calls else ""
    facts = (exchange.judge, duration(exchange.latency_ms / 1000), tokens, cost, asked_for, recorded)
    yield joined(
        styled(exchange.prompt, STRONG),
        "  ",
        untrusted(separator.join(filter(None, facts)), glyphs, 300, QUIET),
    )
    request, answer = exchange.request.splitlines(), readable_lines(exchange.error or answer_text(exchange))
    for name, lines in (("prompt", request), ("error" if exchange.error else "answer", answer)):
        texts = [line for line in lines if line.strip()]
        if texts:
            yield indented(styled(name, QUIET), 2)
        for line in texts:
            yield indented(untrusted(line, glyphs), 4 + len(line) - len(line.lstrip()))
    yield ""


def _annotation(annotation: Annotation, glyphs: Glyphs) -> RenderableType:
    subject = annotation.claim or annotation.target.spec or "the case"
    note = untrusted(f"  {annotation.note}", glyphs) if annotation.note else ""
    mark = verdict_mark(annotation.verdict, glyphs)
    return joined(
        mark,
        " ",
        untrusted(annotation.annotator, glyphs, 80, STRONG),
        f" says {annotation.verdict}: ",
        untrusted(subject, glyphs),
        note,
    )
