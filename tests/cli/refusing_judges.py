"""Judges whose errors differ in kind, not in words: the exit code must read the kind."""

from typing import Any

from ragstone.errors import AccessRefused, ProviderError
from ragstone.prompts import Prompt


class UnknownModel:
    name = "unknown-model"

    async def ask(self, prompt: Prompt[Any]) -> Any:
        del prompt
        raise ProviderError("no such model here", status=404)


class WrongKey:
    name = "wrong-key"

    async def ask(self, prompt: Prompt[Any]) -> Any:
        del prompt
        raise AccessRefused("the key is expired", status=401)


class Broken:
    """Its words are those of a refusal, its status is not."""

    name = "broken"

    async def ask(self, prompt: Prompt[Any]) -> Any:
        del prompt
        raise ProviderError("AccessRefused: a proxy said that it answered 404", status=502)
