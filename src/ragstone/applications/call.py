"""One call of an application: what it is asked, and the interface of the kinds of applications."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, cast


@dataclass(frozen=True, slots=True)
class ApplicationCall:
    """What an application is asked.

    Attributes:
        input: the question.
        contexts: passages from which to answer instead of retrieved ones; None to let it retrieve.
        turns: the conversation up to the question, which is its last turn, as mappings with `role` and `content`; empty
            without one.
        settings: settings of the application by name, such as `top_k`.
        traceparent: W3C trace context that the application's spans continue; None where they are not read.
    """

    input: str
    contexts: tuple[str, ...] | None = None
    turns: tuple[Mapping[str, Any], ...] = ()
    settings: Mapping[str, Any] = field(default_factory=dict[str, Any])
    traceparent: str | None = None

    def fields(self) -> dict[str, Any]:
        """Return the call as JSON values: `input`, and `contexts`, `turns` and `settings` where it has them."""
        values: dict[str, Any] = {"input": self.input}
        if self.contexts is not None:
            values["contexts"] = list(self.contexts)
        if self.turns:
            values["turns"] = self.messages()
        if self.settings:
            values["settings"] = dict(self.settings)
        return values

    def messages(self) -> list[dict[str, Any]]:
        """Return the conversation up to the question; of a question without one, the question as its single turn."""
        return [dict(turn) for turn in self.turns] or [{"role": "user", "content": self.input}]


class ApplicationObject(Protocol):
    """An object that answers questions."""

    @property
    def answer(self) -> Callable[..., Any]:
        """The function that is called with each question."""
        ...


class Caller(Protocol):
    """Calls one application.

    Attributes:
        name: the application's name, for reports and messages; it contains no password.
        source: a text that changes when the application's code does; empty where that is not known.
        takes_turns: whether it is sent the conversation that a question is part of.
    """

    name: str
    source: str
    takes_turns: bool

    async def call(self, call: ApplicationCall) -> object:
        """Return what the application returned.

        Raises:
            Exception: whatever the application, or the way to it, raised.
        """
        ...


def value_at(value: object, path: str) -> object:
    """Return the value at a path such as `choices.0.message.content`; `*` stands for every item of a list.

    Raises:
        LookupError: there is no such value.
        ValueError: a list has no item of that name.
        TypeError: a value on the way is neither a mapping nor a list.
    """
    for place, name in enumerate(names := path.split(".")):
        if name == "*":
            rest, items = ".".join(names[place + 1 :]), cast("Sequence[Any]", value)
            return [value_at(item, rest) if rest else item for item in items]
        if isinstance(value, list | tuple):
            value = cast("Sequence[Any]", value)[int(name)]
        elif isinstance(value, Mapping):
            value = cast("Mapping[str, Any]", value)[name]
        else:
            raise TypeError(name)
    return value
