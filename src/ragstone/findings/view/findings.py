"""The verdicts behind a score, with the metric's words for them and the passage they rest on.

A result's metadata may come from a metric of the user's own or from a file: values that do not look like a verdict are
left out, and so are places that the case does not have.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple, cast

from ragstone.case import TestCase
from ragstone.findings.view.verdict_labels import verdict_labels_for
from ragstone.result import Result
from ragstone.text.sentences import sentences
from ragstone.verdict import VerdictValue

_CONTEXT_LENGTH = 60


class Quote(NamedTuple):
    """The decisive words of a passage, with the text around them. All of it is text under evaluation."""

    before: str
    span: str
    after: str


@dataclass(frozen=True, slots=True)
class Finding:
    """One verdict, ready to be shown.

    Attributes:
        number: its place among the verdicts of its metric, from 1.
        verdict: yes, no, idk or undecided.
        word: the metric's label for that, such as `contradicted`.
        statement: the statement that was judged; None if it is a whole passage.
        reason: the judge's reason.
        passage: number of the passage that decides, from 1.
        span: start and end of the decisive words in the passage, within one sentence; the end is exclusive.
    """

    number: int
    verdict: VerdictValue
    word: str
    statement: str | None
    reason: str | None
    passage: int | None
    span: tuple[int, int] | None = None


def findings(case: TestCase, result: Result) -> list[Finding]:
    """Return the verdicts that explain a bad score, the most important first."""
    shown_verdicts = verdict_labels_for(result).shown_verdicts
    found = [finding for finding in all_findings(case, result) if finding.verdict in shown_verdicts]
    return sorted(found, key=lambda finding: shown_verdicts.index(finding.verdict))


def all_findings(case: TestCase, result: Result) -> Iterator[Finding]:
    """Yield every verdict of a result, in the judge's order."""
    labels, passages = verdict_labels_for(result), _evidence(case, result)
    for number, verdict in enumerate(result.verdicts, 1):
        passage = verdict.passage if 0 < (verdict.passage or 0) <= len(passages) else None
        text, span = passages[passage - 1] if passage else "", verdict.span
        yield Finding(
            number,
            verdict.verdict,
            getattr(labels, verdict.verdict),
            None if labels.of_passages or not verdict.statement.strip() else verdict.statement,
            verdict.reason if verdict.reason and verdict.reason.strip() else None,
            passage,
            _deciding_span(text, span, verdict.statement)
            if span and 0 <= span[0] < span[1] <= len(text)
            else None,
        )


def _deciding_span(text: str, span: tuple[int, int], statement: str) -> tuple[int, int]:
    """Return the part of a span that decides: of several sentences the one that has the most words of the statement."""
    start, end = span
    parts = [(start + left, start + right) for left, right in sentences(text[start:end])]
    words = _words(statement)
    if len(parts) < 2 or not words:  # noqa: PLR2004  (several)
        return span
    return max(parts, key=lambda part: len(words & _words(text[slice(*part)])))


def _words(text: str) -> set[str]:
    return {*re.findall(r"\w+", text.casefold())}


def quotation(case: TestCase, result: Result, finding: Finding) -> Quote | None:
    """Return the words on which a verdict rests; None where they are not known."""
    if finding.passage is None or finding.span is None:
        return None
    passage, (start, end) = _evidence(case, result)[finding.passage - 1], finding.span
    return Quote(_tail(passage[:start]), passage[start:end], _head(passage[end:]))


def _evidence(case: TestCase, result: Result) -> tuple[str, ...]:
    field = verdict_labels_for(result).evidence
    texts: object = case.get(field) if field else None
    return cast("tuple[str, ...]", texts) if isinstance(texts, tuple) else ()


def first_sentence(reason: str) -> str:
    """Return the first sentence, which has the count. The others repeat the verdicts, which are listed anyway."""
    sentence, dot, _ = reason.partition(". ")
    return sentence + dot.strip()


def _tail(text: str) -> str:
    return text if len(text) <= _CONTEXT_LENGTH else f"…{text[-_CONTEXT_LENGTH:]}"


def _head(text: str) -> str:
    return text if len(text) <= _CONTEXT_LENGTH else f"{text[:_CONTEXT_LENGTH]}…"
