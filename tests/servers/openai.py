"""OpenAI's chat completions and embeddings, spoken strictly; also as Azure, or as servers that know less.

Rules: the API reference ("Create chat completion", "Create embeddings") and "Structured model outputs".
What the vendor refuses is refused here, in its error shape, with the parameter named.
"""

import base64
import itertools
import re
import struct
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from tests.servers import _tokens
from tests.servers._delivery import Said
from tests.servers._openai_batches import OpenAIBatchShop
from tests.servers._openai_rules import check_chat, check_embeddings, schema_of
from tests.servers._prefix_cache import schema_first
from tests.servers._server import JudgeServer
from tests.servers._strict_schema import AZURE, OPENAI
from tests.servers._traffic import Recorded, WireError
from tests.servers._vectors import embedding
from tests.servers.script import Ask, Script

Structured = Literal["strict", "json_object", "unknown"]
_TYPES = {401: "invalid_request_error", 403: "permission_error", 429: "requests", 500: "server_error"}
_CODES = {401: "invalid_api_key", 429: "rate_limit_exceeded"}
_FINISH = {
    "stop": "stop",
    "length": "length",
    "content_filter": "content_filter",
    "refusal": "stop",
    "empty": "stop",
}


class OpenAIServer(JudgeServer):
    """`POST /v1/chat/completions` and `/v1/embeddings`, with the same under Azure's paths; files and `batches`.

    Args:
        script: What the model says.
        key: The one key that is accepted.
        models: The models there are; None means any.
        structured: What of `response_format` the server knows: strict schemas, only `json_object`, nothing.
        reasoning: A reasoning model: no `temperature` but 1, no `max_tokens`, no log-probabilities.
        azure: Azure's dialect of strict schemas, and its `api-key` header.
        digits: Digits in one token (3 as OpenAI, 1 as Llama).
        vectors: Embeddings of given texts.
    """

    vendor = "openai"
    forms = "multipart/form-data"

    def __init__(
        self,
        script: Script | None = None,
        *,
        key: str = "sk-loopback",
        models: Sequence[str] | None = None,
        structured: Structured = "strict",
        reasoning: bool = False,
        azure: bool = False,
        digits: int = 3,
        vectors: Mapping[str, Sequence[float]] | None = None,
        latency: float = 0.0,
        port: int = 0,
    ) -> None:
        super().__init__(script, latency=latency, port=port)
        self.key: str = key
        self.models, self.structured = models, structured
        self.reasoning, self.azure, self.digits = reasoning, azure, digits
        self.vectors: Mapping[str, Sequence[float]] = vectors or {}
        self._ids = itertools.count(1)
        self.batches = OpenAIBatchShop(self)

    @property
    def base_url(self) -> str:
        return f"{self.origin}/openai/v1" if self.azure else f"{self.origin}/v1"

    def deployment_url(self, deployment: str = "judge") -> str:
        """Azure's older base, one per deployment; it wants `?api-version=`."""
        return f"{self.origin}/openai/deployments/{deployment}"

    def routes(self) -> Mapping[str, Any]:
        bases = ["/openai/v1", "/openai/deployments/{deployment}"] if self.azure else ["/v1"]
        served = {"chat/completions": self._chat, "embeddings": self._embed}
        return {f"{base}/{path}": handler for base in bases for path, handler in served.items()}

    def other_routes(self) -> Mapping[tuple[str, str], Any]:
        base = "/openai/v1" if self.azure else "/v1"
        return {**self.batches.routes(base), ("GET", f"{base}/models"): self._models}

    async def _models(self, _: Recorded) -> tuple[Any, Mapping[str, str]]:
        return {
            "object": "list",
            "data": [{"id": "judge", "object": "model", "created": 1, "owned_by": "llamacpp"}],
        }, {}

    def headers(self) -> Mapping[str, str]:
        return {"x-request-id": f"req_{next(self._ids):08d}", "openai-version": "2020-10-01"}

    def error(self, status: int, message: str, **details: Any) -> Mapping[str, Any]:
        kind = _TYPES.get(status, "server_error" if status > 500 else "invalid_request_error")
        return {
            "error": {"message": message, "type": kind, "param": None, "code": _CODES.get(status), **details}
        }

    def admit(self, recorded: Recorded) -> dict[str, Any]:
        """Check the key; the body."""
        headers = {name.lower(): value for name, value in recorded.headers.items()}
        bearer = headers.get("authorization", "")
        given = (
            headers.get("api-key") if self.azure and "api-key" in headers else bearer.removeprefix("Bearer ")
        )
        if not given or (given == bearer and not self.azure):
            raise WireError(
                401, "You didn't provide an API key. Send it in an Authorization header using Bearer auth."
            )
        if given != self.key:
            raise WireError(401, f"Incorrect API key provided: {given[:3]}***{given[-2:]}.")
        if "/deployments/" in recorded.path and "api-version" not in recorded.query:
            raise WireError(404, "Resource not found", code="404")
        return dict(recorded.body) if isinstance(recorded.body, dict) else {}

    async def _chat(self, recorded: Recorded) -> tuple[Any, Mapping[str, str]]:
        body = self.admit(recorded)
        if (deployment := re.search(r"/deployments/([^/]+)/", recorded.path)) is not None:
            body.setdefault("model", deployment[1])
        return await self.complete(body), {}

    async def complete(self, body: Mapping[str, Any]) -> Any:
        """Answer one request, posted alone or in a batch."""
        check_chat(
            body,
            structured=self.structured,
            reasoning=self.reasoning,
            dialect=AZURE if self.azure else OPENAI,
        )
        self.check_model(body["model"])
        ask = _ask(body)
        return self.payload(ask, await self.say(ask))

    def check_model(self, model: str) -> None:
        if self.models is not None and model not in self.models:
            message = f"The model `{model}` does not exist or you do not have access to it."
            raise WireError(404, message, code="model_not_found")

    async def _embed(self, recorded: Recorded) -> tuple[Any, Mapping[str, str]]:
        body = self.admit(recorded)
        if (deployment := re.search(r"/deployments/([^/]+)/", recorded.path)) is not None:
            body.setdefault("model", deployment[1])
        check_embeddings(body)
        self.check_model(body["model"])
        texts = [body["input"]] if isinstance(body["input"], str) else body["input"]
        await self.strike_other("\n".join(texts))
        vectors = [embedding(text, self.vectors, body.get("dimensions")) for text in texts]
        used = sum(_tokens.count(text) for text in texts)
        packed = body.get("encoding_format") == "base64"
        return {
            "object": "list",
            "data": [
                {"object": "embedding", "index": place, "embedding": _packed(vector) if packed else vector}
                for place, vector in enumerate(vectors)
            ],
            "model": body["model"],
            "usage": {"prompt_tokens": used, "total_tokens": used},
        }, {}

    def payload(self, ask: Ask, said: Said) -> Any:
        refused = said.finish == "refusal"
        content = None if refused or said.finish == "content_filter" else _cut(said)
        message = {
            "role": "assistant",
            "content": content,
            "refusal": "I'm sorry, I can't help with that." if refused else None,
            "annotations": [],
        }
        choice = {
            "index": 0,
            "message": message,
            "logprobs": self._logprobs(ask, content or ""),
            "finish_reason": _FINISH[said.finish],
        }
        return {
            "id": f"chatcmpl-{next(self._ids):08d}",
            "object": "chat.completion",
            "created": 1_760_000_000,
            "model": ask.model,
            "choices": [] if said.finish == "empty" else [choice] * (ask.body.get("n") or 1),
            "usage": self._usage(ask, content or ""),
            "service_tier": "default",
            "system_fingerprint": "fp_loopback",
        }

    def _logprobs(self, ask: Ask, content: str) -> Any:
        if not ask.body.get("logprobs"):
            return None
        tokens = _tokens.with_logprobs(content, self.script.probabilities, digits=self.digits)
        return {"content": _tokens.openai_shape(tokens, ask.body.get("top_logprobs") or 0), "refusal": None}

    def _usage(self, ask: Ask, content: str) -> Mapping[str, Any]:
        prompt = schema_first(ask.schema, ask.text)
        sent, got = _tokens.count(prompt), _tokens.count(content)
        cached = self.prefixes.read(prompt)
        return {
            "prompt_tokens": sent,
            "completion_tokens": got,
            "total_tokens": sent + got,
            "prompt_tokens_details": {"cached_tokens": cached, "audio_tokens": 0},
            "completion_tokens_details": {
                "reasoning_tokens": 0,
                "audio_tokens": 0,
                "accepted_prediction_tokens": 0,
                "rejected_prediction_tokens": 0,
            },
        }


def _cut(said: Said) -> str:
    return said.text[: len(said.text) // 2] if said.finish == "length" else said.text


def _ask(body: Mapping[str, Any]) -> Ask:
    words: dict[str, list[str]] = {"system": [], "user": []}
    for message in body["messages"]:
        content = message.get("content") or ""
        text = content if isinstance(content, str) else "".join(part.get("text", "") for part in content)
        words["system" if message["role"] in {"system", "developer"} else "user"].append(text)
    return Ask(
        "openai", body["model"], "\n".join(words["system"]), "\n".join(words["user"]), schema_of(body), body
    )


def _packed(vector: Sequence[float]) -> str:
    return base64.b64encode(struct.pack(f"<{len(vector)}f", *vector)).decode()
