"""Keys in pickled providers: the name of the environment variable that holds a key, instead of the key.

A pickled provider is sent to the workers of a Ray cluster and kept in its object store. Each worker reads the variable
in its own environment.
"""

import os
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, fields
from typing import Any, cast

from ragstone.errors import UsageError

_SECRET_SUFFIXES = ("KEY", "TOKEN", "SECRET", "PASSWORD")
_LEAST_CHARACTERS = 8
"""Least length of a value that is searched for within a text, such as `Bearer …`: a shorter one may be a word."""

_by_value: ContextVar[bool] = ContextVar("keys_by_value", default=False)


@contextmanager
def keys_by_value() -> Generator[None]:
    """Pickle keys themselves in the block."""
    token = _by_value.set(True)
    try:
        yield
    finally:
        _by_value.reset(token)


@dataclass(frozen=True, slots=True)
class KeyReference:
    """A text that contains the value of an environment variable, with what stands before and after it."""

    before: str
    variable: str
    after: str

    def text(self) -> str:
        """Return the text, with the value that the variable has in this process.

        Raises:
            UsageError: the variable is not set.
        """
        value = os.environ.get(self.variable, "").strip()
        if not value:
            raise UsageError(
                f"The key of the judge is in the variable {self.variable}, which is not set on a worker of Ray. Set it "
                "there, or send the key with --ray-send-keys (in Python: Ray(send_keys=True))."
            )
        return f"{self.before}{value}{self.after}"


def state_by_reference(provider: Any) -> dict[str, Any]:  # noqa: ANN401  (a dataclass)
    """Return the fields of a provider; keys that come from the environment are references, unless sent by value."""
    state = {item.name: getattr(provider, item.name) for item in fields(provider)}
    return state if _by_value.get() else {name: _referring(value) for name, value in state.items()}


def from_state(kind: type[Any], state: Mapping[str, Any]) -> Any:  # noqa: ANN401  (an instance of `kind`)
    """Return the provider with these fields.

    Raises:
        UsageError: the variable of a key is not set in this process.
    """
    provider: Any = object.__new__(kind)
    for name, value in state.items():
        object.__setattr__(provider, name, _resolved(value))
    return provider


def _referring(value: object) -> object:
    if isinstance(value, Mapping):
        return {key: _referring(item) for key, item in cast("Mapping[Any, Any]", value).items()}
    return _reference(value) or value if isinstance(value, str) else value


def _reference(text: str) -> KeyReference | None:
    for variable, value in os.environ.items():
        secret = value.strip()
        if not secret or not variable.upper().endswith(_SECRET_SUFFIXES):
            continue
        if secret == text or (len(secret) >= _LEAST_CHARACTERS and secret in text):
            before, _, after = text.partition(secret)
            return KeyReference(before, variable, after)
    return None


def _resolved(value: object) -> object:
    if isinstance(value, dict):
        return {key: _resolved(item) for key, item in cast("dict[Any, Any]", value).items()}
    return value.text() if isinstance(value, KeyReference) else value
