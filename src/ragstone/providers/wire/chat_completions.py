"""The chat completion format of OpenAI and compatible servers: encode a request, decode a response.

Format: https://platform.openai.com/docs/api-reference/chat, structured outputs with a strict JSON schema.
"""

from collections.abc import Collection, Mapping
from typing import Any

from pydantic import BaseModel

from ragstone.providers.base import Completion, Request
from ragstone.providers.http.failures import clean, read_response, unusable_answer
from ragstone.providers.wire.llama_cpp import ALTERNATIVES, LLAMA_CPP, in_grammar, recognise
from ragstone.providers.wire.parameter_support import merge_options, schema_in_prompt
from ragstone.providers.wire.replies import AnswerMessage, TokenCount, TokenLogProb, tokens_of
from ragstone.providers.wire.schema_dialect import SchemaDialect, in_dialect
from ragstone.result import Usage

OPTIONAL_PARAMETERS: Mapping[str, str] = {
    "response_format": r"response_format|json_schema|[Ss]tructured [Oo]utput|guided",
    "logprobs": r"log_?probs|log[ -]prob",
    "temperature": r"temperature",
    "max_tokens": r"max_tokens",
    "max_completion_tokens": r"max_completion_tokens",
}
"""Parameters that a server may reject, each with a pattern of its names in error messages."""

REJECTED_TOGETHER: Mapping[str, Collection[str]] = {
    r"Only the default \(1\) value is supported": ("max_tokens", "logprobs")
}
"""OpenAI's reasoning models name one parameter at a time: a model that rejects a temperature rejects these too."""

_STOP_MESSAGES = {
    "length": "reached its token limit before the answer was complete: set a higher max_tokens",
    "content_filter": "gave no answer: its content filter stopped it",
}

THOUGHT_TOO_LONG = (
    "spent its whole token limit on thinking: set a higher max_tokens, or a lower reasoning effort"
)
"""What a model did whose answer is empty and whose thoughts reached the limit."""


def encode(
    model: str,
    request: Request,
    options: Mapping[str, Any],
    unsupported: frozenset[str] = frozenset(),
    *,
    dialect: SchemaDialect = "full",
) -> dict[str, Any]:
    """Return the body of a request, with the user's options, without the unsupported parameters."""
    without_schema = "response_format" in unsupported
    system = schema_in_prompt(request.system, request.schema) if without_schema else request.system
    llama_cpp = LLAMA_CPP in unsupported
    schema = in_dialect(request.schema, dialect)
    if llama_cpp:
        schema = in_grammar(schema, request.reason_words)
    json_schema = {"name": request.name, "strict": True, "schema": schema}
    limit_name = "max_completion_tokens" if "max_tokens" in unsupported else "max_tokens"
    with_log_probs = request.top_logprobs > 0 and "logprobs" not in unsupported
    body: dict[str, Any] = {
        "model": model,
        "messages": [{"role": "system", "content": system}, {"role": "user", "content": request.user}],
        "temperature": request.temperature,
        "response_format": {"type": "json_schema", "json_schema": json_schema},
        "logprobs": with_log_probs or None,
        "top_logprobs": max(request.top_logprobs, ALTERNATIVES if llama_cpp else 0)
        if with_log_probs
        else None,
        limit_name: request.max_tokens,
    }
    return merge_options(body, options, unsupported)


def decode(body: bytes, vendor: str, model: str, secrets: tuple[str, ...] = ()) -> Completion:
    """Return the answer."""
    reply = read_response(_ChatCompletion, body, f"{vendor}: {model}", "chat completion", secrets)
    if not reply.choices:
        raise unusable_answer(f"{vendor}: {model}: the answer contains no choices", reply.used())
    choice = reply.choices[0]
    server = recognise(reply.timings, reply.system_fingerprint)
    if choice.message.refusal:
        refusal = clean(choice.message.refusal, secrets)
        raise unusable_answer(f"{vendor}: {model} refused to answer: {refusal!r}", reply.used())
    text = choice.message.text
    if choice.finish_reason in _STOP_MESSAGES:
        problem = _STOP_MESSAGES[choice.finish_reason]
        if choice.finish_reason == "length" and choice.message.thoughts and not text:
            problem = THOUGHT_TOO_LONG
        partial = text if choice.finish_reason == "length" else None
        raise unusable_answer(f"{vendor}: {model} {problem}", reply.used(), partial=partial, server=server)
    tokens = tokens_of(choice.logprobs.content if choice.logprobs else None)
    return Completion(text, reply.used(), reply.model or model, tokens, server)


class _LogProbs(BaseModel):
    content: tuple[TokenLogProb, ...] | None = None


class _ChatMessage(AnswerMessage):
    refusal: str | None = None


class _ChatChoice(BaseModel):
    message: _ChatMessage = _ChatMessage()
    finish_reason: str | None = None
    logprobs: _LogProbs | None = None


class _Cached(BaseModel):
    cached_tokens: TokenCount = None


class _ChatUsage(BaseModel):
    prompt_tokens: TokenCount = None
    completion_tokens: TokenCount = None
    prompt_tokens_details: _Cached | None = None


class _ChatCompletion(BaseModel):
    choices: tuple[_ChatChoice, ...] = ()
    model: str | None = None
    usage: _ChatUsage | None = None
    timings: object = None
    system_fingerprint: object = None

    def used(self) -> Usage:
        """Return the tokens, 0 if the server reports none."""
        usage = self.usage or _ChatUsage()
        details = usage.prompt_tokens_details or _Cached()
        prompt_tokens = usage.prompt_tokens or 0
        return Usage(
            calls=1,
            input_tokens=prompt_tokens,
            output_tokens=usage.completion_tokens or 0,
            cached_tokens=min(prompt_tokens, details.cached_tokens or 0),
        )
