"""Every fault of the network and of servers, through every vendor's provider."""

import asyncio
import os
import ssl
import subprocess
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import trustme
from tests.providers.asking import KEYS, QUICK, complete, decisions, provider_of, run
from tests.servers import faults
from tests.servers._server import JudgeServer
from tests.servers.faults import Fault
from tests.servers.openai import OpenAIServer
from yarl import URL

from ragstone.errors import AccessRefused, JudgeError, ProviderError, TimedOut
from ragstone.providers import Endpoint, OpenAI, open_transport, post_json
from ragstone.providers.http.session import find_proxy
from ragstone.result import Usage


def verdict_words(server: JudgeServer, **how: float) -> list[str]:
    completion = complete(provider_of(server), **how)  # type: ignore[arg-type]
    return [decision.verdict for decision in decisions(completion.text).verdicts]


@pytest.mark.parametrize("form", ["seconds", "ms", "date", "none"])
def test_a_rate_limit_is_waited_for(server: JudgeServer, form: faults.RetryForm) -> None:
    asked = 1.0 if form == "date" else 0.2
    server.faults.add(faults.rate_limited(asked, form=form), nth=1)
    assert verdict_words(server) == ["yes", "no"]
    first, second = (one.at for one in server.requests)
    at_least = {"date": 0.0, "none": 0.0}.get(form, 0.2)
    assert second - first >= at_least


@pytest.mark.parametrize(
    "fault",
    [
        *(faults.status(code) for code in (500, 502, 503, 504, 529)),
        faults.reset(),
        faults.truncated(),
        faults.proxy_page(502),
    ],
    ids=lambda fault: fault.name,
)
def test_transient_fault_is_retried(server: JudgeServer, fault: Fault) -> None:
    server.faults.add(fault, nth=(1, 2))
    assert verdict_words(server) == ["yes", "no"]
    assert len(server.requests) == 3


@pytest.mark.parametrize("code", [400, 404, 413, 422])
def test_client_error_is_not_retried(server: JudgeServer, code: int) -> None:
    server.faults.add(faults.status(code, "The request is no good."))
    with pytest.raises(ProviderError, match=f"answered {code}: The request is no good") as caught:
        complete(provider_of(server))
    assert caught.value.status == code
    assert not isinstance(caught.value, AccessRefused)
    assert len(server.requests) == 1


@pytest.mark.parametrize("code", [401, 403])
def test_a_refused_key_is_not_asked_again(server: JudgeServer, code: int) -> None:
    server.faults.add(faults.status(code, f"Incorrect key {KEYS[server.vendor]} provided."))
    with pytest.raises(AccessRefused) as caught:
        complete(provider_of(server))
    assert "loopback" not in str(caught.value)
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("fault", "text"),
    [
        (faults.status(500, "Boom."), "answered 500: Boom. (6 attempts"),
        (faults.proxy_page(502), "answered 502: 502 Bad Gateway 502 Bad Gateway (6 attempts"),
        (faults.rate_limited(0.01), "answered 429: Rate limit reached for requests."),
        (faults.reset(), "broke the connection"),
        (faults.truncated(), "broke the connection"),
        (faults.rate_limited(4000), "asks to wait 4000 s"),
    ],
    ids=["500", "page", "429", "reset", "truncated", "long pause"],
)
def test_lasting_fault_raises_provider_error_with_the_reason(
    server: JudgeServer, fault: Fault, text: str
) -> None:
    server.faults.add(fault)
    with pytest.raises(ProviderError) as caught:
        complete(provider_of(server, model="judge-1"))
    assert str(caught.value).startswith(f"{server.vendor}: judge-1 at {server.origin}")
    assert text in str(caught.value)


def test_a_stalled_answer_is_asked_for_again(server: JudgeServer) -> None:
    server.faults.add(faults.stall(), nth=1)
    assert verdict_words(server, timeout=2.0) == ["yes", "no"]
    assert len(server.requests) == 2


def test_server_stalling_twice_raises_timed_out(server: JudgeServer) -> None:
    server.faults.add(faults.stall())
    with pytest.raises(TimedOut, match=r"no answer within 1 s \(2 attempts"):
        complete(provider_of(server), timeout=1.0)
    assert len(server.requests) == 2


def test_wrong_content_type_is_accepted(server: JudgeServer) -> None:
    server.faults.add(faults.wrong_content_type())
    assert verdict_words(server) == ["yes", "no"]


@pytest.mark.parametrize(
    "fault", [faults.fenced(), faults.prose_around(), faults.chatty_verdicts()], ids=lambda f: f.name
)
def test_wrapped_answers_are_read(server: JudgeServer, fault: Fault) -> None:
    server.faults.add(fault)
    assert verdict_words(server) == ["yes", "no"]


def test_invalid_json_answer_is_refused(server: JudgeServer) -> None:
    server.faults.add(faults.invalid_json())
    completion = complete(provider_of(server))
    with pytest.raises(ValueError, match=r"\."):
        decisions(completion.text)
    assert completion.usage.calls == 1


@pytest.mark.parametrize("finish", ["length", "refusal", "content_filter", "empty"])
def test_truncated_refused_or_empty_answer_raises(server: JudgeServer, finish: faults.Finish) -> None:
    server.faults.add(faults.finished(finish))
    with pytest.raises((JudgeError, ValueError)) as caught:
        verdict_words(server)
    if isinstance(caught.value, ProviderError):
        assert isinstance(caught.value.spent, Usage)
        assert caught.value.spent.calls == 1


def test_absent_server_fails_after_two_attempts() -> None:
    provider = OpenAI(base_url="http://127.0.0.1:9/v1", api_key="sk-hidden-key")
    with pytest.raises(
        ProviderError, match=r"127\.0\.0\.1:9/v1/chat/completions cannot be reached.*2 attempts"
    ):
        complete(provider)


def test_unresolvable_host_raises_provider_error() -> None:
    with pytest.raises(ProviderError, match="cannot be reached"):
        complete(OpenAI(base_url="http://ragstone.invalid/v1"))


def test_an_address_shows_no_query_and_no_key() -> None:
    provider = OpenAI(base_url="http://127.0.0.1:9/v1?code=hidden-code", api_key="hidden-key")
    with pytest.raises(ProviderError) as caught:
        complete(provider)
    assert "hidden" not in str(caught.value)


@asynccontextmanager
async def plain_server(
    answer: bytes, seen: list[bytes], context: ssl.SSLContext | None = None
) -> AsyncGenerator[int]:
    """A server that sends the same bytes whatever it is asked; the port."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        length = next(
            (
                int(line.split(b":")[1])
                for line in head.split(b"\r\n")
                if line.lower().startswith(b"content-length")
            ),
            0,
        )
        await reader.readexactly(length)
        seen.append(head)
        writer.write(answer)
        await writer.drain()
        writer.close()

    listening = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=context)
    async with listening:
        yield listening.sockets[0].getsockname()[1]


OK = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}"


def test_redirection_is_not_followed() -> None:
    seen: list[bytes] = []

    async def main() -> None:
        async with plain_server(OK, seen) as elsewhere:
            to = f"Location: http://127.0.0.1:{elsewhere}/\r\nContent-Length: 0\r\n\r\n"
            moved = f"HTTP/1.1 307 Moved\r\n{to}".encode()
            async with plain_server(moved, []) as here, open_transport(retry=QUICK):
                await post_json(Endpoint("openai", "m", f"http://127.0.0.1:{here}/v1"), b"{}")

    with pytest.raises(ProviderError, match="base URL"):
        run(main())
    assert not seen


def test_non_http_reply_raises_provider_error() -> None:
    async def main() -> None:
        async with plain_server(b"220 smtp ready\r\n", []) as port, open_transport(retry=QUICK):
            await post_json(Endpoint("openai", "m", f"http://127.0.0.1:{port}/v1"), b"{}")

    with pytest.raises(ProviderError, match="openai: m at"):
        run(main())


@pytest.fixture
def proxy_env(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)
    return monkeypatch


@pytest.mark.parametrize(
    ("variables", "url", "proxy"),
    [
        ({}, "https://api.openai.com", None),
        ({"HTTPS_PROXY": "http://p:3128"}, "https://api.openai.com", "http://p:3128"),
        ({"HTTPS_PROXY": "p:3128"}, "https://api.openai.com", "http://p:3128"),
        ({"HTTPS_PROXY": "http://p:3128"}, "http://localhost:11434", None),
        ({"HTTP_PROXY": "http://p:3128", "NO_PROXY": "localhost,10.0.0.1"}, "http://localhost:11434", None),
        ({"HTTP_PROXY": "http://p:3128", "NO_PROXY": ".corp"}, "http://judge.corp:8000", None),
        ({"HTTP_PROXY": "http://p:3128", "NO_PROXY": "*"}, "http://judge:8000", None),
        ({"ALL_PROXY": "http://p:3128"}, "https://api.openai.com", "http://p:3128"),
    ],
)
def test_proxies_are_read_from_the_environment(
    proxy_env: pytest.MonkeyPatch, variables: dict[str, str], url: str, proxy: str | None
) -> None:
    for name, value in variables.items():
        proxy_env.setenv(name.lower(), value)
    assert find_proxy(URL(url)) == (proxy and URL(proxy))


def test_a_call_goes_through_the_proxy_with_its_password(proxy_env: pytest.MonkeyPatch) -> None:
    seen: list[bytes] = []

    async def main() -> bytes:
        async with plain_server(OK, seen) as port:
            proxy_env.setenv("http_proxy", f"http://user:hunter2@127.0.0.1:{port}")
            async with open_transport(retry=QUICK):
                return await post_json(Endpoint("openai", "m", "http://judge.invalid/v1"), b"{}")

    assert run(main()) == b"{}"
    assert seen[0].startswith(b"POST http://judge.invalid/v1 HTTP/1.1\r\n")
    assert b"Proxy-Authorization: Basic dXNlcjpodW50ZXIy" in seen[0]


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_a_proxy_that_refuses_or_is_gone_is_named_without_its_password(
    proxy_env: pytest.MonkeyPatch, scheme: str
) -> None:
    async def main() -> None:
        refusal = (
            b"HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        )
        async with plain_server(refusal, []) as port:
            proxy_env.setenv(f"{scheme}_proxy", f"http://user:hunter2@127.0.0.1:{port}")
            async with open_transport(retry=QUICK):
                await post_json(Endpoint("openai", "m", f"{scheme}://judge.invalid/v1"), b"{}")

    with pytest.raises(ProviderError, match="407") as caught:
        run(main())
    assert "hunter2" not in str(caught.value)
    assert "asked" not in str(caught.value)


def test_unsupported_proxy_scheme_raises_provider_error(proxy_env: pytest.MonkeyPatch) -> None:
    proxy_env.setenv("all_proxy", "socks5://127.0.0.1:1080")
    with pytest.raises(ProviderError, match=r"proxy socks5://127\.0\.0\.1:1080"):
        complete(OpenAI(base_url="http://judge.invalid/v1"))


def test_no_netrc_is_read(openai_server: OpenAIServer, tmp_path: Path, proxy_env: pytest.MonkeyPatch) -> None:
    netrc = tmp_path / "netrc"
    netrc.write_text("machine 127.0.0.1 login someone password hunter2\n")
    proxy_env.setenv("NETRC", str(netrc))
    openai_server.script.say(verdicts=["yes", "no"])
    complete(provider_of(openai_server))
    assert openai_server.requests[0].headers["Authorization"] == "Bearer sk-loopback"


TLS_CALL = """
import asyncio
from ragstone.providers import Endpoint, open_transport, post_json

async def main():
    async with open_transport():
        print(await post_json(Endpoint("openai", "m", "https://127.0.0.1:{port}/v1"), b"{{}}"))

asyncio.run(main())
"""


@pytest.mark.parametrize("trusted", [True, False])
def test_private_ca_is_trusted_through_ssl_cert_file(trusted: bool, tmp_path: Path) -> None:  # noqa: FBT001
    company = trustme.CA()
    company.cert_pem.write_to_path(tmp_path / "company.pem")

    async def main() -> tuple[int | None, str, str]:
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        company.issue_cert("127.0.0.1").configure_cert(context)
        async with plain_server(OK, [], context) as port:
            env = {key: value for key, value in os.environ.items() if "proxy" not in key.lower()}
            env |= {"SSL_CERT_FILE": str(tmp_path / "company.pem")} if trusted else {}
            process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-c",
                TLS_CALL.format(port=port),
                env=env,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
            )
            out, err = await process.communicate()
            return process.returncode, out.decode(), err.decode()

    code, out, err = run(main())
    if trusted:
        assert (code, out.strip()) == (0, "b'{}'")
    else:
        assert code == 1
        assert "cannot be trusted" in err
        assert "SSL_CERT_FILE" in err
