"""Ollama's chat and embeddings, spoken more strictly than Ollama does, which overlooks what it does not know.

Rules: the API reference ("Generate a chat message", "Generate embeddings", "Errors") and the Modelfile's
parameters.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from tests.servers import _tokens
from tests.servers._delivery import Said
from tests.servers._fields import Field, anything, flag, integer, listed, mapping, misfit, text
from tests.servers._json_schema import schema_error
from tests.servers._server import JudgeServer
from tests.servers._traffic import Recorded, WireError
from tests.servers._vectors import embedding
from tests.servers.script import Ask, Script

_CHAT: Mapping[str, Field] = {
    "model": text(required=True),
    "messages": listed(required=True),
    "format": Field((str, dict)),
    "keep_alive": anything(),
    "logprobs": flag(),
    "options": mapping(),
    "stream": flag(),
    "think": Field((bool, str)),
    "tools": listed(),
    "top_logprobs": integer(0, 20),
    "truncate": flag(),
    "shift": flag(),
}
_EMBED: Mapping[str, Field] = {
    "model": text(required=True),
    "input": Field((str, list), required=True),
    "dimensions": integer(1),
    "keep_alive": anything(),
    "options": mapping(),
    "truncate": flag(),
}
_OPTIONS = frozenset(
    {
        "num_ctx",
        "num_predict",
        "num_keep",
        "seed",
        "temperature",
        "top_k",
        "top_p",
        "min_p",
        "typical_p",
        "stop",
    }
    | {
        "repeat_last_n",
        "repeat_penalty",
        "presence_penalty",
        "frequency_penalty",
        "num_batch",
        "num_gpu",
        "main_gpu",
    }
    | {"use_mmap", "num_thread", "numa", "mirostat", "mirostat_tau", "mirostat_eta", "penalize_newline"}
)
_ROLES = frozenset({"system", "user", "assistant", "tool"})
_DONE = {"stop": "stop", "length": "length", "empty": "load"}


class OllamaServer(JudgeServer):
    """`POST /api/chat` and `/api/embed`.

    Args:
        script: What the model says.
        models: The models that are pulled; None means any.
        key: A key that is wanted as a bearer token (Ollama's cloud, or a proxy before it); None wants none.
        digits: Digits in one token (1 as Llama).
        vectors: Embeddings of given texts.
    """

    vendor = "ollama"

    def __init__(
        self,
        script: Script | None = None,
        *,
        models: Sequence[str] | None = None,
        key: str | None = None,
        digits: int = 1,
        vectors: Mapping[str, Sequence[float]] | None = None,
        latency: float = 0.0,
    ) -> None:
        super().__init__(script, latency=latency)
        self.models, self.key, self.digits = models, key, digits
        self.vectors = dict(vectors or {})

    @property
    def base_url(self) -> str:
        return self.origin

    def routes(self) -> Mapping[str, Any]:
        return {"/api/chat": self._chat, "/api/embed": self._embed}

    def other_routes(self) -> Mapping[tuple[str, str], Any]:
        return {("GET", "/api/tags"): self._tags}

    async def _tags(self, _: Recorded) -> tuple[Any, Mapping[str, str]]:
        return {
            "models": [
                {"name": name, "model": name, "size": 1} for name in self.models or ("llama3.1:latest",)
            ]
        }, {}

    def error(self, status: int, message: str, **details: Any) -> Mapping[str, Any]:  # noqa: ARG002 - Ollama's shape is the words alone
        return {"error": message, **details}

    def _admit(self, recorded: Recorded, fields: Mapping[str, Field]) -> Mapping[str, Any]:
        headers = {name.lower(): value for name, value in recorded.headers.items()}
        if self.key is not None and headers.get("authorization") != f"Bearer {self.key}":
            raise WireError(401, "unauthorized")
        body = recorded.body
        found = misfit(body, fields)
        if found is not None:
            raise WireError(400, f"{found.name}: {found.wrong} (got {found.value!r:.80})")
        for name in body.get("options") or ():
            if name not in _OPTIONS:
                raise WireError(400, f"invalid option provided: {name}")
        if self.models is not None and _tagged(body["model"]) not in set(map(_tagged, self.models)):
            raise WireError(404, f'model "{body["model"]}" not found, try pulling it first')
        return body

    async def _chat(self, recorded: Recorded) -> tuple[Any, Mapping[str, str]]:
        body = self._admit(recorded, _CHAT)
        if body.get("stream") is not False:
            raise WireError(
                400, "stream: this loopback server does not stream; Ollama would, unless sent false"
            )
        if body.get("top_logprobs") and not body.get("logprobs"):
            raise WireError(400, "top_logprobs: requires logprobs to be true")
        for message in body["messages"]:
            _check_message(message)
        ask = _ask(body)
        return self.payload(ask, await self.say(ask)), {}

    async def _embed(self, recorded: Recorded) -> tuple[Any, Mapping[str, str]]:
        body = self._admit(recorded, _EMBED)
        texts = [body["input"]] if isinstance(body["input"], str) else body["input"]
        if not all(isinstance(entry, str) for entry in texts):
            raise WireError(400, "invalid input type")
        await self.strike_other("\n".join(texts))
        return {
            "model": body["model"],
            "embeddings": [embedding(entry, self.vectors, body.get("dimensions")) for entry in texts],
            "total_duration": 14_143_917,
            "load_duration": 1_019_500,
            "prompt_eval_count": sum(map(_tokens.count, texts)),
        }, {}

    def payload(self, ask: Ask, said: Said) -> Any:
        content = {"empty": "", "refusal": "I can't help with that.", "content_filter": ""}.get(
            said.finish, said.text
        )
        if said.finish == "length":
            content = content[: len(content) // 2]
        answer = {
            "model": ask.model,
            "created_at": "2025-10-09T08:53:20.000000Z",
            "message": {"role": "assistant", "content": content},
            "done": True,
            "done_reason": _DONE.get(said.finish, "stop"),
            "total_duration": 5_191_566_416,
            "load_duration": 2_154_458,
            "prompt_eval_count": _tokens.count(ask.text),
            "prompt_eval_duration": 383_809_000,
            "eval_count": _tokens.count(content),
            "eval_duration": 4_799_921_000,
        }
        if ask.body.get("logprobs"):
            tokens = _tokens.with_logprobs(content, self.script.probabilities, digits=self.digits)
            answer["logprobs"] = _tokens.openai_shape(tokens, ask.body.get("top_logprobs") or 0)
        return answer


def _tagged(model: str) -> str:
    return model if ":" in model else f"{model}:latest"


def _check_message(message: Any) -> None:
    known = {"role", "content", "images", "tool_calls", "tool_name", "thinking"}
    if not isinstance(message, dict) or not set(message) <= known:
        raise WireError(400, f"messages: unknown shape {message!r:.80}")
    if message.get("role") not in _ROLES or not isinstance(message.get("content"), str):
        raise WireError(400, f"messages: a role of {sorted(_ROLES)} and a text, got {message!r:.80}")


def _ask(body: Mapping[str, Any]) -> Ask:
    shape = body.get("format")
    if isinstance(shape, str) and shape != "json":
        raise WireError(400, f'invalid format: "{shape}"; expected "json" or a valid JSON Schema object')
    if isinstance(shape, dict):
        error = schema_error(shape)
        if error is not None:
            raise WireError(
                400, f'invalid format: {error.message}; expected "json" or a valid JSON Schema object'
            ) from error
    system = "\n".join(m["content"] for m in body["messages"] if m["role"] == "system")
    user = "\n".join(m["content"] for m in body["messages"] if m["role"] != "system")
    return Ask("ollama", body["model"], system, user, shape if isinstance(shape, dict) else None, body)
