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
    shown = [exchange for exchange in found.exchanges if verbose or exchange.request]
    if found.exchanges:
        yield styled("EXCHANGES WITH THE JUDGE\n", STRONG)
    for exchange in shown:
        yield from _exchange(found, exchange, glyphs)
    left = len(found.exchanges) - len(shown)
    if left:
        yield styled(
            f"{count(left, 'prompt')} answered by the embedded judge: --verbose shows the answers\n", QUIET
        )
    for said in found.annotations:
        yield _annotation(said, glyphs)


def _result(found: StoredCase, result: Result, name: str, glyphs: Glyphs) -> Iterator[RenderableType]:
    value = "" if result.score is None else score(result.score, result.threshold)
    because = untrusted(result.error or result.reason or "", glyphs)
    yield joined(
        status_mark(result.status, glyphs),
        " ",
        untrusted(name, glyphs, 80, STRONG),
        f" {value}  ",
        because,
    )
    for finding in all_findings(found.case, result):
        what = finding.statement or (f"passage {finding.passage}" if finding.passage else "")
        yield indented(
            joined(verdict_mark(finding.verdict, glyphs), " ", f"{finding.word}  ", untrusted(what, glyphs)),
            2,
        )
        if finding.reason:
            yield indented(untrusted(finding.reason, glyphs, style=QUIET), 4)
    yield ""


def _exchange(found: StoredCase, asked: StoredExchange, glyphs: Glyphs) -> Iterator[RenderableType]:
    dot = f" {glyphs.separator} "
    took = f"{asked.input_tokens:,} + {asked.output_tokens:,} tokens" if asked.calls else ""
    whose = "" if asked.asked_for == found.case_index else "once for the whole run"
    if asked.asked_for not in (found.case_index, -1):
        whose = f"for case {asked.asked_for + 1}, which is identical"
    recorded = "from the cache" if asked.recorded else ""
    cost = dollars(asked.cost) if asked.calls else ""
    facts = (asked.judge, duration(asked.latency_ms / 1000), took, cost, whose, recorded)
    yield joined(
        styled(asked.prompt, STRONG), "  ", untrusted(dot.join(filter(None, facts)), glyphs, 300, QUIET)
    )
    sent, answered = asked.request.splitlines(), readable_lines(asked.error or answer_text(asked))
    for name, lines in (("prompt", sent), ("error" if asked.error else "answer", answered)):
        texts = [line for line in lines if line.strip()]
        if texts:
            yield indented(styled(name, QUIET), 2)
        for line in texts:
            yield indented(untrusted(line, glyphs), 4 + len(line) - len(line.lstrip()))
    yield ""


def _annotation(said: Annotation, glyphs: Glyphs) -> RenderableType:
    what = said.claim or said.target.spec or "the case"
    note = untrusted(f"  {said.note}", glyphs) if said.note else ""
    mark = verdict_mark(said.verdict, glyphs)
    return joined(
        mark,
        " ",
        untrusted(said.annotator, glyphs, 80, STRONG),
        f" says {said.verdict}: ",
        untrusted(what, glyphs),
        note,
    )
