"""A reply as JSON: what the cache and the store keep of it, and how it is checked again when it is read.

The text that the model wrote is kept as it is, and parsed and checked anew by the prompt that asks now. What the judge
added (fields that never travel, such as the distribution over ratings) is kept apart.
"""

from collections.abc import Sequence
from typing import Any, TypeVar, cast

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ragstone.judges.base import Reply
from ragstone.prompts import Answer, Decisions, Prompt
from ragstone.result import Usage

A = TypeVar("A", bound=Answer)


_PROBABILITIES = "probabilities"
"""Key under which the probabilities of verdicts are stored, which are not on the wire either."""


class StoredReply(BaseModel):
    """A serialised reply.

    Attributes:
        response: the answer, as the model wrote it.
        extras: fields of the answer that are not on the wire; `beside` in JSON, as in files written so far.
        usage: what the answer took.
        cost: US dollars, None where unknown.
        about: how the answer came about, where several judges voted.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)

    response: str
    extras: dict[str, Any] = Field(validation_alias="beside", serialization_alias="beside")
    usage: Usage
    cost: float | None
    about: dict[str, Any] = Field(default_factory=dict[str, Any])

    @classmethod
    def of(cls, reply: Reply[Any]) -> "StoredReply":
        """Serialise a reply."""
        answer = cast("Answer", reply.answer)
        return cls(
            response=reply.response or answer.model_dump_json(),
            extras=_extras(answer),
            usage=reply.usage,
            cost=reply.cost,
            about=dict(reply.about),
        )

    def to_json(self) -> str:
        """Return the JSON that `read_stored_reply` reads."""
        return self.model_dump_json(by_alias=True)

    def answer(self, prompt: Prompt[A]) -> A:
        """Return the answer, parsed and checked by the prompt that asks now.

        Raises:
            ValueError: it does not answer this prompt.
        """
        answer = prompt.parse(self.response, lenient=True)
        extras = {name: value for name, value in self.extras.items() if name != _PROBABILITIES}
        if extras:
            answer = type(answer).model_validate({**answer.model_dump(), **extras})
        if _PROBABILITIES in self.extras:
            answer = with_probabilities(answer, self.extras[_PROBABILITIES])
        problem = prompt.check(answer)
        if problem is not None:
            raise ValueError(problem)
        return answer


def with_probabilities(answer: A, probabilities: Sequence[float | None]) -> A:
    """Return the answer with a probability of yes for each of its verdicts; any answer without verdicts as it is."""
    if not isinstance(answer, Decisions) or len(answer.verdicts) != len(probabilities):
        return answer
    verdicts = tuple(
        decision.model_copy(
            update={"evidence": decision.evidence.model_copy(update={"probability": probability})}
        )
        for decision, probability in zip(answer.verdicts, probabilities, strict=True)
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
    fields = type(answer).model_fields
    names = {name for name, item in fields.items() if item.exclude and getattr(answer, name) != item.default}
    extras = {name: _plain(getattr(answer, name)) for name in names}
    if isinstance(answer, Decisions):
        probabilities = [decision.evidence.probability for decision in answer.verdicts]
        if any(probability is not None for probability in probabilities):
            extras[_PROBABILITIES] = probabilities
    return extras


def _plain(value: object) -> object:
    return value.model_dump(mode="json") if isinstance(value, BaseModel) else value
