"""A reply as text, and back: what is kept of it, and how it is checked again before it is trusted.

What the model wrote is kept as it wrote it, and read anew by the prompt that asks now, contract and all. What a judge
found out beside it (fields that never travel, such as the distribution over ratings) stands apart.
"""

from typing import Any, TypeVar, cast

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ragstone.judges.base import Reply
from ragstone.prompts import Answer, Prompt, parse_answer
from ragstone.result import Usage

A = TypeVar("A", bound=Answer)


class StoredReply(BaseModel):
    """A reply, written down.

    Attributes:
        response: the answer, as the model wrote it.
        beside: fields of the answer that are no part of the wire.
        usage: what the answer took.
        cost: US dollars, None where unknown.
        about: what else the judge tells.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    response: str
    beside: dict[str, Any]
    usage: Usage
    cost: float | None
    about: dict[str, Any] = Field(default_factory=dict[str, Any])

    @classmethod
    def of(cls, reply: Reply[Any]) -> "StoredReply":
        """Write down a reply."""
        answer = cast("Answer", reply.answer)
        response = reply.response or answer.model_dump_json()
        return cls(
            response=response,
            beside=_beside(answer),
            usage=reply.usage,
            cost=reply.cost,
            about=dict(reply.about),
        )

    def answer(self, prompt: Prompt[A]) -> A:
        """Return the answer, read and checked by the prompt that asks now.

        Raises:
            ValueError: it does not keep the contract of this prompt.
        """
        answer = cast("A", parse_answer(self.response, prompt.answer))
        if self.beside:
            answer = type(answer).model_validate({**answer.model_dump(), **self.beside})
        problem = prompt.check(answer)
        if problem is not None:
            raise ValueError(problem)
        return answer


def read_stored_reply(text: str, prompt: Prompt[A]) -> Reply[A] | None:
    """Return the reply that `text` holds, with what it took in its time; None where it is not fit for `prompt`."""
    try:
        written = StoredReply.model_validate_json(text)
        answer = written.answer(prompt)
    except (ValidationError, ValueError):
        return None
    return Reply(
        answer,
        written.usage,
        cost=written.cost,
        response=written.response,
        recorded=True,
        about=written.about,
    )


def _beside(answer: Answer) -> dict[str, Any]:
    """Return the fields that never travel, where they hold something."""
    fields = type(answer).model_fields
    kept = {
        name for name, field in fields.items() if field.exclude and getattr(answer, name) != field.default
    }
    return {name: _plain(getattr(answer, name)) for name in kept}


def _plain(value: object) -> object:
    return value.model_dump(mode="json") if isinstance(value, BaseModel) else value
