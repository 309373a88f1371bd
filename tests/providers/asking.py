"""Providers aimed at the loopback servers, and a request to ask them."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from tests.servers._server import JudgeServer

from ragstone.prompts import Decisions, JudgeClaims
from ragstone.providers import (
    Anthropic,
    Completion,
    Ollama,
    OpenAI,
    Overload,
    Provider,
    Request,
    Retry,
    open_transport,
)

T = TypeVar("T")
KEYS = {"openai": "sk-loopback", "anthropic": "sk-ant-loopback", "ollama": None}
QUICK = Retry(base=0.01, cap=0.05)


PROMPT = JudgeClaims(evidence_texts=("The sky is blue.",), claims=("It is blue.", "It is red."))


def decisions(text: str) -> Decisions:
    """The answer to `request()`."""
    return PROMPT.parse(text)


def request(**changes: Any) -> Request:
    """Two claims to judge."""
    rendered = PROMPT.render()
    return Request(**{"system": rendered.system, "user": rendered.user, "schema": PROMPT.schema(), **changes})


def provider_of(server: JudgeServer, **options: Any) -> Provider:
    """The provider that speaks this server's wire."""
    classes: dict[str, Callable[..., Provider]] = {"openai": OpenAI, "anthropic": Anthropic, "ollama": Ollama}
    given = {"base_url": server.base_url, "api_key": KEYS[server.vendor], **options}
    return classes[server.vendor](**given)


def complete(
    provider: Provider,
    asked: Request | None = None,
    *,
    retry: Retry = QUICK,
    timeout: float = 5.0,
    on_overload: Callable[[Overload], None] | None = None,
) -> Completion:
    """Ask once, in a transport of its own."""

    async def main() -> Completion:
        async with open_transport(timeout=timeout, retry=retry, on_overload=on_overload):
            return await provider.complete(asked or request())

    return asyncio.run(main())


def run(main: Coroutine[Any, Any, T]) -> T:
    return asyncio.run(main)
