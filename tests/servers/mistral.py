"""Mistral's chat completions, spoken strictly: OpenAI's shape with fields and errors of its own.

Rules: the API reference, "Chat Completion". Bodies are closed: a field that the API does not know is a 422.
"""

from collections.abc import Mapping
from typing import Any

from tests.servers._fields import anything, flag, integer, listed, mapping, misfit, number, text
from tests.servers._traffic import WireError
from tests.servers.openai import OpenAIServer
from tests.servers.script import Ask

_CHAT = {
    "model": text(required=True),
    "messages": listed(required=True),
    "frequency_penalty": number(-2, 2),
    "max_tokens": integer(0),
    "metadata": mapping(),
    "n": integer(1),
    "parallel_tool_calls": flag(),
    "prediction": mapping(),
    "presence_penalty": number(-2, 2),
    "prompt_mode": text("reasoning"),
    "random_seed": integer(0),
    "response_format": mapping(),
    "safe_prompt": flag(),
    "stop": anything(),
    "stream": flag(),
    "temperature": number(0, 1.5),
    "tool_choice": anything(),
    "tools": listed(),
    "top_p": number(0, 1),
}
_WRONG = {
    "unknown": ("extra_forbidden", "Extra inputs are not permitted"),
    "missing": ("missing", "Field required"),
}


class MistralServer(OpenAIServer):
    """`POST /v1/chat/completions` as Mistral answers it: no log-probabilities, files or batches of OpenAI's kind."""

    vendor = "mistral"

    def routes(self) -> Mapping[str, Any]:
        return {path: handler for path, handler in super().routes().items() if path.endswith("completions")}

    def other_routes(self) -> Mapping[tuple[str, str], Any]:
        return {}

    def error(self, status: int, message: str, **details: Any) -> Mapping[str, Any]:
        if status == 401:
            return {"detail": "Unauthorized"}
        kind = "invalid_request_error" if status < 500 else "internal_server_error"
        found = details.get("detail")
        shown: Any = message if found is None else {"detail": [found]}
        return {"object": "error", "message": shown, "type": kind, "param": None, "code": details.get("code")}

    async def complete(self, body: Mapping[str, Any]) -> Any:
        found = misfit(body, _CHAT)
        if found is not None:
            kind, words = _WRONG.get(found.wrong, ("value_error", f"Input should be a valid {found.wrong}"))
            detail = {"type": kind, "loc": ["body", found.name], "msg": words, "input": found.value}
            raise WireError(422, words, detail=detail)
        return await super().complete(body)

    def _usage(self, ask: Ask, content: str) -> Mapping[str, Any]:
        counted = super()._usage(ask, content)
        return {name: counted[name] for name in ("prompt_tokens", "completion_tokens", "total_tokens")}
