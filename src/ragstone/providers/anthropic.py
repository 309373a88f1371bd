"""Anthropic's Messages API: the answer's schema is the input schema of a tool that the model must call.

Format: https://docs.anthropic.com/en/api/messages, tool use with a forced `tool_choice`.
"""

import json
from dataclasses import dataclass, field, replace
from typing import Any

from pydantic import BaseModel

from ragstone.providers.base import Completion, Request
from ragstone.providers.batches.anthropic import AnthropicBatches
from ragstone.providers.http.address import check_key, from_environment, secrets_in
from ragstone.providers.http.endpoint import Endpoint
from ragstone.providers.http.failures import clean, read_response, unusable_answer
from ragstone.providers.wire.http_provider import HttpProvider
from ragstone.providers.wire.parameter_support import merge_options, schema_in_prompt
from ragstone.providers.wire.replies import TokenCount, as_json_text
from ragstone.providers.wire.schema_dialect import in_dialect
from ragstone.result import Usage

_DEFAULT_BASE_URL = "https://api.anthropic.com"
_API_VERSION = "2023-06-01"
_DEFAULT_MAX_TOKENS = 4096
"""The API requires a limit; this one, which every model allows, is sent where the judge sets none."""

_MIN_CACHED_CHARACTERS = 4096
"""Characters, about 1,024 tokens: shorter beginnings are not cached by any model."""

_ANY_OBJECT_SCHEMA = {"type": "object"}

_OPTIONAL_PARAMETERS = {
    "output_config": r"output_config|output_format|[Ss]tructured [Oo]utput",
    "tool_choice": r"tool_choice",
    "tools": r"\btools?\b",
    "temperature": r"temperature",
}
_STOP_MESSAGES = {
    "max_tokens": "reached its token limit before the answer was complete: set a higher max_tokens",
    "model_context_window_exceeded": "stopped in the middle of the answer: its context window is full",
    "refusal": "refused to answer",
}


@dataclass(frozen=True, kw_only=True, repr=False)
class Anthropic(HttpProvider):
    """A model behind Anthropic's wire format.

    Attributes:
        model: the model.
        api_key: the key; by default ANTHROPIC_API_KEY.
        base_url: the URL below which `/v1/messages` is; by default ANTHROPIC_BASE_URL.
        options: further parameters of each request, such as `{"max_tokens": 8192}`; None removes one of ragstone's own.
        headers: further headers.
        auth_token: a bearer token instead of the key; by default ANTHROPIC_AUTH_TOKEN.
        native_schema: whether the schema is sent as `output_config`, which newer models support, instead of as a
            tool; a server that rejects it gets the tool.
        prompt_cache: whether long passages at the beginning of a prompt are marked for the prompt cache, so that the
            prompts of one test case share them. The first use costs a quarter more, each further one a tenth. The
            answer's schema is then sent in words behind the passages, since a tool with a schema of its own in front of
            them would make each beginning different.

    Raises:
        UsageError: there is no key, no token in ANTHROPIC_AUTH_TOKEN, and the server is Anthropic's own.
        BadOption: the base URL is invalid.
    """

    name = "anthropic"
    optional_parameters = _OPTIONAL_PARAMETERS
    supports_multimodal = True

    model: str = "claude-haiku-4-5"
    prompt_cache: bool = field(default=False, repr=False)
    native_schema: bool = False
    auth_token: str | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        token = self.auth_token or from_environment("ANTHROPIC_AUTH_TOKEN")
        object.__setattr__(self, "auth_token", token and check_key(token, "ANTHROPIC_AUTH_TOKEN"))
        self._resolve(
            "Anthropic",
            _DEFAULT_BASE_URL,
            "ANTHROPIC_API_KEY",
            base_variable="ANTHROPIC_BASE_URL",
            other_key=token is not None,
        )

    def encode(self, request: Request, unsupported: frozenset[str] = frozenset()) -> dict[str, Any]:
        """Return the body of the request without the unsupported parameters."""
        native = self.native_schema and "output_config" not in unsupported
        without_tools = bool(unsupported & {"tools", "tool_choice"})
        forced_tool = not native and not without_tools
        content = _user_content(request) if self.prompt_cache and forced_tool else request.user
        native_schema = in_dialect(request.schema, "anthropic_native")
        tool = {
            "name": request.name,
            "description": "Give the answer.",
            "input_schema": _ANY_OBJECT_SCHEMA if isinstance(content, list) else request.schema,
        }
        body: dict[str, Any] = {
            "model": self.model,
            "max_tokens": request.max_tokens or _DEFAULT_MAX_TOKENS,
            "system": schema_in_prompt(request.system, request.schema) if without_tools else request.system,
            "messages": [{"role": "user", "content": content}],
            "temperature": request.temperature,
            "output_config": {"format": {"type": "json_schema", "schema": native_schema}} if native else None,
            "tools": [tool] if forced_tool else None,
            "tool_choice": {"type": "tool", "name": request.name} if forced_tool else None,
        }
        return merge_options(body, self.options, unsupported)

    def decode(self, body: bytes) -> Completion:
        """Return the answer: the tool's input as JSON.

        Raises:
            ProviderError: it is not a message, is cut off, or the model refused.
        """
        name, secrets = f"anthropic: {self.model}", self._endpoint.secrets
        reply = read_response(_MessagesReply, body, name, "message", secrets)
        if reply.stop_reason in _STOP_MESSAGES:
            text = reply.text()
            quote = f": {clean(text, secrets)!r}" if text and reply.stop_reason == "refusal" else ""
            raise unusable_answer(
                f"{name} {_STOP_MESSAGES[reply.stop_reason]}{quote}",
                reply.usage.total(),
                partial=text if reply.stop_reason == "max_tokens" else None,
            )
        return Completion(reply.text(), reply.usage.total(), reply.model or self.model)

    def _find_endpoint(self) -> Endpoint:
        headers = {
            "anthropic-version": _API_VERSION,
            "x-api-key": self.api_key,
            "Authorization": self.auth_token and f"Bearer {self.auth_token}",
        }
        endpoint = self._endpoint_at(self.base_url, "v1/messages", headers)
        secrets = (*endpoint.secrets, *secrets_in({}, self.auth_token))
        return replace(endpoint, secrets=secrets, batches=AnthropicBatches(self.base_url or ""))


def _user_content(request: Request) -> str | list[dict[str, Any]]:
    """Return the user message; its first block, the passages, is a cache entry if it is long enough for one."""
    passages, separator, rest = request.user.partition("\n\n")
    if not rest or len(passages) < _MIN_CACHED_CHARACTERS:
        return request.user
    schema = json.dumps(request.schema, ensure_ascii=False, separators=(",", ":"))
    task = f"{rest}\n\nCall the tool with an object that fits this JSON schema:\n{schema}"
    cached_block = {"type": "text", "text": passages + separator, "cache_control": {"type": "ephemeral"}}
    return [cached_block, {"type": "text", "text": task}]


class _Block(BaseModel):
    type: str
    text: str = ""
    input: dict[str, Any] | str | None = None


class _MessagesUsage(BaseModel):
    input_tokens: TokenCount = None
    output_tokens: TokenCount = None
    cache_read_input_tokens: TokenCount = None
    cache_creation_input_tokens: TokenCount = None

    def total(self) -> Usage:
        """Return the tokens; this API does not count cached ones as input."""
        cached, written = self.cache_read_input_tokens or 0, self.cache_creation_input_tokens or 0
        return Usage(
            calls=1,
            input_tokens=(self.input_tokens or 0) + cached + written,
            output_tokens=self.output_tokens or 0,
            cached_tokens=cached,
            cache_write_tokens=written,
        )


class _MessagesReply(BaseModel):
    content: tuple[_Block, ...]
    model: str | None = None
    stop_reason: str | None = None
    usage: _MessagesUsage = _MessagesUsage()

    def text(self) -> str:
        """Return the input of the tool as JSON, or the text of a model that did not call it."""
        for block in self.content:
            if block.type == "tool_use" and block.input is not None:
                return as_json_text(block.input)
        return "".join(block.text for block in self.content if block.type == "text")
