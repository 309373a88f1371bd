"""Good requests in each vendor's wire format and a plain client: where the servers' tests start."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, TypeVar

import aiohttp
from tests.servers._server import JudgeServer

T = TypeVar("T")


def talk(conversation: Callable[[aiohttp.ClientSession], Awaitable[T]]) -> T:
    """Run a conversation on one client session."""

    async def run() -> T:
        async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=60)) as session:
            return await conversation(session)

    return asyncio.run(run())


def post(
    server: JudgeServer, body: Any, *, headers: Mapping[str, str] | None = None, path: str = ""
) -> tuple[int, Any]:
    """Send one request as this vendor wants it; its status and JSON."""

    async def conversation(session: aiohttp.ClientSession) -> tuple[int, Any]:
        async with session.post(
            server.origin + (path or PATHS[server.vendor]),
            json=body,
            headers=HEADERS[server.vendor] if headers is None else headers,
        ) as response:
            return response.status, await response.json()

    return talk(conversation)


PATHS = {"openai": "/v1/chat/completions", "anthropic": "/v1/messages", "ollama": "/api/chat"}
HEADERS: Mapping[str, Mapping[str, str]] = {
    "openai": {"Authorization": "Bearer sk-loopback"},
    "anthropic": {"x-api-key": "sk-ant-loopback", "anthropic-version": "2023-06-01"},
    "ollama": {},
}


def chat(schema: Mapping[str, Any], user: str = "Judge.\n1. one\n2. two", **more: Any) -> dict[str, Any]:
    """An OpenAI request with a strict schema."""
    wanted = {"type": "json_schema", "json_schema": {"name": "answer", "strict": True, "schema": schema}}
    messages = [{"role": "system", "content": "You are a judge."}, {"role": "user", "content": user}]
    return {"model": "gpt-4o-mini", "messages": messages, "temperature": 0, "response_format": wanted, **more}


def message(schema: Mapping[str, Any], user: str = "Judge.\n1. one\n2. two", **more: Any) -> dict[str, Any]:
    """An Anthropic request with one forced tool."""
    return {
        "model": "claude-sonnet-4-6",
        "max_tokens": 1024,
        "system": "You are a judge.",
        "messages": [{"role": "user", "content": user}],
        "tools": [{"name": "answer", "description": "Give the answer.", "input_schema": schema}],
        "tool_choice": {"type": "tool", "name": "answer"},
        **more,
    }


def ollama_chat(
    schema: Mapping[str, Any], user: str = "Judge.\n1. one\n2. two", **more: Any
) -> dict[str, Any]:
    """An Ollama request with a format."""
    messages = [{"role": "system", "content": "You are a judge."}, {"role": "user", "content": user}]
    return {"model": "llama3.2", "messages": messages, "format": schema, "stream": False, **more}


BODIES: Mapping[str, Callable[..., dict[str, Any]]] = {
    "openai": chat,
    "anthropic": message,
    "ollama": ollama_chat,
}


def content(vendor: str, payload: Any) -> str:
    """The model's text in an answer; Anthropic's tool input as its repr."""
    match vendor:
        case "openai":
            return payload["choices"][0]["message"]["content"]
        case "anthropic":
            block = payload["content"][0]
            return block["text"] if block["type"] == "text" else repr(block["input"])
        case _:
            return payload["message"]["content"]
