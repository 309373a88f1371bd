"""Addresses and keys, read from arguments and the environment the way the vendors' own clients read them."""

import os
from collections.abc import Mapping
from urllib.parse import urlsplit, urlunsplit

from ragstone.errors import BadOption, UsageError


def from_environment(*names: str) -> str | None:
    """Return the first of these variables that is set to more than blanks."""
    return next((value for name in names if (value := os.environ.get(name, "").strip())), None)


def join(base: str, path: str) -> str:
    """Return the address of `path` below `base`, whose query stays (Azure's `api-version` stands there)."""
    parts = urlsplit(base)
    return urlunsplit(parts._replace(path=f"{parts.path.rstrip('/')}/{path}", fragment=""))


def check_base(base: str, option: str) -> str:
    """Return the base URL, provided that it is one.

    Raises:
        BadOption: it has no scheme or no host, or it holds a password, which messages would show.
    """
    base = base.strip()
    try:
        parts = urlsplit(base)
    except ValueError:
        parts = urlsplit("")
    if parts.username or parts.password:
        raise BadOption(f"{option} holds a password: write headers={{'Authorization': 'Basic …'}} instead")
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise BadOption(
            f"{option} is {base!r}, which is no web address: write it like http://localhost:8000/v1"
        )
    return base


def check_key(key: str, option: str) -> str:
    """Return the key without the blanks around it.

    Raises:
        BadOption: it cannot travel in a header; the message does not show it.
    """
    key = key.strip()
    if not key.isascii() or not key.isprintable():
        raise BadOption(
            f"The key in {option} has characters that no key has (a line break, an accent): copy it again."
        )
    return key


def missing_key(vendor: str, variable: str, local: str) -> UsageError:
    """Return the error for a key that is neither given nor in the environment."""
    return UsageError(
        f"{vendor} needs a key and there is none: set {variable} or pass api_key=…, or set {local} to the "
        "address of a server of your own, which may do without. The judge 'local' needs neither."
    )


def secrets_in(headers: Mapping[str, str], *keys: str | None) -> tuple[str, ...]:
    """Return what no message may show: keys, and the values of the user's own headers, which may be keys."""
    return tuple(text for text in (*keys, *headers.values()) if text and len(text) > 3)  # noqa: PLR2004


def ollama_host(text: str) -> str:
    """Return the address that OLLAMA_HOST stands for: `http://127.0.0.1:11434` where a part is left out.

    With a scheme written, the port is the scheme's own (80, 443), as for Ollama's own clients.

    Raises:
        BadOption: it is no address.
    """
    scheme, _, rest = text.strip().partition("://")
    if not rest:
        scheme, rest = "http", scheme
        default = 11434
    else:
        default = {"http": 80, "https": 443}.get(scheme, 11434)
    try:
        parts = urlsplit(f"{scheme}://{rest}")
        host, port = parts.hostname or "127.0.0.1", parts.port or default
    except ValueError:
        host, port, parts = "", default, urlsplit("")
    if scheme not in {"http", "https"} or not host:
        raise BadOption(f"OLLAMA_HOST is {text!r}, which is no address: write it like localhost:11434")
    shown = f"[{host}]" if ":" in host else host
    path = parts.path.strip("/")
    return f"{scheme}://{shown}:{port}" + (f"/{path}" if path else "")
