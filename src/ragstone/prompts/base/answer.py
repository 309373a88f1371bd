"""What a judge answers: pydantic models that are at once the schema a model must fill and the value we read.

Fields marked `InternalGrounding` are not sent: the embedded judge, or the reading of log-probabilities, fills them in.
"""

from collections.abc import Mapping
from functools import cache
from typing import Annotated, Any, Literal, Self, cast

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

from ragstone.verdict import Verdict, VerdictValue, parse_verdict

WIRE_CONTEXT = {"wire": True}
"""Validation context of an answer that came from a model."""

VerdictField = Annotated[VerdictValue, BeforeValidator(parse_verdict)]
Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]


class Answer(BaseModel):
    """Base of every answer, and of every object inside one."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    @model_validator(mode="before")
    @classmethod
    def _reject_internal_fields(cls, data: object, info: ValidationInfo) -> object:
        if info.context is WIRE_CONTEXT and isinstance(data, dict):
            surplus = cast("dict[str, object]", data).keys() - wire_schema(cls)["properties"].keys()
            if surplus:
                msg = f"unexpected properties {sorted(surplus)}"
                raise ValueError(msg)
        return cast("object", data)


class Grounding(Answer):
    """Where a verdict comes from, as far as the judge can tell.

    Attributes:
        passage: number of the passage, from 1.
        span: character offsets in that passage.
        probability: probability of yes.
    """

    passage: int | None = None
    span: tuple[int, int] | None = None
    probability: float | None = None

    def verdict(self, statement: str, word: VerdictValue, reason: str | None, passage: int | None) -> Verdict:
        """Return the verdict that rests on this evidence, in the given passage."""
        span = self.span if passage == self.passage else None
        return Verdict(statement, word, reason, passage, span, self.probability)


NO_GROUNDING = Grounding()
InternalGrounding = SkipJsonSchema[Grounding]
"""Type of a field that never travels."""


class Decision(Answer):
    """One verdict on an item that the prompt numbered."""

    reason: str | None = None
    verdict: VerdictField
    evidence: InternalGrounding = Field(default=NO_GROUNDING, exclude=True)

    def on(self, statement: str) -> Verdict:
        """Return the verdict of this decision on `statement`."""
        return self.evidence.verdict(statement, self.verdict, self.reason, self.evidence.passage)


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


def _reject_bool(value: object) -> object:
    if isinstance(value, bool):
        msg = f"{value!r} is no score: write a whole number"
        raise ValueError(msg)  # noqa: TRY004  (pydantic turns ValueError, not TypeError, into a field's message)
    return value


class Rating(Answer):
    """A whole-numbered score, and why.

    `distribution` maps scores to probabilities where the model told them, or to shares of a jury; `weighed_by` tells.
    """

    reason: str
    score: Annotated[int, BeforeValidator(_reject_bool)]
    distribution: SkipJsonSchema[dict[int, float] | None] = Field(default=None, exclude=True)

    weighed_by: SkipJsonSchema[Literal["logprobs", "jurors"]] = Field(default="logprobs", exclude=True)

    @property
    def value(self) -> float:
        """The mean of the distribution where there is one, else the score."""
        if not self.distribution:
            return self.score
        return sum(score * mass for score, mass in self.distribution.items())


@cache
def wire_schema(answer: type[Answer]) -> Mapping[str, Any]:
    """Return the JSON schema of an answer's wire, fit for strict structured output.

    Every object forbids other properties and requires all its own; references are written out; titles, defaults and
    descriptions are left away.
    """
    raw = answer.model_json_schema(mode="validation")
    return cast("Mapping[str, Any]", _strict(raw, raw.get("$defs", {})))


_SCHEMA_KEYWORDS = ("type", "enum", "anyOf", "items", "properties")


def _strict(node: Any, definitions: Mapping[str, Any]) -> Any:  # noqa: ANN401  (a JSON schema is any JSON)
    if "$ref" in node:
        return _strict(definitions[node["$ref"].rsplit("/", 1)[-1]], definitions)
    kept: dict[str, Any] = {key: node[key] for key in _SCHEMA_KEYWORDS if key in node}
    if "anyOf" in kept:
        kept["anyOf"] = [_strict(choice, definitions) for choice in kept["anyOf"]]
    if "items" in kept:
        kept["items"] = _strict(kept["items"], definitions)
    if kept.get("type") == "object":
        kept["properties"] = {name: _strict(part, definitions) for name, part in kept["properties"].items()}
        kept["required"] = list(kept["properties"])
        kept["additionalProperties"] = False
    return kept
