"""Who may ask, and what a browser may do with the answer.

on loopback    only requests that name this machine (against DNS rebinding)
on any other   nothing without the token: `Authorization: Bearer …`, or the cookie that /login gives for it
everywhere     what changes something comes from our own pages or from no page at all; a strict content policy; no more
               is read of a request than it may hold
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from secrets import compare_digest, token_urlsafe
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import cookie_parser
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ragstone.dashboard.security.login_page import LOGIN, login_page

COOKIE = "ragstone_session"
MEGABYTE = 1_000_000
LARGE = frozenset({"/api/datasets", "/evaluate", "/evaluate/estimate"})
"""Routes to which a dataset may be sent."""

_MOST, _MOST_LARGE = 8 * MEGABYTE, 256 * MEGABYTE
_THIS_MACHINE = {"localhost", "127.0.0.1", "::1"}
_SAFE_METHODS = {"GET", "HEAD", "OPTIONS"}
_OWN_PAGES = {"same-origin", "none"}
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
_HEADERS = {
    "Content-Security-Policy": _POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}


@dataclass(frozen=True, slots=True)
class Credentials:
    """What opens the door.

    Attributes:
        token: what a visitor must know; None on loopback, where nobody else can knock.
        session: what the cookie holds once it was told: never the token itself.
    """

    token: str | None = None
    session: str = field(default_factory=lambda: token_urlsafe(32))

    def known(self, headers: Headers) -> bool:
        """Tell whether a request may enter."""
        if self.token is None:
            return True
        scheme, _, given = headers.get("authorization", "").partition(" ")
        if scheme.lower() == "bearer":
            return self.fits(given)
        return _equal(_cookies(headers).get(COOKIE, ""), self.session)

    def fits(self, given: str) -> bool:
        """Tell whether that is the token."""
        return self.token is not None and _equal(given.strip(), self.token)


class AuthMiddleware:
    """Stands before the application; adds its headers to every answer."""

    def __init__(self, app: ASGIApp, *, credentials: Credentials) -> None:
        """Guard `app` with `credentials`."""
        self._app = app
        self._door = credentials

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request in, or answer it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        headers = Headers(scope=scope)
        most = _MOST_LARGE if scope["path"] in LARGE else _MOST
        refusal = self._refusal(scope, headers) or _too_large(headers, most)
        await (refusal or self._app)(scope, _bounded(receive, most), guarded)

    def _refusal(self, scope: Scope, headers: Headers) -> Response | None:
        host = _host(headers.get("host", ""))
        if self._door.token is None and host not in _THIS_MACHINE:
            return _no(
                421, f"This page is served to this machine alone, not to {host!r}. Open http://127.0.0.1."
            )
        if scope["path"] != LOGIN and not self._door.known(headers):
            return _unknown(headers)
        if scope["method"] not in _SAFE_METHODS and not _from_our_pages(headers):
            return _no(
                403, "This came from a page elsewhere. What changes something is asked from our own pages."
            )
        return None


def _from_our_pages(headers: Headers) -> bool:
    """Tell whether one of our pages asked, or a script, which sends neither header."""
    site, origin = headers.get("sec-fetch-site"), headers.get("origin")
    if site is not None:
        return site in _OWN_PAGES
    return origin is None or origin.partition("://")[2] == headers.get("host")


def _too_large(headers: Headers, most: int) -> Response | None:
    length = headers.get("content-length", "0")
    return _no(413, _said_too_large(most)) if length.isdecimal() and int(length) > most else None


def _bounded(receive: Receive, most: int) -> Receive:
    """Return what a request holds, up to so many bytes: a sender need not say its length, or say the truth."""
    left = most

    async def bounded() -> Message:
        nonlocal left
        message = await receive()
        left -= len(message.get("body", b""))
        if left < 0:
            raise HTTPException(413, _said_too_large(most))
        return message

    return bounded


def _said_too_large(most: int) -> str:
    return f"This is more than {most // MEGABYTE} MB: send less, or evaluate the file with `ragstone run`."


def _unknown(headers: Headers) -> Response:
    if "text/html" in headers.get("accept", ""):
        return login_page(401)
    return _no(401, "This needs the token that `ragstone serve` printed: Authorization: Bearer TOKEN.")


def _no(status: int, why: str) -> Response:
    return JSONResponse({"detail": why}, status)


def _cookies(headers: Headers) -> Mapping[str, str]:
    return cookie_parser(headers.get("cookie", ""))


def _host(header: str) -> str:
    """Return the host of a Host header, without its port."""
    try:
        return urlsplit(f"//{header}").hostname or ""
    except ValueError:  # no address at all
        return ""


def _equal(one: str, other: str) -> bool:
    return compare_digest(one.encode("utf-8", "surrogatepass"), other.encode("utf-8", "surrogatepass"))
