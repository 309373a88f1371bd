"""What the embedded judge finds about one text: support, relevance, usefulness, agreement with a reference."""

from dataclasses import dataclass

from ragstone.verdict import VerdictValue


@dataclass(frozen=True, slots=True)
class Judgement:
    """The verdict on one text.

    Attributes:
        verdict: yes, no, idk (not mentioned, or supporting a relevant answer) or undecided.
        probability: the chance that a careful reader says yes, 0 to 1; 0 where nothing was judged.
        reason: why, in a few words.
        passage: 1-based number of the passage it rests on, or None.
        span: position of the closest sentences in that passage, as (start, end), or None.
        contradiction_unknown: True for an idk of a detector that cannot tell whether it is contradicted.
    """

    verdict: VerdictValue
    probability: float
    reason: str
    passage: int | None = None
    span: tuple[int, int] | None = None
    contradiction_unknown: bool | None = None


def not_judged(reason: str) -> Judgement:
    """Return that a text was not judged, and why."""
    return Judgement("undecided", 0.0, reason)
