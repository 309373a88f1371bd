"""Replies as JSON for the cache and the store, checked again when they are read.

The text that the model wrote is stored unchanged, and is parsed and checked again by the current prompt. Fields that
the judge added and that are not on the wire, such as the distribution over ratings, are stored separately.
"""

from collections.abc import Sequence
from functools import cache
from typing import Any, TypeVar, cast

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic_core import to_json

from ragstone.judges.base import Reply
from ragstone.prompts import Answer, Decisions, Prompt
from ragstone.result import Usage

A = TypeVar("A", bound=Answer)


_EVIDENCE_KEYS = {
    "probability": "probabilities",
    "judge": "judges",
    "contradiction_unknown": "contradiction_unknown",
}
"""What is known of verdicts beside the wire, by field of their evidence, and the key of its list."""


class StoredReply(BaseModel):
    """A serialised reply.

    Attributes:
        response: the answer, as the model wrote it.
        extras: fields of the answer that are not on the wire; `beside` in JSON, as in files written so far.
        usage: calls and tokens of the answer.
        cost: US dollars, None where unknown.
        about: details of the vote, if several judges voted.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)

    response: str
    extras: dict[str, Any] = Field(validation_alias="beside")
    usage: Usage
    cost: float | None
    about: dict[str, Any] = Field(default_factory=dict[str, Any])

    def answer(self, prompt: Prompt[A]) -> A:
        """Return the answer, parsed and checked by `prompt`.

        Raises:
            ValueError: it does not answer this prompt.
        """
        answer = prompt.parse(self.response, lenient=True)
        extras = {name: value for name, value in self.extras.items() if name not in _EVIDENCE_KEYS.values()}
        if extras:
            answer = type(answer).model_validate({**answer.model_dump(), **extras})
        for name, key in _EVIDENCE_KEYS.items():
            if key in self.extras:
                answer = with_evidence(answer, name, self.extras[key])
        problem = prompt.check(answer)
        if problem is not None:
            raise ValueError(problem)
        return answer


def reply_json(reply: Reply[Any]) -> str:
    """Return a reply as the JSON that `read_stored_reply` reads; to save time, it builds no pydantic model."""
    answer, usage = cast("Answer", reply.answer), reply.usage
    content = {
        "response": reply.response or answer.model_dump_json(),
        "beside": _extras(answer),
        "usage": {name: getattr(usage, name) for name in _stored_fields(type(usage))},
        "cost": None if reply.cost is None else float(reply.cost),
        "about": dict(reply.about),
    }
    return to_json(content, inf_nan_mode="null").decode()


def with_evidence(answer: A, name: str, values: Sequence[object]) -> A:
    """Return the answer with a field of the evidence of each verdict; an answer without verdicts is unchanged."""
    if not isinstance(answer, Decisions) or len(answer.verdicts) != len(values):
        return answer
    verdicts = tuple(
        decision.model_copy(update={"evidence": decision.evidence.model_copy(update={name: value})})
        for decision, value in zip(answer.verdicts, values, strict=True)
    )
    return cast("A", answer.model_copy(update={"verdicts": verdicts}))


def read_stored_reply(text: str, prompt: Prompt[A]) -> Reply[A] | None:
    """Return the reply in `text`, with its original usage; None where it does not answer `prompt`."""
    try:
        stored = StoredReply.model_validate_json(text)
        answer = stored.answer(prompt)
    except (ValidationError, ValueError):
        return None
    return Reply(
        answer, stored.usage, cost=stored.cost, response=stored.response, recorded=True, about=stored.about
    )


def _extras(answer: Answer) -> dict[str, Any]:
    """Return the fields that are not on the wire and differ from their defaults."""
    extras = {
        name: _json_value(value)
        for name, default in _internal_fields(type(answer))
        if (value := getattr(answer, name)) != default
    }
    if isinstance(answer, Decisions):
        for name, key in _EVIDENCE_KEYS.items():
            values = [getattr(decision.evidence, name) for decision in answer.verdicts]
            if any(value is not None for value in values):
                extras[key] = values
    return extras


@cache
def _internal_fields(answer: type[Answer]) -> tuple[tuple[str, Any], ...]:
    """Return the fields that are not on the wire, each with its default."""
    return tuple((name, item.default) for name, item in answer.model_fields.items() if item.exclude)


@cache
def _stored_fields(model: type[BaseModel]) -> tuple[str, ...]:
    return tuple(name for name, item in model.model_fields.items() if not item.exclude)


def _json_value(value: object) -> object:
    return value.model_dump(mode="json") if isinstance(value, BaseModel) else value
