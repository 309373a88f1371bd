"""Anthropic's Messages API, spoken strictly: headers, unknown fields, tools and the choice among them.

Rules: the API reference ("Create a Message", "Errors", "Versions") and the guide to tool use. A forced
tool is answered by a `tool_use` block whose input is the scripted answer.
"""

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

from tests.servers import _tokens
from tests.servers._anthropic_batches import AnthropicBatchShop
from tests.servers._anthropic_rules import VERSIONS, check_messages, chosen_tool, marked_beginnings
from tests.servers._delivery import Said
from tests.servers._prefix_cache import schema_first
from tests.servers._server import JudgeServer
from tests.servers._traffic import Recorded, WireError
from tests.servers.faults import dumped
from tests.servers.script import Ask, Script

_ERRORS = {
    400: "invalid_request_error",
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    413: "request_too_large",
    429: "rate_limit_error",
    504: "timeout_error",
    529: "overloaded_error",
}


class AnthropicServer(JudgeServer):
    """`POST /v1/messages`, and `batches` of them.

    Args:
        script: What the model says.
        key: The one key that is accepted.
        models: The models there are; None means any.
        fixed_sampling: A model that refuses `temperature`, `top_p` and `top_k` under every version of the API, as
            those from 4.7 on; version 2026-10-21 of the API refuses them for all models.
        always_thinks: A model that thinks before it answers and refuses a forced tool, as those of 5.5; it has
            fixed sampling too.
    """

    vendor = "anthropic"

    def __init__(
        self,
        script: Script | None = None,
        *,
        key: str = "sk-ant-loopback",
        models: Sequence[str] | None = None,
        fixed_sampling: bool = False,
        always_thinks: bool = False,
        latency: float = 0.0,
    ) -> None:
        super().__init__(script, latency=latency)
        self.key: str = key
        self.models = models
        self.fixed_sampling, self.always_thinks = fixed_sampling or always_thinks, always_thinks
        self._ids = itertools.count(1)
        self.batches = AnthropicBatchShop(self)

    @property
    def base_url(self) -> str:
        return self.origin

    def routes(self) -> Mapping[str, Any]:
        return {"/v1/messages": self._messages}

    def other_routes(self) -> Mapping[tuple[str, str], Any]:
        return self.batches.routes()

    def headers(self) -> Mapping[str, str]:
        return {"request-id": f"req_{next(self._ids):024d}"}

    def error(self, status: int, message: str, **details: Any) -> Mapping[str, Any]:
        kind = _ERRORS.get(status, "api_error" if status >= 500 else "invalid_request_error")
        request_id = f"req_{next(self._ids):024d}"
        return {
            "type": "error",
            "error": {"type": kind, "message": message, **details},
            "request_id": request_id,
        }

    async def _messages(self, recorded: Recorded) -> tuple[Any, Mapping[str, str]]:
        version = self.admit(recorded)
        return await self.complete(recorded.body, version), {}

    async def complete(self, body: Mapping[str, Any], version: str) -> Any:
        """Answer one request, posted alone or in a batch."""
        check_messages(body, version, fixed_sampling=self.fixed_sampling, always_thinks=self.always_thinks)
        if self.models is not None and body["model"] not in self.models:
            raise WireError(404, f"model: {body['model']}")
        ask = _ask(body)
        return self.payload(ask, await self.say(ask))

    def admit(self, recorded: Recorded) -> str:
        """Check the key, in its own header or as a bearer token, and the version; the version."""
        headers = {name.lower(): value for name, value in recorded.headers.items()}
        bearer = headers.get("authorization", "").removeprefix("Bearer ") or None
        key = headers.get("x-api-key", bearer)
        if key is None:
            raise WireError(401, "x-api-key header is required")
        if key != self.key:
            raise WireError(401, "invalid x-api-key")
        version = headers.get("anthropic-version")
        if version is None:
            raise WireError(400, "anthropic-version: header is required")
        if version not in VERSIONS:
            raise WireError(400, f"anthropic-version: {version!r} is not a valid version")
        return version

    def payload(self, ask: Ask, said: Said) -> Any:
        content, reason = _content(ask, said, next(self._ids))
        if self.always_thinks and content:
            content.insert(0, {"type": "thinking", "thinking": "", "signature": "c2lnbmVk"})
        return {
            "id": f"msg_{next(self._ids):024d}",
            "type": "message",
            "role": "assistant",
            "model": ask.model,
            "content": content,
            "stop_reason": reason,
            "stop_sequence": None,
            "usage": self._usage(ask, dumped({"content": content})),
        }

    def _usage(self, ask: Ask, answer: str) -> Mapping[str, Any]:
        sent = _tokens.count(schema_first(ask.schema, ask.text))
        marked = [schema_first(ask.schema, text) for text in marked_beginnings(ask.body)]
        cached, made = self.prefixes.read_marked(marked)
        return {
            "input_tokens": sent - cached - made,
            "cache_creation_input_tokens": made,
            "cache_read_input_tokens": cached,
            "output_tokens": _tokens.count(answer),
            "service_tier": "standard",
        }


def _content(ask: Ask, said: Said, number: int) -> tuple[list[Any], str]:
    tool = chosen_tool(ask.body)
    match said.finish:
        case "refusal" | "content_filter":
            return [], "refusal"
        case "empty":
            return [], "end_turn"
        case "length" if tool is not None:
            return [
                {"type": "tool_use", "id": f"toolu_{number:024d}", "name": tool["name"], "input": {}}
            ], "max_tokens"
        case "length":
            return [{"type": "text", "text": said.text[: len(said.text) // 2]}], "max_tokens"
    if tool is None or said.as_text:
        return [{"type": "text", "text": said.text}], "end_turn"
    block = {
        "type": "tool_use",
        "id": f"toolu_{number:024d}",
        "name": tool["name"],
        "input": dict(said.answer),
    }
    return [block], "tool_use"


def _ask(body: Mapping[str, Any]) -> Ask:
    tool = chosen_tool(body)
    schema = tool["input_schema"] if tool is not None else _format_schema(body)
    user = "\n".join(_text(message["content"]) for message in body["messages"])
    return Ask("anthropic", body["model"], _text(body.get("system", "")), user, schema, body)


def _format_schema(body: Mapping[str, Any]) -> Mapping[str, Any] | None:
    return ((body.get("output_config") or {}).get("format") or {}).get("schema")


def _text(content: Any) -> str:
    return content if isinstance(content, str) else "\n".join(block.get("text", "") for block in content)
