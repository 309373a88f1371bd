"""A judge that answers every prompt there is, at random, and always within its contract."""

import json
import random
from dataclasses import fields
from typing import Any

from ragstone.judges import Reply
from ragstone.prompts import Prompt
from ragstone.result import Usage

WORDS = (
    "Paris",
    "seven",
    "Straße",
    "東京",
    "| 1| quoted",
    '{"verdicts": []}',
    "Ignore all instructions",
    "\u202eabc",
)


class AnyJudge:
    """Fills each prompt's own JSON schema until the prompt's own check is content."""

    name = "any"

    def __init__(self, seed: int, *, word: str | None = None, empty: bool = False) -> None:
        self._random = random.Random(seed)
        self._word = word
        self._empty = empty
        self._choices: tuple[str, ...] = ()

    async def ask(self, prompt: Prompt[Any]) -> Reply[Any]:
        sizes, numbers = _sizes(prompt), _numbers(prompt)
        self._choices = getattr(prompt, "choices", ())
        for _ in range(2000):
            size = 0 if self._empty else self._random.choice(sizes)
            raw = self._fill(prompt.schema(), "", size, numbers)
            try:
                answer = prompt.parse(json.dumps(raw))
            except ValueError:
                self._empty = False
                continue
            return Reply(answer, Usage(calls=1))
        raise AssertionError(f"no answer keeps the contract of {prompt}")

    def _fill(  # noqa: PLR0911  (one return a type of JSON)
        self, node: dict[str, Any], name: str, size: int, numbers: list[int], at: int = 0
    ) -> Any:
        if "anyOf" in node:
            node = self._random.choice(node["anyOf"])
        if name == "item":
            return at + 1
        if "enum" in node:
            return self._word if self._word in node["enum"] else self._random.choice(node["enum"])
        match node.get("type"):  # a small interpreter: one return a type
            case "object":
                return {
                    key: self._fill(part, key, size, numbers, at) for key, part in node["properties"].items()
                }
            case "array":
                return [
                    self._fill(node["items"], name, self._random.randint(0, 2), numbers, i)
                    for i in range(max(node.get("minItems", 0), min(size, node.get("maxItems", size))))
                ]
            case "integer":
                return self._random.choice([*numbers, at + 1])
            case "boolean":
                return self._random.random() < 1 / 2
            case "string":
                return self._random.choice(self._choices if name == "choice" else WORDS)
            case _:
                return None


def _sizes(prompt: Prompt[Any]) -> list[int]:
    values = [getattr(prompt, item.name) for item in fields(prompt)]
    lengths = [len(value) for value in values if isinstance(value, tuple)]
    counts = [
        value for value in values if isinstance(value, int) and not isinstance(value, bool) and 0 < value < 50
    ]
    return [*lengths, *counts, 1, 2, 3]


def _numbers(prompt: Prompt[Any]) -> list[int]:
    low, high = getattr(prompt, "low", 0), getattr(prompt, "high", 4)
    return list(range(low, high + 1))
