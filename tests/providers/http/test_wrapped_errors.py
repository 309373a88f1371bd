"""Errors inside a response with status 200."""

import asyncio
import json

import pytest
from tests.providers.asking import QUICK
from tests.testing.for_each import for_each

from ragstone.errors import AccessRefused, ProviderError
from ragstone.providers import Endpoint, open_transport, post_json
from ragstone.providers.http.failures import wrapped_failure

OVERLOAD = {"code": 429, "message": "Provider returned error", "metadata": {"raw": "upstream is limited"}}


@for_each(
    "response, status, again",
    [
        ({"error": OVERLOAD}, 429, True),
        ({"error": {"code": "503", "message": "overloaded"}}, 503, True),
        ({"type": "error", "error": {"type": "overloaded_error", "message": "m"}}, 529, True),
        ({"error": {"type": "invalid_request_error", "message": "m"}}, 400, False),
        ({"error": {"code": "insufficient_quota", "message": "m"}}, 429, False),
        ({"error": "model runner has stopped"}, 500, True),
        ({"choices": [{"error": {"code": 502, "message": "m"}, "finish_reason": "error"}]}, 502, True),
        ({"choices": [], "error": {"code": 504, "message": "m"}}, 504, True),
    ],
)
def test_error_counts_as_its_status(response: object, status: int, again: bool) -> None:  # noqa: FBT001
    failure = wrapped_failure("openai: m", json.dumps(response).encode())
    assert failure is not None
    assert (failure.status, failure.again) == (status, again)


@for_each(
    "response",
    [
        {"choices": [{"message": {"content": 'an "error" occurred'}}]},
        {"choices": [{"message": {"content": "x"}}], "error": None},
        {"data": [1], "error": {"code": 1}},
        [{"error": 1}],
        "error",
    ],
    ids=str,
)
def test_answer_is_no_error(response: object) -> None:
    assert wrapped_failure("openai: m", json.dumps(response).encode()) is None


def post(bodies: list[object]) -> tuple[bytes, int]:
    """The answer after these bodies, all with status 200, and the number of requests."""
    count = 0

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal count
        await reader.readuntil(b"\r\n\r\n")
        body = json.dumps(bodies[min(count, len(bodies) - 1)]).encode()
        count += 1
        writer.write(
            b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body)
        )
        await writer.drain()
        writer.close()

    async def main() -> bytes:
        server = await asyncio.start_server(serve, "127.0.0.1", 0)
        async with server, open_transport(retry=QUICK):
            url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1/chat"
            return await post_json(Endpoint("openai", "m", url), b"")

    return asyncio.run(main()), count


def test_overload_is_retried() -> None:
    assert post([{"error": OVERLOAD}, {"error": OVERLOAD}, {"choices": [1]}]) == (b'{"choices": [1]}', 3)


def test_message_and_status_are_told() -> None:
    with pytest.raises(AccessRefused, match="answered 401: no such key"):
        post([{"error": {"code": 401, "message": "no such key"}}])
    with pytest.raises(ProviderError, match="429: Provider returned error: upstream is limited"):
        post([{"error": OVERLOAD}])
