"""HTTP sessions: one attempt, from the bytes of a request to the bytes of the response, or a failure.

Uses aiohttp, no vendor's SDK: docs/adr/0003-http-client.md. Values that do not change between calls (parsed URLs, the
proxy of each server, time-outs) are determined once per run. A response is read, and decompressed, up to a limit.
"""

import io
import zlib
from collections.abc import AsyncGenerator, Awaitable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import NamedTuple
from urllib.request import getproxies, proxy_bypass

import aiohttp
from yarl import URL

from ragstone.providers.http.endpoint import Endpoint, extra_headers
from ragstone.providers.http.failures import (
    AttemptFailure,
    FailureKind,
    clean,
    failure_from_response,
    wrapped_failure,
)

_KEEP_ALIVE_SECONDS = 60.0
_FILE_SILENCE_SECONDS = 300.0
"""Seconds that a server may take to process a large file before it responds."""

_MAX_FILE = 2**30
"""Most bytes of a file, such as the results of a batch."""

_MAX_ERROR = 2**20
"""Most bytes of an error response that are read."""


class Route(NamedTuple):
    """A parsed URL with the proxy to use; `where` is the URL as messages show it, without query and user."""

    url: URL
    where: str
    proxy: URL | None = None


class _TooLarge(Exception):  # noqa: N818
    """A response is longer than allowed."""


@dataclass(frozen=True, eq=False)
class HttpSession:
    """An open session, bound to one event loop."""

    session: aiohttp.ClientSession
    timeout: float
    _routes: dict[str, Route] = field(default_factory=dict[str, Route])

    async def post(self, endpoint: Endpoint, body: bytes) -> bytes | AttemptFailure:
        """Make one attempt at a POST request; an error inside a response with status 200 is a failure too."""
        answer = await self.send(endpoint, body)
        if isinstance(answer, AttemptFailure):
            return answer
        name = _name(endpoint, self._routes[endpoint.url])
        return wrapped_failure(name, answer, endpoint.secrets) or answer

    def send(
        self, endpoint: Endpoint, body: bytes, method: str = "POST", kind: str | None = None
    ) -> Awaitable[bytes | AttemptFailure]:
        """Make one attempt at a request; its time-out bounds the whole of it.

        With a media type `kind` it may send or receive a file: then the time-out bounds silence.
        """
        if kind is None:
            return self._exchange(endpoint, method, body or None, {}, None, endpoint.max_reply)
        headers = {"Content-Type": kind} if body else {}
        file = io.BytesIO(body) if body else None  # sent in chunks, so that other tasks can run
        silence = max(self.timeout, _FILE_SILENCE_SECONDS) if self.timeout >= 1 else self.timeout
        timeout = aiohttp.ClientTimeout(total=None, sock_connect=self.timeout, sock_read=silence)
        return self._exchange(endpoint, method, file, headers, timeout, _MAX_FILE)

    async def _exchange(  # noqa: PLR0917
        self,
        endpoint: Endpoint,
        method: str,
        body: bytes | io.BytesIO | None,
        headers: Mapping[str, str],
        timeout: aiohttp.ClientTimeout | None,  # noqa: ASYNC109  (of the attempt)
        limit: int,
    ) -> bytes | AttemptFailure:
        try:
            route = self._routes.get(endpoint.url) or self._find_route(endpoint.url)
        except ValueError:  # not quoted: it may hold a secret
            name = f"{endpoint.provider}: {endpoint.model}"
            return AttemptFailure(FailureKind.UNREACHED, f"{name}: its URL is not valid", again=False)
        try:
            # No redirections: they would send the key to a URL that the user did not write.
            async with self.session.request(
                method,
                route.url,
                data=body,
                headers={**extra_headers(), **endpoint.headers, **headers},
                proxy=route.proxy,
                allow_redirects=False,
                timeout=timeout or self.session.timeout,
            ) as response:
                content = await _read(response, limit if response.status == 200 else _MAX_ERROR)  # noqa: PLR2004  (OK)
        except TimeoutError:
            return AttemptFailure(
                FailureKind.LATE, f"{_name(endpoint, route)} gave no answer within {self.timeout:g} s"
            )
        except _TooLarge as error:
            return AttemptFailure(FailureKind.ANSWERED, f"{_name(endpoint, route)} {error}", again=False)
        except (aiohttp.ClientError, OSError, ValueError, zlib.error) as error:
            return self._connection_failure(endpoint, route, error)
        if response.status == 200:  # noqa: PLR2004  (OK)
            return content
        return failure_from_response(
            _name(endpoint, route), response.status, response.headers, content, endpoint.secrets
        )

    def _find_route(self, url: str) -> Route:
        parsed = URL(url)
        where = str(parsed.with_user(None).with_query(None))
        route = self._routes[url] = Route(parsed, where, find_proxy(parsed))
        return route

    def _connection_failure(self, endpoint: Endpoint, route: Route, error: Exception) -> AttemptFailure:
        """Return the failure of an attempt without a response; the cases go from special to general."""
        through = f" through the proxy {route.proxy.with_user(None)}" if route.proxy else ""
        password = (route.proxy.password,) if route.proxy and route.proxy.password else ()
        cause = clean(str(error), endpoint.secrets + password) or type(error).__name__
        kind, again = FailureKind.UNREACHED, False
        match error:
            case aiohttp.ClientHttpProxyError():
                what = f" cannot be reached: the proxy answered {error.status} {clean(error.message)}"
                again = error.status >= 500  # noqa: PLR2004  (the server errors)
            case aiohttp.ClientSSLError():
                hint = "If the certificate is your company's own, set SSL_CERT_FILE to its file."
                what = f" cannot be trusted: {cause}. {hint}"
            case aiohttp.ClientConnectorError():
                reason = clean(error.os_error.strerror or str(error.os_error))
                what, again = f" cannot be reached: {reason}", True
            case ValueError():  # a header, URL or proxy that cannot be sent
                what = f": the request cannot be sent: {cause}"
            case _:
                kind, what, again = FailureKind.BROKEN, f" broke the connection: {cause}", True
        return AttemptFailure(kind, f"{_name(endpoint, route)}{through}{what}", again=again)


async def _read(response: aiohttp.ClientResponse, limit: int) -> bytes:
    """Return the body, decompressed here: aiohttp would do so without a limit."""
    encoding = response.headers.get("Content-Encoding", "identity").strip().lower()
    if encoding not in _WINDOW_BITS:
        raise _TooLarge(f"answered in the encoding {clean(encoding)!r}, which was not requested")
    body, bits = bytearray(), _WINDOW_BITS[encoding]
    decoder = None if bits is None else zlib.decompressobj(bits)
    async for chunk in response.content.iter_any():
        body += chunk if decoder is None else decoder.decompress(chunk, limit - len(body) + 1)
        if len(body) > limit:
            response.close()
            if response.status != 200:  # noqa: PLR2004  (an error page need not be read to its end)
                return bytes(body[:limit])
            raise _TooLarge(f"sent an answer of more than {limit // 2**20} MiB, which is over the limit")
    if decoder is not None and body and not decoder.eof:
        raise aiohttp.ClientPayloadError("the compressed answer is cut off")
    return bytes(body)


_WINDOW_BITS = {"identity": None, "": None, "gzip": 31, "x-gzip": 31, "deflate": 15}
"""Parameters of zlib; no encoding is applied twice."""


@asynccontextmanager
async def open_http_session(timeout: float) -> AsyncGenerator[HttpSession]:  # noqa: ASYNC109  (of each attempt)
    """Open a session with a time-out of `timeout` seconds for each attempt."""
    connector = aiohttp.TCPConnector(limit=0, keepalive_timeout=_KEEP_ALIVE_SECONDS, ttl_dns_cache=300)
    async with aiohttp.ClientSession(
        connector=connector,
        cookie_jar=aiohttp.DummyCookieJar(),
        timeout=aiohttp.ClientTimeout(total=timeout),
        headers={
            "Content-Type": "application/json",
            "User-Agent": "ragstone",
            "Accept-Encoding": "gzip, deflate",
        },
        auto_decompress=False,
        # Not `trust_env`: it reads the environment and ~/.netrc for every call.
        trust_env=False,
    ) as session:
        yield HttpSession(session, timeout)


def find_proxy(url: URL) -> URL | None:
    """Return the proxy that the environment (HTTPS_PROXY, ALL_PROXY, NO_PROXY …) sets for a URL."""
    proxies = getproxies()
    proxy = proxies.get(url.scheme) or proxies.get("all")
    if not proxy or proxy_bypass(f"{url.host}:{url.port}"):
        return None
    return URL(proxy if "://" in proxy else f"http://{proxy}")


def _name(endpoint: Endpoint, route: Route) -> str:
    return f"{endpoint.provider}: {endpoint.model} at {route.where}"
