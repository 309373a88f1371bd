"""Request and response models of annotations."""

from datetime import datetime

from pydantic import BaseModel, ConfigDict, Field

from ragstone.store import Annotation, Target
from ragstone.verdict import VerdictValue

LONGEST_NOTE = 4_000


class AnnotationTarget(BaseModel):
    """The target of an annotation, and the annotator.

    Attributes:
        index: place of the test case in its run, from 0.
        spec: spec of the metric whose result is meant; empty for the test case as a whole.
        statement: number, from 0, of the claim among that result's verdicts; None for the whole.
        annotator: name of the annotator.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    index: int = Field(ge=0, le=2**53)
    spec: str = Field("", max_length=2_000)
    statement: int | None = Field(None, ge=0, le=2**31 - 1)
    annotator: str = Field(min_length=1, max_length=80)

    @property
    def target(self) -> Target:
        """The target as the store takes it."""
        return Target(self.spec, self.statement)


class AnnotationIn(AnnotationTarget):
    """A verdict to store; it replaces the same person's earlier one.

    Attributes:
        verdict: yes (good, supported), no (bad, contradicted), or idk (unsure, not mentioned).
        note: why, in the person's words.
    """

    verdict: VerdictValue
    note: str = Field("", max_length=LONGEST_NOTE)


class AnnotationOut(AnnotationIn):
    """A stored verdict.

    Attributes:
        case_id: id of the test case.
        claim: the words of the claim; empty for a whole result or test case.
        created: when it was first made, UTC.
        updated: when it was last changed, UTC.
    """

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
        annotator=kept.annotator,
        verdict=kept.verdict,
        note=kept.note,
        case_id=kept.case_id,
        claim=kept.claim,
        created=kept.created,
        updated=kept.updated,
    )
