"""The one place that speaks HTTP: one attempt, from a request's bytes to the answer's bytes or a fault.

aiohttp and no vendor's kit: docs/adr/0003-http-client.md. What does not change between calls (parsed
addresses, the proxy of each server, time-outs) is worked out once a run.
"""

import io
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from urllib.request import getproxies, proxy_bypass

import aiohttp
from yarl import URL

from ragstone.providers.http.failures import AttemptFailure, FailureKind, clean, failure_from_response
from ragstone.providers.http.transport import Endpoint, extra_headers

_KEEP_ALIVE = 60.0
_SILENCE = 300.0
"""Seconds that a server may take to look through a large file before it answers."""


@dataclass(frozen=True, slots=True)
class Route:
    """An address, ready to be called.

    Attributes:
        url: the parsed address.
        where: the server as messages name it: no query and no user, since either may hold a secret.
        proxy: the way out of a company's network, with its user and password.
    """

    url: URL
    where: str
    proxy: URL | None = None

    @property
    def through(self) -> str:
        """The way, for messages."""
        return f" through the proxy {self.proxy.with_user(None)}" if self.proxy else ""

    @property
    def secrets(self) -> tuple[str, ...]:
        """What no message may show."""
        return (self.proxy.password,) if self.proxy and self.proxy.password else ()


@dataclass(frozen=True, eq=False)
class HttpSession:
    """An open session of one event loop."""

    session: aiohttp.ClientSession
    timeout: float
    _routes: dict[str, Route] = field(default_factory=dict[str, Route])
    _answered: set[URL] = field(default_factory=set[URL])

    async def post(self, endpoint: Endpoint, body: bytes) -> bytes | AttemptFailure:
        """Ask once."""
        return await self._exchange(endpoint, "POST", body, {}, None)

    async def call(self, endpoint: Endpoint, method: str, body: bytes, kind: str) -> bytes | AttemptFailure:
        """Make one call that may carry or bring a file: its time-out is for the next sign of life, not the whole."""
        headers = {"Content-Type": kind} if body else {}
        file = io.BytesIO(body) if body else None  # sent in pieces, which keeps nobody else waiting
        return await self._exchange(endpoint, method, file, headers, _file_timeout(self.timeout))

    async def _exchange(
        self,
        endpoint: Endpoint,
        method: str,
        body: bytes | io.BytesIO | None,
        headers: Mapping[str, str],
        timeout: aiohttp.ClientTimeout | None,  # noqa: ASYNC109  (of the attempt)
    ) -> bytes | AttemptFailure:
        route = self._routes.get(endpoint.url) or self._find_route(endpoint.url)
        try:
            # No redirections: they would carry the key to an address that nobody wrote.
            async with self.session.request(
                method,
                route.url,
                data=body,
                headers={**extra_headers(), **endpoint.headers, **headers},
                proxy=route.proxy,
                allow_redirects=False,
                timeout=timeout or self.session.timeout,
            ) as response:
                content = await response.read()
        except TimeoutError:
            return AttemptFailure(
                FailureKind.LATE, f"{_name(endpoint, route)} gave no answer within {self.timeout:g} s"
            )
        except (aiohttp.ClientError, OSError, ValueError) as error:
            return self._connection_failure(endpoint, route, error)
        self._answered.add(route.url)
        if response.status == 200:  # noqa: PLR2004  (OK)
            return content
        return failure_from_response(
            _name(endpoint, route), response.status, response.headers, content, endpoint.secrets
        )

    def knows(self, endpoint: Endpoint) -> bool:
        """Tell whether this server has answered before, be it with an error."""
        route = self._routes.get(endpoint.url)
        return route is not None and route.url in self._answered

    def _find_route(self, url: str) -> Route:
        parsed = URL(url)
        where = str(parsed.with_user(None).with_query(None))
        route = self._routes[url] = Route(parsed, where, find_proxy(parsed))
        return route

    def _connection_failure(self, endpoint: Endpoint, route: Route, error: Exception) -> AttemptFailure:
        """Return what an attempt without an answer means; the order goes from the special to the general."""
        name = _name(endpoint, route) + route.through
        cause = clean(str(error), endpoint.secrets + route.secrets) or type(error).__name__
        match error:
            case aiohttp.ClientHttpProxyError():
                message = f"{name} cannot be reached: it answered {error.status} {clean(error.message)}"
                passes = error.status >= 500  # noqa: PLR2004  (the server errors)
                return AttemptFailure(FailureKind.UNREACHED, message, again=passes)
            case aiohttp.ClientSSLError():
                hint = "If the certificate is your company's own, name its file in SSL_CERT_FILE."
                return AttemptFailure(
                    FailureKind.UNREACHED, f"{name} cannot be trusted: {cause}. {hint}", again=False
                )
            case aiohttp.ClientConnectorError():
                reason = clean(error.os_error.strerror or str(error.os_error))
                return AttemptFailure(FailureKind.UNREACHED, f"{name} cannot be reached: {reason}")
            case ValueError():  # a header, an address or a proxy that cannot be sent
                return AttemptFailure(FailureKind.UNREACHED, f"{name} cannot be asked: {cause}", again=False)
            case _:
                return AttemptFailure(FailureKind.BROKEN, f"{name} broke the connection: {cause}")


@asynccontextmanager
async def open_http_session(timeout: float) -> AsyncGenerator[HttpSession]:  # noqa: ASYNC109  (of each attempt)
    """Open a session whose attempts take at most `timeout` seconds."""
    connector = aiohttp.TCPConnector(limit=0, keepalive_timeout=_KEEP_ALIVE, ttl_dns_cache=300)
    async with aiohttp.ClientSession(
        connector=connector,
        cookie_jar=aiohttp.DummyCookieJar(),
        timeout=aiohttp.ClientTimeout(total=timeout),
        headers={"Content-Type": "application/json", "User-Agent": "ragstone"},
        # Not `trust_env`: it reads the environment and ~/.netrc again for every single call.
        trust_env=False,
    ) as session:
        yield HttpSession(session, timeout)


def find_proxy(url: URL) -> URL | None:
    """Return the proxy that the environment (HTTPS_PROXY, ALL_PROXY, NO_PROXY …) names for an address."""
    known = getproxies()
    proxy = known.get(url.scheme) or known.get("all")
    if not proxy or proxy_bypass(f"{url.host}:{url.port}"):
        return None
    return URL(proxy if "://" in proxy else f"http://{proxy}")


def _file_timeout(seconds: float) -> aiohttp.ClientTimeout:
    """Return the time-out of a call that carries or brings a large file, which no bound on the whole would fit."""
    silence = max(seconds, _SILENCE) if seconds >= 1 else seconds
    return aiohttp.ClientTimeout(total=None, sock_connect=seconds, sock_read=silence)


def _name(endpoint: Endpoint, route: Route) -> str:
    return f"{endpoint.provider}: {endpoint.model} at {route.where}"
