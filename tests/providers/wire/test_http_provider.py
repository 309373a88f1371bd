"""A server that ignores the schema is asked once more with the schema in the system message."""

import asyncio
import json
from typing import Any

import pytest
from tests.providers.asking import request
from tests.providers.http.test_hostile_replies import CLASSES

from ragstone.providers import Provider, open_transport

GOOD = '{"verdicts": []}'


def wire(vendor: str, text: str) -> bytes:
    return json.dumps(
        {
            "openai": {
                "choices": [{"message": {"content": text}}],
                "usage": {"prompt_tokens": 5, "completion_tokens": 1},
            },
            "anthropic": {
                "content": [{"type": "text", "text": text}],
                "usage": {"input_tokens": 5, "output_tokens": 1},
            },
            "ollama": {"message": {"content": text}, "prompt_eval_count": 5, "eval_count": 1},
        }[vendor]
    ).encode()


def ask(vendor: str, answers: list[str], times: int = 2) -> tuple[list[Any], list[dict[str, Any]]]:
    """The completions, and the bodies that were sent."""
    sent: list[dict[str, Any]] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        length = next(
            int(x.split(b":")[1]) for x in head.split(b"\r\n") if x.lower().startswith(b"content-length")
        )
        sent.append(json.loads(await reader.readexactly(length)))
        body = wire(vendor, answers[min(len(sent), len(answers)) - 1])
        writer.write(
            b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body)
        )
        await writer.drain()
        writer.close()

    async def main() -> list[Any]:
        server = await asyncio.start_server(serve, "127.0.0.1", 0)
        async with server, open_transport():
            port = server.sockets[0].getsockname()[1]
            provider: Provider = CLASSES[vendor](base_url=f"http://127.0.0.1:{port}", api_key="key-loopback")
            return [await provider.complete(request()) for _ in range(times)]

    return asyncio.run(main()), sent


def has_schema(vendor: str, body: dict[str, Any]) -> bool:
    return {"openai": "response_format", "anthropic": "tools", "ollama": "format"}[vendor] in body


@pytest.mark.parametrize("vendor", sorted(CLASSES))
@pytest.mark.parametrize("ignored", ["The sky is blue indeed.", '{"answer": "yes"}'])
def test_ignored_schema_moves_to_the_system_message(vendor: str, ignored: str) -> None:
    completions, sent = ask(vendor, [ignored, GOOD, GOOD])
    assert [one.text for one in completions] == [GOOD, GOOD]
    assert [has_schema(vendor, body) for body in sent] == [True, False, False]
    assert "fits this JSON schema" in json.dumps(sent[1])
    assert (completions[0].usage.calls, completions[0].usage.input_tokens) == (2, 10)


@pytest.mark.parametrize("vendor", sorted(CLASSES))
@pytest.mark.parametrize("text", [GOOD, "", f"```json\n{GOOD}\n```", '{"verdicts": [{"reas', f"Sure: {GOOD}"])
def test_plausible_answer_keeps_the_schema_in_the_request(vendor: str, text: str) -> None:
    _, sent = ask(vendor, [text])
    assert [has_schema(vendor, body) for body in sent] == [True, True]
