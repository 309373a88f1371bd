"""How many tokens will a call take? Learnt from the calls before; guessed from the length of the text at first."""

from dataclasses import fields
from functools import cache
from typing import Any, cast

from ragstone.prompts import Prompt
from ragstone.result import Usage

CHARACTERS_PER_TOKEN = 4
_WORDING = 400
"""Tokens of the system message, a task and a schema, about."""

_ANSWER = 200
_MEMORY = 0.9


class TokenEstimator:
    """Estimates for the prompts of one run: the evidence's length plus what prompts of the kind take beside it."""

    def __init__(self) -> None:
        """Begin with a guess."""
        self._beside: dict[type[Prompt[Any]], float] = {}

    def of(self, prompt: Prompt[Any]) -> int:
        """Return the tokens that a call with `prompt` will take, sent and received."""
        return round(
            _length(prompt) / CHARACTERS_PER_TOKEN + self._beside.get(type(prompt), _WORDING + _ANSWER)
        )

    def price(self, prompt: Prompt[Any], judge: object) -> float:
        """Return what a call with `prompt` will cost by the judge's own prices, 0 where it tells none."""
        price = getattr(judge, "price", None)
        if price is None:
            return 0.0
        return price(Usage(input_tokens=self.of(prompt) - _ANSWER, output_tokens=_ANSWER)) or 0.0

    def learn(self, prompt: Prompt[Any], usage: Usage) -> None:
        """Take in what a call took: an exponentially weighted mean, a call of two attempts counting half."""
        if not usage.calls:
            return
        beside = (usage.input_tokens + usage.output_tokens) / usage.calls - _length(
            prompt
        ) / CHARACTERS_PER_TOKEN
        before = self._beside.get(type(prompt), beside)
        self._beside[type(prompt)] = _MEMORY * before + (1 - _MEMORY) * beside


def _length(prompt: Prompt[Any]) -> int:
    return sum(_characters(getattr(prompt, name)) for name in _shown(type(prompt)))


@cache
def _shown(prompt: type[Prompt[Any]]) -> tuple[str, ...]:
    return tuple(item.name for item in fields(prompt) if item.metadata.get("rendered", True))


def _characters(value: object) -> int:
    if isinstance(value, str):
        return len(value)
    return sum(map(_characters, cast("tuple[object, ...]", value))) if isinstance(value, tuple) else 0
