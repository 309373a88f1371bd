"""A judge for estimates: it answers as briefly, or at as much length, as a prompt allows, and sends nothing.

Answers are built from a prompt's schema alone. Lists of growing (or shrinking) length are tried until the prompt's own
check accepts one.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import fields
from typing import Any, TypeVar, cast

from ragstone.engine.token_estimator import CHARACTERS_PER_TOKEN
from ragstone.errors import CannotJudge
from ragstone.judges.base import Judge, JudgeWrapper, Reply
from ragstone.prompts import Answer, Prompt
from ragstone.prompts.base.combined import CombinedPrompt
from ragstone.result import NO_USAGE, Usage

A = TypeVar("A", bound=Answer)

_SENTENCE_BREAK = re.compile(r"[.!?;\n]")
_WORD = re.compile(r"\w")
_MAX_RATIO = 4
"""Maximum total length of the entries of a list, as a multiple of the length of the prompt's texts."""

_MIN_CUT_LENGTH = 40
_SAMPLE_REASON = (
    "a reason of the twenty-five words that are allowed, each of them about as long as words are "
    "in texts of the kind that is judged here, no more"
)


class DryRunJudge(JudgeWrapper):
    """Takes the place of the wrapped judge in an estimate."""

    def __init__(self, judge: Judge, *, generous: bool) -> None:
        """Answer at length where `generous`, else as briefly as possible."""
        super().__init__(judge)
        self.dry_run = True
        self.limits = None
        self._generous = generous

    async def ask(self, prompt: Prompt[A]) -> Reply[A]:
        """Return a made-up answer with its usage and cost; an answer from a cache costs nothing."""
        cached = self.judge.recall(prompt)
        if cached is not None:
            return Reply(cached.answer, NO_USAGE, cost=0.0, recorded=True)
        text = plausible_answer(prompt, generous=self._generous)
        rendered = prompt.render()
        sent_length = len(rendered.system) + len(rendered.user) + len(str(prompt.schema()))
        usage = Usage(
            calls=1,
            input_tokens=sent_length // CHARACTERS_PER_TOKEN,
            output_tokens=max(1, len(text) // CHARACTERS_PER_TOKEN),
        )
        answer = prompt.parse(text)
        return Reply(answer, usage, cost=self.judge.price(usage))


def plausible_answer(prompt: Prompt[A], *, generous: bool) -> str:
    """Return an answer to `prompt`, as JSON, that its check accepts. Raises CannotJudge: none was found."""
    if isinstance(prompt, CombinedPrompt):
        return prompt.joined(plausible_answer(part, generous=generous) for part in prompt.parts)
    for count in _list_lengths(prompt, generous=generous):
        text = json.dumps(_sample(prompt.schema(), _AnswerShape(prompt, count, generous=generous), "", 0))
        try:
            prompt.parse(text)
        except ValueError:
            continue
        return text
    raise CannotJudge(
        f"No sample answer to {type(prompt).__name__} could be generated, so its calls cannot be estimated."
    )


class _AnswerShape:
    """The size of a made-up answer: how many items a list has, and how long its texts are."""

    def __init__(self, prompt: Prompt[Any], count: int, *, generous: bool) -> None:
        self.count = count
        self.generous = generous
        self.passages = max(1, len(getattr(prompt, "passages", ()) or ()))
        self.low = int(getattr(prompt, "low", 1))
        sentences = _sentences(prompt)
        longest = max(sentences, key=len, default="text")
        limit = _MAX_RATIO * sum(map(len, sentences)) // max(count, 1)  # many entries of one long sentence
        self.sentence = longest[: max(limit, _MIN_CUT_LENGTH)] if generous else "text"


def _list_lengths(prompt: Prompt[Any], *, generous: bool) -> list[int]:
    lists = [len(cast("tuple[object, ...]", value)) for value in _values(prompt) if isinstance(value, tuple)]
    return sorted({0, 1, 2, 3, 4, *lists, sum(lists), len(_sentences(prompt))}, reverse=generous)


def _sentences(prompt: Prompt[Any]) -> list[str]:
    return [
        piece.strip()
        for text in _texts(list(_values(prompt)))
        for piece in _SENTENCE_BREAK.split(text)
        if _WORD.search(piece)
    ]


def _values(prompt: Prompt[Any]) -> Iterator[object]:
    for item in fields(prompt):
        if item.metadata.get("rendered", True):
            yield getattr(prompt, item.name)


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | tuple):
        for item in cast("tuple[object, ...]", value):
            yield from _texts(item)


def _sample(schema: Mapping[str, Any], shape: _AnswerShape, name: str, number: int) -> Any:  # noqa: ANN401  (any JSON)
    if "anyOf" in schema:
        choices: list[Mapping[str, Any]] = list(schema["anyOf"])
        choices.sort(key=lambda choice: (choice.get("type") == "null") == shape.generous)
        return _sample(choices[0], shape, name, number)
    if "enum" in schema:
        choices = list(schema["enum"])
        return choices[number % len(choices)] if name in ("item", "passage") else choices[0]
    if schema["type"] == "object":
        return {key: _sample(part, shape, key, number) for key, part in schema["properties"].items()}
    if schema["type"] == "array":
        return [_sample(schema["items"], shape, name, index) for index in range(_length(schema, shape))]
    sample_number = number % shape.passages + 1 if name == "passage" else shape.low
    scalars = {"integer": sample_number, "number": sample_number, "boolean": False, "null": None}
    return scalars[schema["type"]] if schema["type"] in scalars else _sample_text(shape, name, number)


def _length(schema: Mapping[str, Any], shape: _AnswerShape) -> int:
    return max(schema.get("minItems", 0), min(shape.count, schema.get("maxItems", shape.count)))


def _sample_text(shape: _AnswerShape, name: str, number: int) -> str:
    if name == "reason":
        return _SAMPLE_REASON if shape.generous else "x"
    return f"{number} {shape.sentence}"
