"""What is shown without access: the login page, which sets a cookie for the token, and refusals, which are logged.

These pages load no other file: their style is inline, allowed by hash.
"""

import logging
from base64 import b64encode
from hashlib import sha256
from html import escape
from typing import Annotated

from fastapi import APIRouter, Form, Query, Request
from starlette.datastructures import Headers
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.types import Scope

from ragstone.dashboard.security.credentials import COOKIE, Credentials
from ragstone.dashboard.security.refused import Refused
from ragstone.findings.printable import one_line

router = APIRouter(include_in_schema=False)

LOGIN = "/login"
_LOG = logging.getLogger("ragstone.access")
_MAX_LOGGED = 300
_STYLE = """
:root { color-scheme: light dark; --paper: #fdfdfb; --ink: #1b1e22; --quiet: #5b626b; --wrong: #b83a0b; }
@media (prefers-color-scheme: dark) { :root { --paper: #14161a; --ink: #e8e8e4; --quiet: #a3abb5; --wrong: #ff9270; } }
body { margin: 0; background: var(--paper); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }
main { max-width: 400px; margin: 18vh auto 0; padding: 0 20px; }
h1 { font-size: 22px; letter-spacing: -0.01em; }
label { color: var(--quiet); }
input, button { width: 100%; box-sizing: border-box; padding: 7px 10px; border: 1px solid var(--quiet);
  border-radius: 5px; background: none; color: inherit; font: inherit; }
button { background: var(--ink); color: var(--paper); font-weight: 600; cursor: pointer; }
:focus-visible { outline: 2px solid var(--quiet); outline-offset: 2px; }
a { color: inherit; }
[role=alert] { color: var(--wrong); }
"""
_POLICY = (
    f"default-src 'none'; style-src 'sha256-{b64encode(sha256(_STYLE.encode()).digest()).decode()}'; img-src data:; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
_PAGE = f"""<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>ragstone</title><link rel="icon" href="data:,"><style>{_STYLE}</style></head>
<body><main><h1>ragstone</h1>
[body]</main></body></html>
"""
_FORM = f"""<form method="post" action="{LOGIN}">
<p><label for="token">The token that <code>ragstone serve</code> printed</label></p>
<p><input id="token" name="token" type="password" required autofocus autocomplete="current-password"></p>
[wrong]<p><button>Log in</button></p>
</form>
"""


def login_page(status: int = 200, *, wrong: bool = False) -> Response:
    """Return the form that asks for the token."""
    return _bare_page(_FORM.replace("[wrong]", _alert("The token is wrong.") if wrong else ""), status)


def _bare_page(body: str, status: int) -> Response:
    return HTMLResponse(_PAGE.replace("[body]", body), status, headers={"Content-Security-Policy": _POLICY})


def _alert(message: str) -> str:
    return f'<p role="alert">✗ {escape(message)}</p>'


def refusal_response(scope: Scope, headers: Headers, refused: Refused) -> Response:
    """Return the response to a refused request, and log it: a page for people, JSON for scripts."""
    log_refusal(scope, refused)
    if "text/html" in headers.get("accept", ""):
        return _bare_page(f'{_alert(one_line(str(refused)))}<p><a href="/">All runs</a></p>', refused.status)
    return JSONResponse({"detail": str(refused)}, refused.status)


def log_refusal(scope: Scope, refused: Refused) -> None:
    """Write a line to the log: the request, where it came from, and why it was refused."""
    _LOG.warning(
        "refused %s from %s: %s",
        one_line(f"{scope['method']} {scope['path']}", _MAX_LOGGED),
        client_address(scope) or "?",
        one_line(f"{refused} {refused.cause}", _MAX_LOGGED),
    )


def client_address(scope: Scope) -> str:
    """Return the IP address that a request came from; empty for a Unix socket."""
    client = scope.get("client")
    return str(client[0]) if client else ""


@router.get(LOGIN)
def page(request: Request, code: Annotated[str, Query(max_length=200)] = "") -> Response:
    """Show the form, or log in with the single-use code of the printed address."""
    credentials: Credentials = request.app.state.credentials
    return _login_response(credentials) if code and credentials.login_code.redeem(code) else login_page()


@router.post(LOGIN)
def enter(request: Request, token: Annotated[str, Form(max_length=200)]) -> Response:
    """Set the cookie for the token."""
    credentials: Credentials = request.app.state.credentials
    return _login_response(credentials) if credentials.matches(token) else login_page(401, wrong=True)


def _login_response(credentials: Credentials) -> Response:
    response = RedirectResponse("/", 303)
    response.set_cookie(COOKIE, credentials.session, httponly=True, samesite="strict", path="/")
    return response
