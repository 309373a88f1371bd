"""Replies as JSON for the cache and the store, checked again when they are read.

The text that the model wrote is stored unchanged, and is parsed and checked again by the current prompt. Fields that
the judge added and that are not on the wire, such as the distribution over ratings, are stored separately.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, TypeVar, cast

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic_core import to_json

from ragstone.judges.base import Reply
from ragstone.prompts import Answer, Decision, Prompt
from ragstone.prompts.base.answer import NO_GROUNDING, Grounding
from ragstone.prompts.base.numbered import SentenceVerdict
from ragstone.result import Usage

A = TypeVar("A", bound=Answer)


_EVIDENCE = "evidence"
"""Key of what is known of each verdict beside the wire."""


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
        extras = dict(self.extras)
        evidence = extras.pop(_EVIDENCE, ())
        if extras:
            answer = type(answer).model_validate({**answer.model_dump(), **extras})
        answer = with_evidence(answer, evidence)
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


def with_evidence(answer: A, evidence: Sequence[Mapping[str, object]]) -> A:
    """Return the answer with fields of the evidence of each verdict; an answer without verdicts is unchanged."""
    verdicts = _verdicts(answer)
    if len(verdicts) != len(evidence):
        return answer
    grounded = tuple(
        item.model_copy(
            update={"evidence": Grounding.model_validate({**item.evidence.model_dump(), **fields})}
        )
        for item, fields in zip(verdicts, evidence, strict=True)
    )
    return answer.model_copy(update={"verdicts": grounded}) if grounded else answer


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
    extras = {
        name: value.model_dump(mode="json") if isinstance(value, BaseModel) else value
        for name, default in _internal_fields(type(answer))
        if (value := getattr(answer, name)) != default
    }
    evidence = [
        {} if item.evidence is NO_GROUNDING else item.evidence.model_dump(mode="json", exclude_none=True)
        for item in _verdicts(answer)
    ]
    return extras | ({_EVIDENCE: evidence} if any(evidence) else {})


def _verdicts(answer: Answer) -> Sequence[Decision | SentenceVerdict]:
    found = cast("Sequence[object]", getattr(answer, "verdicts", ()))
    return [item for item in found if isinstance(item, Decision | SentenceVerdict)]


@cache
def _internal_fields(answer: type[Answer]) -> tuple[tuple[str, Any], ...]:
    return tuple((name, item.default) for name, item in answer.model_fields.items() if item.exclude)


@cache
def _stored_fields(model: type[BaseModel]) -> tuple[str, ...]:
    return tuple(name for name, item in model.model_fields.items() if not item.exclude)
