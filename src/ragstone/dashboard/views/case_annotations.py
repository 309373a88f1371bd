"""Annotations of one case, for its page and for the API. A person sees those of others only after giving their own."""

from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple

from pydantic import BaseModel, Field

from ragstone.dashboard.views.runs import picked
from ragstone.dashboard.views.verdicts import ANSWER, MetricVerdicts, metric_verdicts, verdicts_on
from ragstone.findings.view.findings import first_sentence
from ragstone.findings.view.metric_names import metric_name, metric_names
from ragstone.store import Annotation, StoredCase, Target
from ragstone.verdict import VerdictValue

LONGEST_NOTE = 4_000
WHOLE = Target()
ON_CASES: dict[VerdictValue, str] = {"yes": "good", "no": "bad", "idk": "unsure"}
ON_CLAIMS: dict[VerdictValue, str] = {"yes": "supported", "no": "contradicted", "idk": "not mentioned"}


class AnnotationTarget(BaseModel, frozen=True, extra="forbid"):
    """The target of an annotation, and the annotator.

    Attributes:
        index: place of the test case in its run, from 0.
        spec: spec of the metric whose result is meant; empty for the test case as a whole.
        statement: number, from 0, of the claim among that result's verdicts; None for the whole.
    """

    index: int = Field(ge=0, le=2**53)
    spec: str = Field("", max_length=2_000)
    statement: int | None = Field(None, ge=0, le=2**31 - 1)
    annotator: str = Field(min_length=1, max_length=80)

    @property
    def target(self) -> Target:
        """The target as the store takes it."""
        return Target(self.spec, self.statement)


class AnnotationIn(AnnotationTarget, frozen=True):
    """A verdict to store; it replaces the same person's earlier one.

    Attributes:
        verdict: yes (good, supported), no (bad, contradicted), or idk (unsure, not mentioned).
        note: why, in the person's words.
    """

    verdict: VerdictValue
    note: str = Field("", max_length=LONGEST_NOTE)


class AnnotationOut(AnnotationIn, frozen=True):
    """A stored verdict with the words of the claim, if it is on one; times are in UTC."""

    case_id: str
    claim: str
    created: datetime
    updated: datetime


def annotation_out(kept: Annotation) -> AnnotationOut:
    """Return a stored annotation as an API response."""
    return AnnotationOut.model_construct(
        index=kept.case_index,
        spec=kept.target.spec,
        statement=kept.target.statement,
        **picked(kept, "annotator", "verdict", "note", "case_id", "claim", "created", "updated"),
    )


class CaseAnnotations(NamedTuple):
    """The annotations of a whole case, as one person sees them: `hidden` others are shown after an own one."""

    person: str
    own: Annotation | None
    others: tuple[Annotation, ...]
    hidden: int


class Assessment(NamedTuple):
    """The verdict of a person or a metric, in words and with its reason; None where the judge could not measure."""

    who: str
    verdict: VerdictValue | None
    word: str
    why: str


def annotations_for(found: StoredCase, person: str, *, annotates: bool = True) -> CaseAnnotations:
    """Return the annotations of a case as a whole that `person` may see: who does not annotate sees all."""
    verdicts_given = [item for item in found.annotations if item.target == WHOLE]
    own = next((item for item in verdicts_given if item.annotator == person), None)
    others = tuple(item for item in verdicts_given if item is not own)
    shown = own is not None or not annotates
    return CaseAnnotations(person, own, others if shown else (), 0 if shown else len(others))


def claims_of(found: StoredCase, spec: str = "") -> MetricVerdicts | None:
    """Return the claims of an answer that a person can judge: of one metric, or of the most telling one."""
    on_answer = verdicts_on(metric_verdicts(found.case, list(found.results.values())), ANSWER)
    chosen = [judged for judged in on_answer if judged.spec == spec] if spec else on_answer
    return chosen[0] if chosen else None


def assessments(found: StoredCase, person: str, judged: MetricVerdicts | None = None) -> list[Assessment]:
    """Return the verdicts of judge and others on a case or its claims, to show after the person's own verdict."""
    others = [item for item in found.annotations if item.annotator != person]
    if judged is None:
        by_judge = _judge_assessments(found)
        words, of_people = ON_CASES, [item for item in others if item.target == WHOLE]
    else:
        by_judge = [
            Assessment(f"claim {claim.number}: judge", claim.verdict, claim.word, claim.reason or "")
            for claim in judged.claims
        ]
        words, of_people = ON_CLAIMS, [item for item in others if item.target.spec == judged.spec]
    for item in of_people:
        claim = "" if item.target.statement is None else f"claim {item.target.statement + 1}: "
        by_judge.append(Assessment(claim + item.annotator, item.verdict, words[item.verdict], item.note))
    return by_judge


def labelled_claims(verdicts_given: Iterable[Annotation], spec: str) -> dict[int, Annotation]:
    """Return the annotations on claims of a metric, by the number of the claim, from 0."""
    return {
        item.target.statement: item
        for item in verdicts_given
        if item.target.spec == spec and item.target.statement is not None
    }


def _judge_assessments(found: StoredCase) -> list[Assessment]:
    results = list(found.results.values())
    names = metric_names(results)
    words: dict[str, tuple[VerdictValue | None, str]] = {
        "passed": ("yes", "passed"),
        "missed": ("no", "missed its threshold"),
        "undecided": ("undecided", "undecided"),
        "not_measured": (None, "not measured"),
    }
    return [
        Assessment(
            metric_name(result, names),
            *words[result.status],
            result.error or first_sentence(result.reason or ""),
        )
        for result in results
        if result.status in words
    ]
