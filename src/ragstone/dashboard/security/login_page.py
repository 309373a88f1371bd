"""The one page that strangers see. It loads nothing, since nothing else is open to them: its style is in it."""

from base64 import b64encode
from hashlib import sha256

from starlette.responses import HTMLResponse, Response

LOGIN = "/login"
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
[role=alert] { color: var(--wrong); }
"""
_POLICY = (
    f"default-src 'none'; style-src 'sha256-{b64encode(sha256(_STYLE.encode()).digest()).decode()}'; img-src data:; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
_PAGE = f"""<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Log in · ragstone</title><link rel="icon" href="data:,"><style>{_STYLE}</style></head>
<body><main><h1>ragstone</h1>
<form method="post" action="{LOGIN}">
<p><label for="token">The token that <code>ragstone serve</code> printed</label></p>
<p><input id="token" name="token" type="password" required autofocus autocomplete="current-password"></p>
[wrong]<p><button>Log in</button></p>
</form></main></body></html>
"""


def login_page(status: int = 200, *, wrong: bool = False) -> Response:
    """Return the form that asks for the token."""
    said = '<p role="alert">✗ That is not the token.</p>' if wrong else ""
    return HTMLResponse(_PAGE.replace("[wrong]", said), status, headers={"Content-Security-Policy": _POLICY})
