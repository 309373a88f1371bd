"""The parts of an answer that vendors write alike: its text, wherever it stands, log-probabilities, numbers of tokens.

The text is the content, a list of chunks, the arguments of a tool, or the reasoning.

Magistral and gateways to Bedrock return lists of chunks. Gateways turn a schema into a tool that the model must call.
Some servers with a parser for reasoning put the whole answer there.
"""

import json
from collections.abc import Iterable
from math import isfinite
from typing import Annotated, cast

from pydantic import BaseModel, GetCoreSchemaHandler
from pydantic_core import CoreSchema, core_schema

from ragstone.providers.base import Token

_TEXT_CHUNKS = frozenset({None, "text", "output_text"})
"""Types of chunks that hold the answer; a chunk of Bedrock's has no type. Others hold thoughts, images, references."""


class AnswerMessage(BaseModel):
    """The message of a model.

    Attributes:
        content: the answer, as text or as a list of chunks.
        tool_calls: calls of tools; the one that is forced holds the answer.
        reasoning_content: thoughts, as vLLM, llama.cpp, DeepSeek and Qwen name them.
        reasoning: thoughts, as OpenRouter and newer servers name them.
        thinking: thoughts, as Ollama names them.
    """

    content: object = None
    tool_calls: object = None
    reasoning_content: object = None
    reasoning: object = None
    thinking: object = None

    @property
    def text(self) -> str:
        """The answer: the content, else the arguments of the tool, else JSON among the thoughts."""
        return _content_text(self.content) or _tool_arguments(self.tool_calls) or self._json_in_thoughts()

    @property
    def thoughts(self) -> str:
        """The thoughts, where they are separate from the answer."""
        texts = (self.reasoning_content, self.reasoning, self.thinking)
        return next((text for text in texts if isinstance(text, str) and text.strip()), "")

    def _json_in_thoughts(self) -> str:
        return self.thoughts if self.thoughts.rstrip().endswith(("}", "```")) else ""


def _content_text(content: object) -> str:
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    return "".join(_chunk_text(chunk) for chunk in cast("list[object]", content))


def _chunk_text(chunk: object) -> str:
    if isinstance(chunk, str):
        return chunk
    if not isinstance(chunk, dict):
        return ""
    fields = cast("dict[str, object]", chunk)
    text = fields.get("text")
    return text if isinstance(text, str) and fields.get("type") in _TEXT_CHUNKS else ""


def _tool_arguments(calls: object) -> str:
    """Return the arguments of the first tool that was called, as JSON."""
    first = cast("list[object]", calls)[0] if isinstance(calls, list) and calls else None
    function = cast("dict[str, object]", first).get("function") if isinstance(first, dict) else None
    arguments = cast("dict[str, object]", function).get("arguments") if isinstance(function, dict) else None
    return as_json_text(arguments)


def as_json_text(arguments: object) -> str:
    """Return the arguments of a tool as JSON text: servers write them as text or as an object."""
    if isinstance(arguments, str):
        return arguments
    return json.dumps(arguments, ensure_ascii=False) if isinstance(arguments, dict) else ""


_MAX_ROUNDING = 1e-3
"""How far a log-probability may exceed 0, as servers round."""


class Alternative(BaseModel):
    """A token with its log-probability."""

    token: str
    logprob: float


class TokenLogProb(Alternative):
    """A token of the answer with its alternatives."""

    top_logprobs: tuple[Alternative, ...] | None = None


def tokens_of(content: tuple[TokenLogProb, ...] | None) -> tuple[Token, ...]:
    """Return the answer token by token."""
    return tuple(
        token_of(entry.token, entry.logprob, [(top.token, top.logprob) for top in entry.top_logprobs or ()])
        for entry in content or ()
    )


def token_of(text: str, logprob: float, top: Iterable[tuple[str, float]]) -> Token:
    """Return a token with its alternatives; numbers above 0 are not log-probabilities and are ignored."""
    alternatives = tuple((other, min(0.0, value)) for other, value in top if _is_log(value))
    return Token(text, min(0.0, logprob) if _is_log(logprob) else 0.0, alternatives)


def _is_log(value: float) -> bool:
    return isfinite(value) and value <= _MAX_ROUNDING  # minus infinity is written as a very small number


_MOST_TOKENS = 2**53
"""Numbers above it are not accepted as numbers of tokens."""


class _CountOrNone:
    """Validator of a number of tokens; an invalid value, such as a negative number, becomes None."""

    @classmethod
    def __get_pydantic_core_schema__(cls, source: object, handler: GetCoreSchemaHandler) -> CoreSchema:
        count = core_schema.int_schema(strict=True, ge=0, le=_MOST_TOKENS)
        return core_schema.with_default_schema(count, default=None, on_error="default")


TokenCount = Annotated[int | None, _CountOrNone]
"""A number of tokens that a server reports."""
