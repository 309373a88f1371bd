"""One call of an application: what it is asked, its settings, and the interface of the kinds of applications."""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from math import isfinite
from typing import Any, Protocol

from ragstone.errors import BadOption


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


def parse_settings(texts: Iterable[str]) -> dict[str, Any]:
    """Return settings by name: a value is JSON, as in `top_k=5` and `rerank=true`, else a text: `retriever=bm25`.

    Raises:
        BadOption: a text has no name or no value, or a name is given twice.
    """
    settings: dict[str, Any] = {}
    for text in texts:
        name, sign, value = text.partition("=")
        if not (sign and name.isidentifier()):
            raise BadOption(f"app_settings: {text!r} is no setting: write NAME=VALUE, such as top_k=5")
        if name in settings:
            raise BadOption(f"app_settings: {name} is given twice, at last as {text!r}: give it once")
        settings[name] = _read_value(value)
    return settings


def setting_text(name: str, value: object) -> str:
    """Return a setting as a text from which `parse_settings` reads the same value.

    Raises:
        BadOption: it is no identifier, or its value is none of JSON.
    """
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError):
        text = None
    if isinstance(value, str) and _read_value(value) == value:
        text = value
    if text is None or not name.isidentifier():
        raise BadOption(
            f"setting {name!r} = {value!r}: give a name that is a Python identifier, and a number, a text, true, false "
            "or a list of them"
        )
    return f"{name}={text}"


def _read_value(text: str) -> object:
    try:
        value = json.loads(text)
    except ValueError:
        return text
    return text if isinstance(value, float) and not isfinite(value) else value
