"""Counting tokens, cutting text into tokens, and log-probabilities at a number's place.

Counts are characters / 4. Digits are grouped by up to three, as OpenAI's tokenisers do, or one by one, as
Llama's do: then "10" is two tokens, and the first of them is shared with "1".
"""

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

_CERTAIN = -1e-6
_NEVER = -18.0


def count(text: str) -> int:
    """Tokens of a text, about."""
    return (len(text) + 3) // 4


def cut(text: str, digits: int = 3) -> list[str]:
    """A text in tokens; joined again they are the text."""
    return re.findall(rf"\d{{1,{digits}}}|[^\W\d]+|\s+|[^\w\s]|_", text)


@dataclass(frozen=True)
class Place:
    """Where a property's number stands in a JSON text: character offsets."""

    start: int
    end: int


def place_of(prop: str, text: str) -> Place | None:
    """The place of a property's whole number in JSON text; a quoted mention inside a string is none."""
    found = list(re.finditer(rf'"{re.escape(prop)}":\s*(-?\d+)', text))
    return Place(*found[-1].span(1)) if found else None


@dataclass(frozen=True)
class Token:
    """One token of an answer with its alternatives, most likely first."""

    text: str
    alternatives: tuple[tuple[str, float], ...]

    @property
    def logprob(self) -> float:
        return dict(self.alternatives).get(self.text, _NEVER)


def with_logprobs(
    text: str, probabilities: Mapping[str, Mapping[str, float]], *, digits: int = 3
) -> Iterator[Token]:
    """The tokens of an answer; at the place of a weighed number the alternatives are as given."""
    places = {
        place.start: (place, prop) for prop in probabilities if (place := place_of(prop, text)) is not None
    }
    offset, current, said = 0, None, ""
    for token in cut(text, digits):
        if offset in places:
            current, said = places[offset], ""
        if current is not None and offset < current[0].end:
            yield Token(token, _alternatives(probabilities[current[1]], said, digits))
            said += token
        elif current is not None and offset == current[0].end and _goes_on(probabilities[current[1]], said):
            yield Token(token, _alternatives(probabilities[current[1]], said, digits, stop=token))
            current = None
        else:
            yield Token(token, ((token, _CERTAIN),))
        offset += len(token)


def _goes_on(weights: Mapping[str, float], said: str) -> bool:
    return any(number.startswith(said) and number != said for number in weights)


def _alternatives(
    weights: Mapping[str, float], said: str, digits: int, stop: str = "}"
) -> tuple[tuple[str, float], ...]:
    """What may follow `said`: the next token of each number that starts so, the stop where one ends."""
    following: dict[str, float] = {}
    for number, probability in weights.items():
        if number.startswith(said):
            rest = cut(number[len(said) :], digits)
            token = rest[0] if rest else stop
            following[token] = following.get(token, 0.0) + probability
    total = sum(following.values()) if said else 1.0
    ranked = sorted(following.items(), key=lambda pair: -pair[1])
    return tuple((token, math.log(p / total)) for token, p in ranked if p > 0)


def openai_shape(tokens: Iterator[Token], top: int) -> list[dict[str, Any]]:
    """Tokens as OpenAI, vLLM and Ollama write them."""
    return [
        {
            **_one(token.text, token.logprob),
            "top_logprobs": [_one(*pair) for pair in token.alternatives[:top]],
        }
        for token in tokens
    ]


def _one(text: str, logprob: float) -> dict[str, Any]:
    return {"token": text, "logprob": logprob, "bytes": list(text.encode())}
