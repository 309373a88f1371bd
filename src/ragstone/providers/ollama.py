"""Ollama's chat API: models on your own machine; `format` constrains the answer to the schema.

Format: https://github.com/ollama/ollama/blob/main/docs/api.md. Ollama silently truncates a prompt that is longer than
the context window (`num_ctx`), and a judge that reads half of the evidence judges wrongly. So the window is always
sent, large enough for the prompt, in powers of two because each change of it reloads the model.
"""

from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel

from ragstone.providers.base import Completion, Request
from ragstone.providers.http.address import check_key, from_environment, ollama_host
from ragstone.providers.http.endpoint import Endpoint
from ragstone.providers.http.failures import read_response, unusable_answer
from ragstone.providers.wire.http_provider import HttpProvider
from ragstone.providers.wire.parameter_support import merge_options, schema_in_prompt
from ragstone.providers.wire.replies import AnswerMessage, TokenCount, TokenLogProb, tokens_of
from ragstone.result import Usage

_MIN_WINDOW_TOKENS = 8192
_DEFAULT_ANSWER_TOKENS = 2048
_BYTES_PER_TOKEN = 3
"""A low estimate: English has four and more, dense JSON and other scripts three."""

_OPTIONAL_PARAMETERS = {"format": r"\bformat\b", "logprobs": r"log_?probs"}


@dataclass(frozen=True, kw_only=True, repr=False)
class Ollama(HttpProvider):
    """A model behind Ollama's wire format.

    Attributes:
        model: the model; it must have been pulled.
        api_key: a bearer token for a server behind a gateway; by default OLLAMA_API_KEY.
        base_url: the server; by default OLLAMA_HOST. Scheme, host and port may each be omitted.
        options: further model parameters (the API's `options`), such as `{"num_ctx": 32768, "seed": 7}`.
        headers: further headers.
    """

    name = "ollama"
    optional_parameters = _OPTIONAL_PARAMETERS

    model: str = "llama3.1"

    def __post_init__(self) -> None:
        key = self.api_key or from_environment("OLLAMA_API_KEY")
        base = ollama_host(self.base_url or from_environment("OLLAMA_HOST") or "")
        object.__setattr__(self, "base_url", base)
        object.__setattr__(self, "api_key", key and check_key(key, "OLLAMA_API_KEY"))

    def encode(self, request: Request, unsupported: frozenset[str] = frozenset()) -> dict[str, Any]:
        """Return the body of the request without the unsupported parameters."""
        without_schema = "format" in unsupported
        system = schema_in_prompt(request.system, request.schema) if without_schema else request.system
        options: dict[str, Any] = {
            "temperature": request.temperature,
            "num_ctx": window(request),
            "num_predict": request.max_tokens,
        }
        with_log_probs = request.top_logprobs > 0 and "logprobs" not in unsupported
        body: dict[str, Any] = {
            "model": self.model,
            "messages": [{"role": "system", "content": system}, {"role": "user", "content": request.user}],
            "stream": False,
            "format": request.schema,
            "options": merge_options(options, self.options, ()),
            "logprobs": with_log_probs or None,
            "top_logprobs": request.top_logprobs if with_log_probs else None,
        }
        return merge_options(body, {}, unsupported)

    def decode(self, body: bytes) -> Completion:
        """Return the answer.

        Raises:
            ProviderError: it is not a chat message, or is cut off.
        """
        name = f"ollama: {self.model}"
        reply = read_response(_OllamaReply, body, name, "chat message", self._endpoint.secrets)
        usage = Usage(calls=1, input_tokens=reply.prompt_eval_count or 0, output_tokens=reply.eval_count or 0)
        text = reply.message.text
        if reply.done_reason == "length":
            cut = (
                "reached its token limit before the answer was complete: set a higher num_predict or num_ctx"
            )
            raise unusable_answer(f"{name} {cut}", usage, partial=text)
        return Completion(text, usage, reply.model or self.model, tokens_of(reply.logprobs))

    def _find_endpoint(self) -> Endpoint:
        return self.endpoint("api/chat")

    def endpoint(self, path: str) -> Endpoint:
        """Return the endpoint of `path` below the server's URL."""
        token = self.api_key and f"Bearer {self.api_key}"
        return self._endpoint_at(self.base_url, path, {"Authorization": token})


def window(request: Request) -> int:
    """Return a context window, in tokens, that holds the prompt and the answer."""
    prompt_tokens = (
        len(request.system.encode("utf-8", "replace")) + len(request.user.encode("utf-8", "replace"))
    ) // _BYTES_PER_TOKEN
    needed_tokens = prompt_tokens + (request.max_tokens or _DEFAULT_ANSWER_TOKENS)
    return max(_MIN_WINDOW_TOKENS, 1 << (needed_tokens - 1).bit_length())


class _OllamaReply(BaseModel):
    message: AnswerMessage
    model: str | None = None
    done_reason: str | None = None
    prompt_eval_count: TokenCount = None
    eval_count: TokenCount = None
    logprobs: tuple[TokenLogProb, ...] | None = None
