"""Answers of a judge: pydantic models that are both the schema for a language model and the parsed value.

Fields marked `InternalGrounding` are not sent: the embedded judge, or the reader of log-probabilities, fills them in.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Literal, Self, cast

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StringConstraints,
    ValidationInfo,
    model_validator,
)
from pydantic.json_schema import SkipJsonSchema

from ragstone.verdict import JUDGE_LABELS, PLAIN_LABELS, Verdict, VerdictValue, parse_verdict


@dataclass(frozen=True, slots=True)
class WireContext:
    """Validation context of an answer that came from a model: the labels that the prompt offers, with their values."""

    labels: Mapping[str, VerdictValue] | None = None


def parse_label(value: object, info: ValidationInfo) -> object:
    """Return the value that a label stands for, read leniently.

    Raises:
        ValueError: the value is not a label of the prompt.
    """
    context = info.context
    if isinstance(context, WireContext):
        return parse_verdict(value, context.labels or PLAIN_LABELS)
    return parse_verdict(value, JUDGE_LABELS)


VerdictField = Annotated[VerdictValue, BeforeValidator(parse_label)]
Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]


def without_blanks(value: object) -> object:
    """Return a list without its blank entries; a list with only blank entries is returned unchanged.

    Small models fill lists for which they have no entry with empty texts: this is not worth another request.
    """
    if not isinstance(value, list | tuple):
        return value
    entries = cast("list[object]", value)
    return [entry for entry in entries if not _is_blank(entry)] or entries


def _is_blank(entry: object) -> bool:
    parts = list(cast("dict[str, object]", entry).values()) if isinstance(entry, dict) else [entry]
    texts = [part for part in parts if isinstance(part, str)]
    return bool(texts) and not any(map(str.strip, texts))


DropBlanks = BeforeValidator(without_blanks)
"""Marks a list of texts without a known length, whose blank entries are left out."""

Texts = Annotated[tuple[Text, ...], DropBlanks]


class Answer(BaseModel):
    """Base of every answer, and of every object inside one."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    @model_validator(mode="before")
    @classmethod
    def reject_internal_fields(cls, data: object, info: ValidationInfo) -> object:
        """Reject fields that a judge does not send, in an answer that came from a model.

        Raises:
            ValueError: the answer has such a field.
        """
        if isinstance(info.context, WireContext) and isinstance(data, dict):
            sent = _sent_fields(cls)
            if not cast("dict[str, object]", data).keys() <= sent.keys():
                msg = f"unexpected properties: write {', '.join(sent)} and no others"
                raise ValueError(msg)
        return cast("object", data)


@cache
def _sent_fields(answer: type[Answer]) -> dict[str, None]:
    return {name: None for name, item in answer.model_fields.items() if not item.exclude}


class Grounding(Answer):
    """Where a verdict comes from, as far as it is known.

    Attributes:
        passage: number of the passage, from 1.
        span: character offsets in that passage.
        probability: probability of yes.
        judge: the judge of this verdict, where several judges answered one prompt.
        contradiction_unknown: True for an idk that may also be a contradiction.
    """

    passage: int | None = None
    span: tuple[int, int] | None = None
    probability: float | None = None
    judge: str | None = None
    contradiction_unknown: bool | None = None

    def verdict(self, statement: str, word: VerdictValue, reason: str | None, passage: int | None) -> Verdict:
        """Return the verdict that rests on this evidence, in the given passage."""
        span = self.span if passage == self.passage else None
        return Verdict(
            statement, word, reason, passage, span, self.probability, self.judge, self.contradiction_unknown
        )


NO_GROUNDING = Grounding()
InternalGrounding = SkipJsonSchema[Grounding]
"""Type of a field that is not sent."""


class Decision(Answer):
    """One verdict on an item that the prompt numbered.

    Attributes:
        item: the item's number, from 1.
        passage: number of the passage that decides, where the prompt asks for it.
        reason: why.
        verdict: yes, no, idk or undecided; on the wire one of the prompt's labels.
        evidence: what the embedded judge knows beside.
    """

    item: int | None = None
    passage: int | None = None
    reason: str | None = None
    verdict: VerdictField
    evidence: InternalGrounding = Field(default=NO_GROUNDING, exclude=True)

    def on(self, statement: str) -> Verdict:
        """Return the verdict of this decision on `statement`."""
        passage = self.evidence.passage if self.passage is None else self.passage
        return self.evidence.verdict(statement, self.verdict, self.reason, passage)


class Decisions(Answer):
    """One verdict for each numbered item, in order."""

    verdicts: tuple[Decision, ...]

    def on(self, statements: tuple[str, ...]) -> tuple[Verdict, ...]:
        """Return the verdicts on `statements`, one each."""
        return tuple(decision.on(text) for decision, text in zip(self.verdicts, statements, strict=True))

    @classmethod
    def of(cls, *words: VerdictValue) -> Self:
        """Return decisions without reasons, for scripts and examples."""
        return cls(verdicts=tuple(Decision(reason=None, verdict=word) for word in words))


class AspectVerdict(Answer):
    """Yes or no on a text as a whole, and why."""

    reason: str
    verdict: VerdictField


def _reject_bool(value: object) -> object:
    if isinstance(value, bool):
        msg = f"{value!r} is no score: write a whole number"
        raise ValueError(msg)  # noqa: TRY004  (pydantic turns ValueError, not TypeError, into a field's message)
    return value


class Rating(Answer):
    """A whole-numbered score, and why.

    Attributes:
        reason: why.
        score: the score.
        distribution: scores with their probabilities where the model gave them, or with shares of a jury.
        weighed_by: which of the two it is.
        undecided: whether the judge cannot tell; the score says nothing then, and the reason says why.
    """

    reason: str
    score: Annotated[int, BeforeValidator(_reject_bool)]
    distribution: SkipJsonSchema[dict[int, float] | None] = Field(default=None, exclude=True)

    weighed_by: SkipJsonSchema[Literal["logprobs", "jurors"]] = Field(default="logprobs", exclude=True)
    undecided: SkipJsonSchema[bool] = Field(default=False, exclude=True)

    @property
    def value(self) -> float:
        """The mean of the distribution where there is one, else the score."""
        if not self.distribution:
            return self.score
        return sum(score * mass for score, mass in self.distribution.items())
