"""Ollama's chat: models on one's own machine; `format` holds the answer to the schema.

Format: https://github.com/ollama/ollama/blob/main/docs/api.md. Ollama cuts a prompt that is longer than the
    context window (`num_ctx`) without a word, and a judge that reads half the evidence judges wrong. So the
    window is always sent,
with room for the prompt, in powers of two since each change of it loads the model anew.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from pydantic import BaseModel, ValidationError

from ragstone.errors import ProviderError
from ragstone.providers.base import Completion, Request, Token
from ragstone.providers.http.address import check_key, from_environment, join, ollama_host, secrets_in
from ragstone.providers.http.failures import clean, unusable_answer
from ragstone.providers.http.transport import Endpoint
from ragstone.providers.wire.parameter_support import (
    is_supported,
    mark_unsupported,
    merge_options,
    post_negotiated,
    schema_in_prompt,
)
from ragstone.result import Usage

_SMALLEST_WINDOW = 8192
_ANSWER_TOKENS = 2048
_BYTES_A_TOKEN = 3
"""On the safe side: English has four and more, dense JSON and other scripts three."""

_OPTIONAL_PARAMETERS = {"format": r"\bformat\b", "logprobs": r"log_?probs"}


@dataclass(frozen=True, kw_only=True)
class Ollama:
    """A model behind Ollama's wire.

    Attributes:
        model: the model, pulled before.
        base_url: the server; from OLLAMA_HOST unless given. Scheme, host and port may each be left out.
        api_key: a bearer token for a server behind a gate; from OLLAMA_API_KEY unless given.
        options: further model parameters (the `options` of the wire), such as `{"num_ctx": 32768, "seed":
            7}`.
        headers: further headers.
    """

    model: str = "llama3.1"
    base_url: str | None = None
    api_key: str | None = field(default=None, repr=False)
    options: Mapping[str, Any] = field(default_factory=dict[str, Any], hash=False)
    headers: Mapping[str, str] = field(default_factory=dict[str, str], repr=False, hash=False)

    def __post_init__(self) -> None:
        """Settle the address, so that the value means the same on every machine."""
        key = self.api_key or from_environment("OLLAMA_API_KEY")
        object.__setattr__(
            self, "base_url", ollama_host(self.base_url or from_environment("OLLAMA_HOST") or "")
        )
        object.__setattr__(self, "api_key", key and check_key(key, "OLLAMA_API_KEY"))

    @property
    def name(self) -> str:
        """The vendor."""
        return "ollama"

    @property
    def supports_structured_outputs(self) -> bool:
        """Where the server turns a schema down, the provider itself writes it into the system message."""
        return True

    @property
    def supports_log_probs(self) -> bool:
        """Until the server has turned log-probabilities down, or (before version 0.12.11) left them out."""
        return is_supported(self._endpoint, "logprobs")

    @property
    def supports_multimodal(self) -> bool:
        """Whether its usual models read images."""
        return False

    async def complete(self, request: Request) -> Completion:
        """Return the model's answer.

        Raises:
            ProviderError: the server refused or failed, or the answer was cut off.
            TimedOut: no answer in time.
        """
        body = await post_negotiated(
            self._endpoint, lambda unsupported: encode(self, request, unsupported), _OPTIONAL_PARAMETERS
        )
        completion = decode(body, self.model)
        if request.top_logprobs and not completion.tokens:
            mark_unsupported(self._endpoint, "logprobs")
        return completion

    @cached_property
    def _endpoint(self) -> Endpoint:
        return self.endpoint("api/chat")

    def endpoint(self, path: str) -> Endpoint:
        """Return where calls go that stand at `path` below the host."""
        ours = {"Authorization": f"Bearer {self.api_key}"} if self.api_key else {}
        secrets = secrets_in(self.headers, self.api_key)
        address = join(self.base_url or "", path)
        return Endpoint(self.name, self.model, address, ours | dict(self.headers), secrets)


def encode(provider: Ollama, request: Request, unsupported: frozenset[str] = frozenset()) -> dict[str, Any]:
    """Return the body of the request without what the server turned down."""
    bare = "format" in unsupported
    system = schema_in_prompt(request.system, request.schema) if bare else request.system
    options: dict[str, Any] = {
        "temperature": request.temperature,
        "num_ctx": window(request),
        "num_predict": request.max_tokens,
    }
    with_log_probs = request.top_logprobs > 0 and "logprobs" not in unsupported
    body: dict[str, Any] = {
        "model": provider.model,
        "messages": [{"role": "system", "content": system}, {"role": "user", "content": request.user}],
        "stream": False,
        "format": request.schema,
        "options": merge_options(options, provider.options, ()),
        "logprobs": with_log_probs or None,
        "top_logprobs": request.top_logprobs if with_log_probs else None,
    }
    return merge_options(body, {}, unsupported)


def window(request: Request) -> int:
    """Return a context window, in tokens, that holds the prompt and the answer."""
    prompt = (
        len(request.system.encode("utf-8", "replace")) + len(request.user.encode("utf-8", "replace"))
    ) // _BYTES_A_TOKEN
    needed = prompt + (request.max_tokens or _ANSWER_TOKENS)
    return max(_SMALLEST_WINDOW, 1 << (needed - 1).bit_length())


def decode(body: bytes, model: str) -> Completion:
    """Return what the server answered.

    Raises:
        ProviderError: it is no chat answer, or was cut off.
    """
    try:
        reply = _Reply.model_validate_json(body)
    except ValidationError as error:
        found = clean(body[:400].decode("utf-8", "replace"))
        raise ProviderError(f"ollama: {model}: the answer is no chat message: {found!r}") from error
    usage = Usage(calls=1, input_tokens=reply.prompt_eval_count or 0, output_tokens=reply.eval_count or 0)
    if reply.done_reason == "length":
        cut = "stopped at its limit of tokens, in the middle of the answer: allow more with num_predict or num_ctx"
        raise unusable_answer(f"ollama: {model} {cut}", usage)
    return Completion(reply.message.content or "", usage, reply.model or model, reply.tokens())


class _Alternative(BaseModel):
    token: str
    logprob: float


class _Scored(_Alternative):
    top_logprobs: tuple[_Alternative, ...] | None = None


class _Message(BaseModel):
    content: str | None = None


class _Reply(BaseModel):
    message: _Message
    model: str | None = None
    done_reason: str | None = None
    prompt_eval_count: int | None = None
    eval_count: int | None = None
    logprobs: tuple[_Scored, ...] | None = None

    def tokens(self) -> tuple[Token, ...]:
        """Return the answer token by token."""
        return tuple(
            Token(one.token, one.logprob, tuple((top.token, top.logprob) for top in one.top_logprobs or ()))
            for one in self.logprobs or ()
        )
