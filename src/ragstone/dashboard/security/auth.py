"""Authentication, roles and the limits of a request, as middleware before every route.

on loopback    without a token: only requests that name this machine (against DNS rebinding)
with a token   every request needs it, as `Authorization: Bearer …` or as the cookie that /login sets, but those to
               /login and the probes /healthz and /readyz
with a header  a proxy names the person; the header is refused from every other address, on every path
everywhere     what a role may not do is refused; requests that change something must come from our own pages or from no
               page at all, and are kept in the audit log; a strict content policy; bodies are read up to a limit
"""

from asyncio import to_thread
from collections.abc import Callable, Mapping

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ragstone.dashboard.security.access import Access, Trail
from ragstone.dashboard.security.login import LOGIN, client_address, log_refusal, login_page, refusal_response
from ragstone.dashboard.security.permissions import PERMISSIONS, SAFE_METHODS, action_of, may
from ragstone.dashboard.security.refused import CheckedStream, Refused
from ragstone.dashboard.security.trusted_header import LOCAL_HOSTS, host_of
from ragstone.store.read.audit_log import Actor

MEGABYTE = 1_000_000
_MAX_BODY_BYTES = 8 * MEGABYTE
_DATASET_BODY_LIMITS: Mapping[str, int] = dict.fromkeys(
    ("/api/datasets", "/evaluate", "/evaluate/estimate"), 256 * MEGABYTE
)
"""Routes that accept a dataset, and their limits in bytes."""

_OPEN_PATHS = {LOGIN, "/healthz", "/readyz"}
_UNAUTHORIZED, _FIRST_ERROR = 401, 400
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
        self,
        app: ASGIApp,
        *,
        access: Access,
        larger: Mapping[str, int] = _DATASET_BODY_LIMITS,
        action_of: Callable[[str, str], str] = action_of,
    ) -> None:
        """Guard `app`; `larger` are limits of a body in bytes by route, of all others it is 8 MB."""
        self._app = app
        self._access = access
        self._action_of = action_of
        self._larger_limits = larger

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        limit = self._larger_limits.get(scope["path"], _MAX_BODY_BYTES)
        trail: Trail | None = None

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                if trail is not None and message["status"] < _FIRST_ERROR:
                    await to_thread(trail.write, scope["path"])
                response_headers = MutableHeaders(scope=message)
                for name, value in _RESPONSE_HEADERS.items():
                    response_headers.setdefault(name, value)
            await stream.send(message)

        stream = CheckedStream(send, lambda: self._admit(scope, headers))
        try:
            trail = await self._admit(scope, headers)
            length = headers.get("content-length", "0")
            too_large = length.isdecimal() and int(length) > limit
            response = JSONResponse({"detail": _too_large_message(limit)}, 413) if too_large else None
        except Refused as refused:
            response = _refusal(scope, headers, refused)
        try:
            await (response or self._app)(scope, _limited_receive(receive, limit), send_with_headers)
        except (OSError, ClientDisconnect):
            if stream.refused is None:
                raise
            log_refusal(scope, stream.refused)

    async def _admit(self, scope: Scope, headers: Headers) -> Trail | None:
        """Keep who makes a request in its state; return its trail if it must leave one.

        Raises:
            Refused: it has no access.
        """
        host = host_of(headers)
        if not self._access.credentials.required and host not in LOCAL_HOSTS:
            raise Refused(
                421,
                f"This server accepts only requests to this machine, not to {host!r}. Open http://127.0.0.1.",
            )
        actor = await self._actor(scope, headers)
        if scope["method"] not in SAFE_METHODS and not _from_our_pages(headers):
            raise Refused(
                403,
                "This request came from a page of another site. Only this server's own pages can change something.",
            )
        action = self._action_of(scope["method"], scope["path"])
        trail = Trail(self._access.add_entries, actor, action)
        scope.setdefault("state", {}).update(actor=actor, trail=trail)
        if scope["path"] in _OPEN_PATHS:
            return None
        permission = PERMISSIONS[action]
        if not may(actor.role, action):
            allowed = " or ".join(permission.roles)
            raise Refused(
                403,
                f"{actor.name} has the role {actor.role}, which may not {permission.meaning}. That needs the role "
                f"{allowed}.",
            )
        return trail if permission.audited and scope["method"] not in SAFE_METHODS else None

    async def _actor(self, scope: Scope, headers: Headers) -> Actor:
        """Return who makes a request; some paths are for everybody, except with a header that is refused."""
        address = client_address(scope)
        try:
            return await self._access.actor(address, headers)
        except Refused as refused:
            if scope["path"] not in _OPEN_PATHS or refused.status != _UNAUTHORIZED:
                raise
            return Actor("page", "", "reader", address)


def _refusal(scope: Scope, headers: Headers, refused: Refused) -> Response:
    """Return the response to a refused request: to people who are not logged in, the page to log in."""
    is_visit = "text/html" in headers.get("accept", "") and not headers.get("authorization")
    if refused.status == _UNAUTHORIZED and is_visit:
        return login_page(401)
    return refusal_response(scope, headers, refused)


def _from_our_pages(headers: Headers) -> bool:
    """Return whether a request comes from one of our pages, or from a script, which sends neither header."""
    site, origin = headers.get("sec-fetch-site"), headers.get("origin")
    if site is not None:
        return site in _ALLOWED_FETCH_SITES
    return origin is None or origin.partition("://")[2] == headers.get("host")


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
    size = f"{limit // MEGABYTE} MB"
    return f"The body is more than {size}: send less, or evaluate the file with `ragstone run`."
