"""Authentication and the limits of a request, as middleware before every route.

on loopback    without a token: only requests that name this machine (against DNS rebinding)
with a token   every request needs it, as `Authorization: Bearer …` or as the cookie that /login sets, but those to
               /login and the probes /healthz and /readyz
everywhere     requests that change something must come from our own pages or from no page at all; a strict content
               policy; request bodies are read up to a limit
"""

from collections.abc import Mapping
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ragstone.dashboard.security.credentials import Credentials
from ragstone.dashboard.security.login import LOGIN, login_page

MEGABYTE = 1_000_000
_MAX_BODY_BYTES = 8 * MEGABYTE
_DATASET_BODY_LIMITS: Mapping[str, int] = dict.fromkeys(
    ("/api/datasets", "/evaluate", "/evaluate/estimate"), 256 * MEGABYTE
)
"""Routes that accept a dataset, and their limits in bytes."""

_LOCAL_HOSTS = {"localhost", "127.0.0.1", "::1"}
_OPEN_PATHS = {LOGIN, "/healthz", "/readyz"}
_SAFE_METHODS = {"GET", "HEAD", "OPTIONS"}
_ALLOWED_FETCH_SITES = {"same-origin", "none"}
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
_RESPONSE_HEADERS = {
    "Content-Security-Policy": _POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}


class AuthMiddleware:
    """Checks every request before the application, and adds its headers to every response."""

    def __init__(
        self, app: ASGIApp, *, credentials: Credentials, larger: Mapping[str, int] = _DATASET_BODY_LIMITS
    ) -> None:
        """Guard `app` with `credentials`; the limit of a body is 8 MB, or the bytes that `larger` has for its route."""
        self._app = app
        self._credentials = credentials
        self._larger_limits = larger

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _RESPONSE_HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        headers = Headers(scope=scope)
        limit = self._larger_limits.get(scope["path"], _MAX_BODY_BYTES)
        refusal = self._refusal(scope, headers) or _too_large_response(headers, limit)
        await (refusal or self._app)(scope, _limited_receive(receive, limit), send_with_headers)

    def _refusal(self, scope: Scope, headers: Headers) -> Response | None:
        host = _host(headers.get("host", ""))
        if self._credentials.token is None and host not in _LOCAL_HOSTS:
            return _error_response(
                421,
                f"This server accepts only requests to this machine, not to {host!r}. Open http://127.0.0.1.",
            )
        if scope["path"] not in _OPEN_PATHS and not self._credentials.admits(headers):
            return _unauthorized(headers)
        if scope["method"] not in _SAFE_METHODS and not _from_our_pages(headers):
            return _error_response(
                403,
                "This request came from a page of another site. Only this server's own pages can change something.",
            )
        return None


def _from_our_pages(headers: Headers) -> bool:
    """Return whether a request comes from one of our pages, or from a script, which sends neither header."""
    site, origin = headers.get("sec-fetch-site"), headers.get("origin")
    if site is not None:
        return site in _ALLOWED_FETCH_SITES
    return origin is None or origin.partition("://")[2] == headers.get("host")


def _too_large_response(headers: Headers, limit: int) -> Response | None:
    length = headers.get("content-length", "0")
    return (
        _error_response(413, _too_large_message(limit))
        if length.isdecimal() and int(length) > limit
        else None
    )


def _limited_receive(receive: Receive, limit: int) -> Receive:
    """Return a `receive` that raises above `limit` bytes: the Content-Length header may be missing or wrong."""
    remaining = limit

    async def limited() -> Message:
        nonlocal remaining
        message = await receive()
        remaining -= len(message.get("body", b""))
        if remaining < 0:
            raise HTTPException(413, _too_large_message(limit))
        return message

    return limited


def _too_large_message(limit: int) -> str:
    return (
        f"The body is more than {limit // MEGABYTE} MB: send less, or evaluate the file with `ragstone run`."
    )


def _unauthorized(headers: Headers) -> Response:
    if "text/html" in headers.get("accept", ""):
        return login_page(401)
    return _error_response(
        401,
        "This request needs the token that the server printed when it started, as Authorization: Bearer TOKEN.",
    )


def _error_response(status: int, message: str) -> Response:
    return JSONResponse({"detail": message}, status)


def _host(header: str) -> str:
    """Return the host of a Host header, without its port."""
    try:
        return urlsplit(f"//{header}").hostname or ""
    except ValueError:  # no address at all
        return ""
