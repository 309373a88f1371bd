"""Requests through the guard: whatever a client sends, an answer that is wrong is not sent without a judgement."""

import asyncio
import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from benchmarks.attack.inputs import text
from benchmarks.attack.mutations import mutated_json
from benchmarks.attack.watch import Attempt
from ragstone import TestCase
from ragstone.guard import Guard, GuardedExchange, GuardMiddleware
from ragstone.metrics import ExactMatch

_REQUEST = {
    "question": "How many days?",
    "history": [{"role": "user", "content": "Hello"}],
    "options": {"stream": False},
}
_WRONG = json.dumps({"answer": "five"}).encode()
_NAMES = (
    b"accept-encoding",
    b"range",
    b"te",
    b"content-type",
    b"content-encoding",
    b"transfer-encoding",
    b"expect",
    b"x-guard",
)


def attempts(folder: Path, rng: Random, count: int) -> Iterator[Attempt]:
    """Yield requests; the application answers each of them wrongly."""
    del folder
    guard = Guard(ExactMatch(), budget_ms=60_000, not_measured="block")
    app = GuardMiddleware(_application, guard=guard, read=_read, paths=("/answer",), max_body=20_000)
    try:
        for _ in range(count):
            body = (
                mutated_json(_REQUEST, rng).encode("utf-8", "replace")
                if rng.random() < 0.8
                else text(rng).encode("utf-8", "replace")
            )
            headers = [
                (
                    rng.choice(_NAMES),
                    rng.choice((b"gzip", b"bytes=0-1", text(rng).encode("utf-8", "replace"))),
                )
                for _ in range(rng.randrange(4))
            ]
            path = rng.choice(("/answer", "/answer/", "/answer?x=1", "/answer/" + text(rng)[:40]))
            pieces = rng.choice((1, 1, 2, 7))
            yield (
                f"{path} {headers} {body[:60]!r}"[:200],
                lambda path=path, headers=headers, body=body, pieces=pieces: asyncio.run(
                    _call(app, path, headers, body, pieces)
                ),
            )
    finally:
        guard.close()


def _read(exchange: GuardedExchange) -> TestCase:
    return TestCase(
        input=exchange.question["question"], actual_output=exchange.answer["answer"], expected_output="three"
    )


async def _application(scope: Any, receive: Any, send: Any) -> None:  # noqa: ANN401  (ASGI)
    while (await receive()).get("more_body"):
        pass
    compressed = any(name == b"accept-encoding" and b"gzip" in item for name, item in scope["headers"])
    headers = [(b"content-encoding", b"gzip")] if compressed else []
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    body = gzip.compress(_WRONG) if compressed else _WRONG
    await send({"type": "http.response.body", "body": body[:5], "more_body": True})
    await send({"type": "http.response.body", "body": body[5:]})


async def _call(app: Any, path: str, headers: list[tuple[bytes, bytes]], body: bytes, pieces: int) -> None:  # noqa: ANN401
    size = -(-len(body) // pieces) or 1
    chunks = [body[start : start + size] for start in range(0, len(body), size)] or [b""]
    messages = iter(
        [
            {"type": "http.request", "body": chunk, "more_body": number < len(chunks)}
            for number, chunk in enumerate(chunks, 1)
        ]
    )
    sent: list[Any] = []

    async def receive() -> Any:  # noqa: ANN401
        return next(messages, {"type": "http.disconnect"})

    async def send(message: Any) -> None:  # noqa: ANN401
        sent.append(message)

    scope = {
        "type": "http",
        "method": "POST",
        "path": path,
        "headers": headers,
        "extensions": {},
        "query_string": b"",
    }
    await app(scope, receive, send)
    if sent[0]["status"] == 200:
        raise AssertionError("a wrong answer was sent")
