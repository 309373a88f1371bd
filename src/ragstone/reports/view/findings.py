"""The verdicts behind a score, with the words of the passage they rest on.

A result's metadata may come from a metric of the user's own or from a file, so its shape is not trusted: values that do
not look like a verdict are skipped.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple, cast

from ragstone.case import TestCase
from ragstone.reports.view.verdict_labels import verdict_labels_for
from ragstone.result import Result
from ragstone.verdict import VERDICT_VALUES

_CONTEXT_LENGTH = 60


class Quote(NamedTuple):
    """The decisive words of a passage, with the text around them. All of it is text under evaluation."""

    before: str
    span: str
    after: str


class Finding(NamedTuple):
    """One verdict, ready to be shown.

    Attributes:
        verdict: yes, no, idk or undecided.
        word: the metric's label for that, such as `contradicted`.
        statement: the statement that was judged; None if it is a whole passage.
        reason: the judge's reason.
        passage: number of the passage that decides, from 1.
        quote: its decisive words.
        span: start and end of those words in the passage; the end is exclusive.
    """

    verdict: str
    word: str
    statement: str | None
    reason: str | None
    passage: int | None
    quote: Quote | None
    span: tuple[int, int] | None = None


def findings(case: TestCase, result: Result) -> list[Finding]:
    """Return the verdicts that explain a bad score, the most important first."""
    shown_verdicts = verdict_labels_for(result).shown_verdicts
    found = [finding for finding in all_findings(case, result) if finding.verdict in shown_verdicts]
    return sorted(found, key=lambda finding: shown_verdicts.index(finding.verdict))


def all_findings(case: TestCase, result: Result) -> Iterator[Finding]:
    """Yield every verdict of a result, in the judge's order."""
    labels = verdict_labels_for(result)
    passages = _text_tuple(case.get(labels.evidence)) if labels.evidence else ()
    for verdict in _verdicts(result.metadata):
        number = verdict.get("passage")
        passage = passages[number - 1] if isinstance(number, int) and 0 < number <= len(passages) else None
        span = _valid_span(passage, verdict.get("span")) if passage is not None else None
        verdict_value = verdict["verdict"]
        yield Finding(
            verdict=verdict_value,
            word=getattr(labels, verdict_value),
            statement=None if labels.of_passages else _text_or_none(verdict.get("statement")),
            reason=_text_or_none(verdict.get("reason")),
            passage=number if passage is not None else None,
            quote=_quote(passage, span) if passage is not None and span is not None else None,
            span=span,
        )


def first_sentence(reason: str) -> str:
    """Return the first sentence, which has the count. The others repeat the verdicts, which are listed anyway."""
    sentence, dot, _ = reason.partition(". ")
    return sentence + dot.strip()


def _verdicts(metadata: dict[str, Any]) -> Iterator[dict[str, Any]]:
    items = metadata.get("verdicts")
    for item in cast("list[object]", items) if isinstance(items, list) else []:
        if isinstance(item, dict):
            verdict = cast("dict[str, Any]", item)
            value = verdict.get("verdict")
            if isinstance(value, str) and value in VERDICT_VALUES:
                yield verdict


def _valid_span(passage: str, span: object) -> tuple[int, int] | None:
    if not isinstance(span, list | tuple):
        return None
    match cast("list[object] | tuple[object, ...]", span):
        case [int(start), int(end)] if 0 <= start < end <= len(passage):
            return start, end
        case _:
            return None


def _quote(passage: str, span: tuple[int, int]) -> Quote:
    start, end = span
    return Quote(_tail(passage[:start]), passage[start:end], _head(passage[end:]))


def _tail(text: str) -> str:
    return text if len(text) <= _CONTEXT_LENGTH else f"…{text[-_CONTEXT_LENGTH:]}"


def _head(text: str) -> str:
    return text if len(text) <= _CONTEXT_LENGTH else f"{text[:_CONTEXT_LENGTH]}…"


def _text_or_none(value: object) -> str | None:
    return value if isinstance(value, str) and value.strip() else None


def _text_tuple(value: object) -> tuple[str, ...]:
    return cast("tuple[str, ...]", value) if isinstance(value, tuple) else ()
