"""What a hostile or broken server sends back: bounded, masked, checked, in linear time."""

import asyncio
import gzip
import json
import subprocess
import sys
import zlib
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from math import inf, nan
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter
from pydantic_core import to_json
from tests.providers.asking import QUICK, request
from tests.testing.for_each import for_each

from ragstone.embeddings import get_embedder
from ragstone.errors import ProviderError
from ragstone.providers import Anthropic, Endpoint, Ollama, OpenAI, Provider, open_transport, post_json
from ragstone.providers.http import failures
from ragstone.providers.http.failures import clean, excerpt, failure_from_response
from ragstone.providers.wire.replies import TokenCount, TokenLogProb, tokens_of

SECRET = 'hush "quoted" 0123/456789'
CLASSES: dict[str, Callable[..., Provider]] = {"openai": OpenAI, "anthropic": Anthropic, "ollama": Ollama}


@asynccontextmanager
async def raw_server(
    *head: str, body: bytes = b"", endless: bytes = b"", status: int = 200
) -> AsyncGenerator[str]:
    """A server that answers everything with these bytes; its base URL."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        sent = await reader.readuntil(b"\r\n\r\n")
        length = next(
            (int(x.split(b":")[1]) for x in sent.split(b"\r\n") if x.lower().startswith(b"content-length")), 0
        )
        await reader.readexactly(length)
        size = [] if endless else [f"Content-Length: {len(body)}"]
        lines = [f"HTTP/1.1 {status} X", "Connection: close", *size, *head, "", ""]
        try:
            writer.write("\r\n".join(lines).encode() + body)
            while endless:
                writer.write(endless)
                await writer.drain()
            await writer.drain()
        except ConnectionError:
            pass
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    async with server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"


def post(*head: str, max_reply: int = 2**16, **how: Any) -> bytes:
    async def main() -> bytes:
        async with raw_server(*head, **how) as base, open_transport(retry=QUICK, timeout=20):
            return await post_json(Endpoint("openai", "m", base, max_reply=max_reply), b"{}")

    return asyncio.run(main())


@for_each(
    "encoding, pack",
    [("gzip", gzip.compress), ("deflate", zlib.compress), ("identity", bytes)],
)
def test_reply_longer_than_max_reply_is_refused(encoding: str, pack: Callable[[bytes], bytes]) -> None:
    head = f"Content-Encoding: {encoding}"
    assert post(head, body=pack(b"x" * 2**16)) == b"x" * 2**16
    with pytest.raises(ProviderError, match="sent an answer of more than"):
        post(head, body=pack(b"x" * (2**16 + 1)))


def test_an_endless_answer_ends_at_the_limit() -> None:
    with pytest.raises(ProviderError, match="sent an answer of more than"):
        post(endless=b"x" * 10_000)
    with pytest.raises(ProviderError, match="answered 500: xxx"):
        post(endless=b"x" * 10_000, status=500)


@for_each("encoding", ["br", "zstd", "gzip, gzip", "\x1b[31m"])
def test_an_encoding_that_was_not_asked_for_is_refused(encoding: str) -> None:
    with pytest.raises(ProviderError, match=r"encoding .*not requested|broke the connection"):
        post(f"Content-Encoding: {encoding}", body=gzip.compress(gzip.compress(b"{}")))


@for_each("body", [b"no gzip", gzip.compress(b"x" * 9999)[:-12]])
def test_a_damaged_encoding_is_a_broken_connection(body: bytes) -> None:
    with pytest.raises(ProviderError, match="broke the connection"):
        post("Content-Encoding: gzip", body=body)


BOMBS = """
import asyncio, resource, zlib
from ragstone.errors import ProviderError
from ragstone.providers import OpenAI, Request, open_transport

pack = zlib.compressobj(9, zlib.DEFLATED, 31)
first, again = (pack.compress(bytes(2**24)) + pack.flush(zlib.Z_FULL_FLUSH) for _ in range(2))
body = first + 300 * again  # 5 MB, 5 GB unpacked
head = b"HTTP/1.1 200 OK\\r\\nContent-Encoding: gzip\\r\\nConnection: close\\r\\n\\r\\n"

async def serve(reader, writer):
    try:
        await reader.readuntil(b"}")
        writer.write(head + body)
        await writer.drain()
    except ConnectionError:
        pass
    writer.close()

async def main():
    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    base = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    async with server, open_transport(timeout=60):
        provider = OpenAI(base_url=base, api_key="sk-x")
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        calls = [provider.complete(Request("s", "u", {})) for _ in range(16)]
        done = await asyncio.gather(*calls, return_exceptions=True)
        print(len(body) // 2**20, (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024)
    assert all(isinstance(one, ProviderError) and "sent an answer of more than" in str(one) for one in done), done

asyncio.run(main())
"""


@pytest.mark.skipif(sys.platform != "linux", reason="counts memory as Linux does")
def test_sixteen_gzip_bombs_at_once_stay_below_300_mb() -> None:
    done = subprocess.run([sys.executable, "-c", BOMBS], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    size, grown = map(int, done.stdout.split())
    assert size >= 4
    assert grown < 300  # sixteen replies of 16 MiB, and what the server of the test sends


@given(st.sampled_from(["", "x", "<", "\x1b[", "é", "\u200b "]), st.integers(0, 25_000), st.integers(0, 400))
def test_no_part_of_a_secret_is_shown_wherever_it_stands(filler: str, before: int, after: int) -> None:
    for form in (SECRET, json.dumps(SECRET)[1:-1]):
        text = filler * before + form + filler * after
        for shown in (
            clean(text, (SECRET,)),
            excerpt(text.encode(), (SECRET,)),
            failure_from_response("here", 500, {}, text.encode(), (SECRET,)).message,
            failure_from_response("here", 500, {}, json.dumps({"error": text}).encode(), (SECRET,)).message,
        ):
            assert "hush" not in shown, shown[:100]


def echoes(body: Callable[[str], bytes]) -> list[str]:
    """What every vendor's provider and embedder says of a server that repeats the headers of the request."""

    async def main() -> list[str]:
        shown: list[str] = []
        headers = {"X-Gate": "Basic gate-0123456789"}
        async with (
            raw_server(body=body("key-0123456789abcdef Basic gate-0123456789")) as base,
            open_transport(retry=QUICK),
        ):
            url = f"{base}?code=query-0123456789"
            for make in CLASSES.values():
                provider = make(base_url=url, api_key="key-0123456789abcdef", headers=headers)
                try:
                    shown.append((await provider.complete(request())).text)
                except ProviderError as error:
                    shown.append(str(error))
                shown.append(repr(provider))
                shown.append(repr(provider.batch_endpoint))  # type: ignore[attr-defined]
            for name in ("openai", "ollama"):
                embedder = get_embedder(name, base_url=url, api_key="key-0123456789abcdef", headers=headers)
                with pytest.raises(ProviderError) as caught:
                    await embedder.embed(["text"])
                shown += [str(caught.value), repr(embedder)]
        return shown

    return asyncio.run(main())


@for_each(
    "body",
    [
        lambda text: f"<html>{text}</html>".encode(),
        lambda text: json.dumps({"request": text}).encode(),
        lambda text: json.dumps({"choices": [{"message": {"refusal": text}}]}).encode(),
        lambda text: json.dumps({"choices": [{"message": {"content": f'{{"reason": "{text}"}}'}}]}).encode(),
        lambda text: json.dumps({"message": {"content": f'{{"reason": "{text}"}}'}}).encode(),
        lambda text: json.dumps(
            {"content": [{"type": "text", "text": text}], "stop_reason": "refusal"}
        ).encode(),
    ],
)
def test_a_key_that_a_server_repeats_with_status_200_is_masked(body: Callable[[str], bytes]) -> None:
    for shown in echoes(body):
        assert "0123456789" not in shown


@for_each("url", ["ftp://x/SECRET", "SECRET", "http://?SECRET", "//x/SECRET", "https:///SECRET"])
def test_a_wrong_base_url_is_not_repeated(url: str) -> None:
    with pytest.raises(Exception, match="base_url") as caught:
        OpenAI(base_url=url, api_key="k")
    assert "SECRET" not in str(caught.value)


@pytest.mark.parametrize(
    "unit", ["<", "<style", "<style>", "\x1b[", "\x1b]", "sk-", "Bearer ", "[", '{"a":', " ", "&lt;"]
)
def test_error_page_is_truncated_before_it_is_parsed(unit: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """No function sees more than the bound, and patterns take the same steps for each tag: see `_without_markup`."""
    seen: list[int] = []
    true = failures.re.sub
    monkeypatch.setattr(
        failures.re,
        "sub",
        lambda pattern, by, text, *rest: (seen.append(len(text)), true(pattern, by, text, *rest))[1],
    )
    failure = failure_from_response("here", 502, {}, unit.encode() * (2_000_000 // len(unit)))
    assert len(failure.message) < 400
    assert all(size <= 20_000 for size in seen)


@for_each("value", [-1, -(10**9), 2**53 + 1, 2**63, True, "7", 1.5, None, [], inf])
def test_invalid_token_count_is_none(value: object) -> None:
    assert TypeAdapter(TokenCount).validate_python(value) is None
    assert TypeAdapter(TokenCount).validate_json(to_json(value)) is None


@given(st.integers(0, 2**53))
def test_valid_token_count_is_kept(value: int) -> None:
    assert TypeAdapter(TokenCount).validate_json(to_json(value)) == value


NUMBERS = [-5, 2**63, 10**30, -(2**63), 1.5, "x", None, True]


@pytest.mark.parametrize("number", NUMBERS)
@for_each("vendor", sorted(CLASSES))
def test_every_vendors_usage_is_checked(vendor: str, number: object) -> None:
    names = {
        "openai": ("prompt_tokens", "completion_tokens"),
        "anthropic": (
            "input_tokens",
            "output_tokens",
            "cache_read_input_tokens",
            "cache_creation_input_tokens",
        ),
        "ollama": ("prompt_eval_count", "eval_count"),
    }[vendor]
    usage: dict[str, object] = dict.fromkeys(names, number)
    if vendor == "openai":
        usage["prompt_tokens_details"] = {"cached_tokens": number}
    body = {
        "openai": {"choices": [{"message": {"content": "{}"}}], "usage": usage},
        "anthropic": {"content": [{"type": "text", "text": "{}"}], "usage": usage},
        "ollama": {"message": {"content": "{}"}, **usage},
    }[vendor]
    found = CLASSES[vendor](base_url="http://x", api_key="k").decode(json.dumps(body).encode())  # type: ignore[attr-defined]
    assert (
        found.usage.calls,
        found.usage.input_tokens,
        found.usage.output_tokens,
        found.usage.cached_tokens,
    ) == (
        1,
        0,
        0,
        0,
    )


@for_each("bad", [1000.0, 0.5, nan, inf])
def test_a_log_probability_above_0_is_ignored(bad: float) -> None:
    alternative = {"token": "8", "logprob": bad}
    one = TokenLogProb.model_validate(
        {"token": "7", "logprob": bad, "top_logprobs": [alternative, {"token": "7", "logprob": -0.1}]}
    )
    (token,) = tokens_of((one,))
    assert token.logprob <= 0
    assert token.top == (("7", -0.1),)


def test_log_probability_rounded_above_0_counts_as_0() -> None:
    one = TokenLogProb.model_validate(
        {"token": "7", "logprob": 1e-6, "top_logprobs": [{"token": "7", "logprob": 1e-6}]}
    )
    assert tokens_of((one,))[0].top == (("7", 0.0),)
