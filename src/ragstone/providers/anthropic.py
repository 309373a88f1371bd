"""Anthropic's messages: the answer's schema travels as the input of one tool that the model must call.

Format: https://docs.anthropic.com/en/api/messages, tool use with a forced `tool_choice`.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from pydantic import BaseModel, ValidationError

from ragstone.errors import ProviderError
from ragstone.providers.base import Completion, Request
from ragstone.providers.batches.anthropic import AnthropicBatches
from ragstone.providers.http.address import (
    check_base,
    check_key,
    from_environment,
    join,
    missing_key,
    secrets_in,
)
from ragstone.providers.http.failures import clean, unusable_answer
from ragstone.providers.http.transport import Endpoint
from ragstone.providers.wire.parameter_support import merge_options, post_negotiated, schema_in_prompt
from ragstone.result import Usage

_DEFAULT_BASE_URL = "https://api.anthropic.com"
_VERSION = "2023-06-01"
_MOST_TOKENS = 4096
"""The wire demands a limit; every model allows this one, and it holds some eighty verdicts with reasons."""

_OPTIONAL_PARAMETERS = {"tool_choice": r"tool_choice", "tools": r"\btools?\b", "temperature": r"temperature"}
_STOP_MESSAGES = {
    "max_tokens": "stopped at its limit of tokens, in the middle of the answer: allow more with max_tokens",
    "model_context_window_exceeded": "stopped in the middle of the answer: its context window is full",
    "refusal": "refused to answer",
}


@dataclass(frozen=True, kw_only=True)
class Anthropic:
    """A model behind Anthropic's wire.

    Attributes:
        model: the model.
        api_key: the key; from ANTHROPIC_API_KEY unless given.
        base_url: where `/v1/messages` stands; from ANTHROPIC_BASE_URL unless given.
        options: further parameters of each request, such as `{"max_tokens": 8192}`; None leaves one of ours
            out.
        headers: further headers.
        auth_token: a bearer token in the key's place; from ANTHROPIC_AUTH_TOKEN unless given.

    Raises:
        UsageError: there is no key, no token in ANTHROPIC_AUTH_TOKEN, and the server is Anthropic's own.
        BadOption: the address is none.
    """

    model: str = "claude-haiku-4-5"
    api_key: str | None = field(default=None, repr=False)
    base_url: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict[str, Any], hash=False)
    headers: Mapping[str, str] = field(default_factory=dict[str, str], repr=False, hash=False)
    auth_token: str | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        """Settle key and address, so that the value means the same on every machine."""
        base = check_base(
            self.base_url or from_environment("ANTHROPIC_BASE_URL") or _DEFAULT_BASE_URL, "base_url"
        )
        key = self.api_key or from_environment("ANTHROPIC_API_KEY")
        token = self.auth_token or from_environment("ANTHROPIC_AUTH_TOKEN")
        if key is None and token is None and base.startswith(_DEFAULT_BASE_URL):
            raise missing_key("Anthropic", "ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL")
        object.__setattr__(self, "base_url", base)
        object.__setattr__(self, "api_key", key and check_key(key, "ANTHROPIC_API_KEY"))
        object.__setattr__(self, "auth_token", token and check_key(token, "ANTHROPIC_AUTH_TOKEN"))

    @property
    def name(self) -> str:
        """The vendor."""
        return "anthropic"

    @property
    def supports_structured_outputs(self) -> bool:
        """Where the server turns a forced tool down, the provider itself writes it into the system message."""
        return True

    @property
    def supports_log_probs(self) -> bool:
        """The wire has none."""
        return False

    @property
    def supports_multimodal(self) -> bool:
        """Whether the wire carries images."""
        return True

    @property
    def supports_batches(self) -> bool:
        """Whether there may be `/v1/messages/batches`."""
        return True

    async def complete(self, request: Request) -> Completion:
        """Return the model's answer: the tool's input as JSON.

        Raises:
            ProviderError: the server refused or failed, or the answer is no answer.
            TimedOut: no answer in time.
        """
        body = await post_negotiated(
            self._endpoint, lambda unsupported: encode(self, request, unsupported), _OPTIONAL_PARAMETERS
        )
        return decode(body, self.model)

    @property
    def place(self) -> Endpoint:
        """Where the model is asked, and its vendor takes batches."""
        return self._endpoint

    @cached_property
    def _endpoint(self) -> Endpoint:
        headers = {"anthropic-version": _VERSION}
        if self.api_key:
            headers["x-api-key"] = self.api_key
        if self.auth_token:
            headers["Authorization"] = f"Bearer {self.auth_token}"
        secrets = secrets_in(self.headers, self.api_key, self.auth_token)
        base = self.base_url or ""
        address, batches = join(base, "v1/messages"), AnthropicBatches(base)
        return Endpoint(self.name, self.model, address, headers | dict(self.headers), secrets, batches)


def encode(
    provider: Anthropic, request: Request, unsupported: frozenset[str] = frozenset()
) -> dict[str, Any]:
    """Return the body of the request without what the server turned down."""
    forced = not unsupported & {"tools", "tool_choice"}
    tool = {
        "name": request.name,
        "description": "Give the answer.",
        "input_schema": request.schema,
    }
    body: dict[str, Any] = {
        "model": provider.model,
        "max_tokens": request.max_tokens or _MOST_TOKENS,
        "system": request.system if forced else schema_in_prompt(request.system, request.schema),
        "messages": [{"role": "user", "content": request.user}],
        "temperature": request.temperature,
        "tools": [tool] if forced else None,
        "tool_choice": {"type": "tool", "name": request.name} if forced else None,
    }
    return merge_options(body, provider.options, unsupported)


def decode(body: bytes, model: str) -> Completion:
    """Return what the server answered.

    Raises:
        ProviderError: it is no message, was cut off, or the model refused.
    """
    try:
        reply = _Reply.model_validate_json(body)
    except ValidationError as error:
        found = clean(body[:400].decode("utf-8", "replace"))
        raise ProviderError(f"anthropic: {model}: the answer is no message: {found!r}") from error
    if reply.stop_reason in _STOP_MESSAGES:
        said = f": {clean(reply.text())!r}" if reply.stop_reason == "refusal" and reply.text() else ""
        raise unusable_answer(
            f"anthropic: {model} {_STOP_MESSAGES[reply.stop_reason]}{said}", reply.usage.total()
        )
    return Completion(reply.text(), reply.usage.total(), reply.model or model)


class _Block(BaseModel):
    type: str
    text: str = ""
    input: dict[str, Any] | None = None


class _Usage(BaseModel):
    input_tokens: int | None = None
    output_tokens: int | None = None
    cache_read_input_tokens: int | None = None
    cache_creation_input_tokens: int | None = None

    def total(self) -> Usage:
        """Return the tokens; this wire does not count cached ones as input."""
        cached = self.cache_read_input_tokens or 0
        return Usage(
            calls=1,
            input_tokens=(self.input_tokens or 0) + cached + (self.cache_creation_input_tokens or 0),
            output_tokens=self.output_tokens or 0,
            cached_tokens=cached,
        )


class _Reply(BaseModel):
    content: tuple[_Block, ...]
    model: str | None = None
    stop_reason: str | None = None
    usage: _Usage = _Usage()

    def text(self) -> str:
        """Return the input of the tool as JSON, or the text of a model that wrote instead of calling."""
        for block in self.content:
            if block.type == "tool_use" and block.input is not None:
                return json.dumps(block.input, ensure_ascii=False)
        return "".join(block.text for block in self.content if block.type == "text")
