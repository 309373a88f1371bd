"""The verdicts behind a score, with the metric's words for them and the passage they rest on.

A result's metadata may come from a metric of the user's own or from a file: values that do not look like a verdict are
left out, and so are places that the case does not have.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple, cast

from ragstone.case import TestCase
from ragstone.metric_label import PER_TURN, base_name
from ragstone.metrics.base.catalog import BUILT_IN
from ragstone.plugins import load
from ragstone.prompts import Prompt
from ragstone.result import Result
from ragstone.text.sentences import sentences
from ragstone.verdict import PLAIN_LABELS, VerdictValue

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
    before, after = passage[:start], passage[end:]
    if len(before) > _CONTEXT_LENGTH:
        before = f"…{before[-_CONTEXT_LENGTH:]}"
    if len(after) > _CONTEXT_LENGTH:
        after = f"{after[:_CONTEXT_LENGTH]}…"
    return Quote(before, passage[start:end], after)


def _evidence(case: TestCase, result: Result) -> tuple[str, ...]:
    field = verdict_labels_for(result).evidence
    texts: object = case.get(field) if field else None
    return cast("tuple[str, ...]", texts) if isinstance(texts, tuple) else ()


def first_sentence(reason: str) -> str:
    """Return the first sentence, which has the count. The others repeat the verdicts, which are listed anyway."""
    sentence, dot, _ = reason.partition(". ")
    return sentence + dot.strip()


class VerdictLabels(NamedTuple):
    """The verdict labels of one metric."""

    yes: str = "yes"  # label of a yes on a statement or passage
    no: str = "no"  # label of a no
    idk: str = "not mentioned"  # label of an idk
    undecided: str = "undecided"  # label of a verdict that the judge could not make
    # verdicts that explain a bad score, the most important first
    shown_verdicts: tuple[str, ...] = ("no", "idk", "undecided")
    of_passages: bool = False  # whether the verdicts are on whole passages rather than on statements
    # the field of the test case whose passages the verdicts number; empty where they rest on other texts
    evidence: str = "retrieval_context"
    subject: str = "actual_output"  # the field whose text contains the statements; empty if none does


_METRIC_LABELS = {
    "answer_acceptance": VerdictLabels("holds", "fault", "not answered"),
    "answer_correctness": VerdictLabels(evidence=""),
    "answer_relevancy": VerdictLabels(shown_verdicts=("no", "undecided")),
    "answered_parts": VerdictLabels(evidence="", subject="input"),
    "citation_precision": VerdictLabels(shown_verdicts=("no", "undecided")),
    "citation_recall": VerdictLabels(shown_verdicts=("no", "undecided")),
    "context_relevance": VerdictLabels("relevant", "irrelevant", "partly relevant", of_passages=True),
    "context_utilization": VerdictLabels(of_passages=True),
    "contextual_precision": VerdictLabels(of_passages=True),
    "contextual_recall": VerdictLabels(subject="expected_output"),
    "contextual_relevancy": VerdictLabels(subject="retrieval_context"),
    "factual_correctness": VerdictLabels(evidence=""),
    "groundedness": VerdictLabels("supported", "not supported", "partly supported"),
    "hallucination": VerdictLabels(shown_verdicts=("no", "undecided"), of_passages=True, evidence="context"),
    "rag_checker": VerdictLabels(evidence="", subject=""),
    "summarization_score": VerdictLabels("answered", "not answered", "not answered", evidence="", subject=""),
}
"""Settings that the prompts do not hold: how verdicts are shown, and labels of verdicts made from scores or answers."""

_TURN_LABELS = VerdictLabels(yes="passed", no="missed", evidence="", subject="")
"""Of a metric that is measured for each turn: its verdicts are on the assistant's turns."""


def verdict_labels_for(result: Result) -> VerdictLabels:
    """Return the verdict labels of a result's metric; plain words for a metric of the user's own."""
    return _labels_of(base_name(result.spec))


@cache
def _labels_of(name: str) -> VerdictLabels:
    if name.endswith(PER_TURN):
        return _TURN_LABELS
    labels = _METRIC_LABELS.get(name, VerdictLabels())
    words = _prompt_words(name)
    return labels._replace(**words) if labels[:3] == VerdictLabels()[:3] else labels


def _prompt_words(name: str) -> dict[VerdictValue, str]:
    """Return the words that the metric's prompt offers, by the value they stand for; none where prompts differ."""
    prompts: tuple[type[Prompt[Any]], ...] = load(BUILT_IN[name]).prompts if name in BUILT_IN else ()
    offered = [prompt.labels for prompt in prompts if not prompt.labels.items() <= PLAIN_LABELS.items()]
    if len(offered) != 1:
        return {}
    return {value: label.replace("_", " ") for label, value in offered[0].items()}
