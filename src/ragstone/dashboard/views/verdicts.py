"""The verdicts of each metric on a test case, claim by claim and passage by passage.

Computed from results alone. Templates decide how they look; `findings/view/highlights.py` finds where a claim stands in
a text, as for the HTML report.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ragstone.case import TestCase
from ragstone.findings.view.findings import Finding, all_findings, verdict_labels_for
from ragstone.findings.view.metric_names import metric_name, metric_names
from ragstone.metric_label import base_name
from ragstone.result import Result

ANSWER, EXPECTED = "actual_output", "expected_output"
_PREFERRED_METRICS = (
    "answer_acceptance",
    "faithfulness",
    "groundedness",
    "response_groundedness",
    "factual_correctness",
    "answer_correctness",
)
"""Metrics that are preferred for colouring an answer: those that compare it with another text."""
_RANKING_METRICS = ("contextual_precision", "context_utilization", "context_relevance")


@dataclass(frozen=True, slots=True)
class MetricVerdicts:
    """The verdicts of one metric on a case, in the judge's order.

    Attributes:
        subject: the field whose text contains the statements; empty without one.
        evidence: the field whose passages are numbered; empty where the verdicts rest on other texts.
    """

    spec: str
    metric: str
    subject: str
    evidence: str
    claims: tuple[Finding, ...]


class RankedPassage(NamedTuple):
    """A retrieved passage with the verdict on its usefulness, and the precision of the ranks above and up to it."""

    number: int
    text: str
    claim: Finding | None
    useful: int
    before: float
    precision: float


def metric_verdicts(case: TestCase, results: Sequence[Result]) -> list[MetricVerdicts]:
    """Return the verdicts of each metric on a case; metrics without verdicts are left out."""
    names = metric_names(results)
    verdicts: list[MetricVerdicts] = []
    for result in results:
        if claims := tuple(all_findings(case, result)):
            labels, name = verdict_labels_for(result), metric_name(result, names)
            subject = "" if labels.of_passages else labels.subject
            verdicts.append(MetricVerdicts(result.spec, name, subject, labels.evidence, claims))
    return verdicts


def verdicts_on(found: Iterable[MetricVerdicts], field: str) -> list[MetricVerdicts]:
    """Return the verdicts of metrics whose statements are in a field, the preferred metrics first."""
    matching = [judged for judged in found if judged.subject == field]
    return sorted(matching, key=lambda judged: _preference(judged, _PREFERRED_METRICS))


def ranks(case: TestCase, found: Iterable[MetricVerdicts]) -> list[RankedPassage]:
    """Return the passages in the retriever's order, each with the precision up to it."""
    by_number = {claim.passage: claim for claim in _passage_claims(found)}
    passages: list[RankedPassage] = []
    useful, before = 0, 0.0
    for number, text in enumerate(case.retrieval_context or case.context or (), 1):
        claim = by_number.get(number)
        useful += claim is not None and claim.verdict == "yes"
        precision = useful / number
        passages.append(
            RankedPassage(number, text, claim, useful, precision if number == 1 else before, precision)
        )
        before = precision
    return passages


def _passage_claims(verdicts: Iterable[MetricVerdicts]) -> tuple[Finding, ...]:
    ranked = [(_preference(judged, _RANKING_METRICS), judged) for judged in verdicts if not judged.subject]
    known = [(place, judged) for place, judged in ranked if place < len(_RANKING_METRICS)]
    return min(known, key=lambda each: each[0])[1].claims if known else ()


def _preference(judged: MetricVerdicts, names: Sequence[str]) -> int:
    name = base_name(judged.spec)
    return names.index(name) if name in names else len(names)
