"""Annotations of one case. A person sees those of others only after giving their own."""

from collections.abc import Iterable
from typing import NamedTuple

from ragstone.dashboard.views.verdicts import ANSWER, MetricVerdicts, metric_verdicts, verdicts_on
from ragstone.findings.view.findings import first_sentence
from ragstone.findings.view.metric_names import metric_name, metric_names
from ragstone.store import Annotation, StoredCase, Target
from ragstone.verdict import VerdictValue

WHOLE = Target()
ON_CASES: dict[VerdictValue, str] = {"yes": "good", "no": "bad", "idk": "unsure"}
ON_CLAIMS: dict[VerdictValue, str] = {"yes": "supported", "no": "contradicted", "idk": "not mentioned"}


class CaseAnnotations(NamedTuple):
    """The annotations of a case as a whole, as one person sees them.

    Attributes:
        person: the viewer.
        own: this person's annotation.
        others: the annotations of others; empty until there is an own one.
        hidden: number of annotations by others that are not shown yet.
    """

    person: str
    own: Annotation | None
    others: tuple[Annotation, ...]
    hidden: int


class Assessment(NamedTuple):
    """The verdict of a person or of the judge.

    Attributes:
        who: an annotator, or a metric.
        verdict: yes, no or idk; None where the judge could not measure.
        word: the verdict in words.
        why: the note, or the judge's reason.
    """

    who: str
    verdict: VerdictValue | None
    word: str
    why: str


def annotations_for(found: StoredCase, person: str, *, annotates: bool = True) -> CaseAnnotations:
    """Return the annotations of a case as a whole that `person` may see: who does not annotate sees all."""
    verdicts_given = [item for item in found.annotations if item.target == WHOLE]
    own = next((item for item in verdicts_given if item.annotator == person), None)
    others = tuple(item for item in verdicts_given if item.annotator != person)
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
        return [
            *_judge_assessments(found),
            *(_human_assessment(item, ON_CASES) for item in others if item.target == WHOLE),
        ]
    on_claims = [
        Assessment(f"claim {claim.number}: judge", claim.verdict, claim.word, claim.reason or "")
        for claim in judged.claims
    ]
    return [
        *on_claims,
        *(_human_assessment(item, ON_CLAIMS) for item in others if item.target.spec == judged.spec),
    ]


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


def _human_assessment(annotation: Annotation, words: dict[VerdictValue, str]) -> Assessment:
    who = (
        annotation.annotator
        if annotation.target.statement is None
        else f"claim {annotation.target.statement + 1}: {annotation.annotator}"
    )
    return Assessment(who, annotation.verdict, words[annotation.verdict], annotation.note)
