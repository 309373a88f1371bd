"""Base URLs and keys, read from arguments and environment variables as the vendors' own clients do."""

import os
from collections.abc import Mapping
from ipaddress import ip_address
from urllib.parse import parse_qsl, urlsplit, urlunsplit

from ragstone.errors import BadOption, UsageError


def from_environment(*names: str) -> str | None:
    """Return the value of the first of these variables that is set and not blank."""
    return next((value for name in names if (value := os.environ.get(name, "").strip())), None)


def join(base: str, path: str) -> str:
    """Return the URL of `path` below `base`, keeping the query (Azure puts `api-version` there)."""
    parts = urlsplit(base)
    return urlunsplit(parts._replace(path=f"{parts.path.rstrip('/')}/{path}", fragment=""))


def check_base(base: str, option: str) -> str:
    """Return the base URL.

    Raises:
        BadOption: it has no scheme or no host, or it contains a password; the message shows no more of it.
    """
    base = base.strip()
    try:
        parts = urlsplit(base)
        parts.port  # noqa: B018  (raises where it is no number below 65,536)
    except ValueError:
        parts = urlsplit("")
    if parts.username or parts.password:
        raise BadOption(f"{option} contains a password: write headers={{'Authorization': 'Basic …'}} instead")
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        flaw = f"it begins with {parts.scheme}:" if parts.scheme else "it has no http:// or https://"
        raise BadOption(f"{option} is not an HTTP address ({flaw}): write it like http://localhost:8000/v1")
    return base


def without_query(url: str) -> str:
    """Return a URL without user, query and fragment, which may hold a key."""
    parts = urlsplit(url)
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))


def check_key(key: str, option: str) -> str:
    """Return the key without surrounding blanks.

    Raises:
        BadOption: it cannot be sent in a header; the message does not show it.
    """
    key = key.strip()
    if not key.isascii() or not key.isprintable():
        raise BadOption(
            f"The key in {option} contains characters that are not allowed in a key "
            "(such as a line break or an accent): copy it again."
        )
    return key


def missing_key(vendor: str, variable: str, local: str) -> UsageError:
    """Return the error for a key that is neither an argument nor in the environment."""
    return UsageError(
        f"{vendor} needs a key, and none is set: set {variable} or pass api_key=…, or set {local} to the "
        "URL of your own server, which may not need one. The judge 'local' needs neither."
    )


def secrets_in(headers: Mapping[str, str], *keys: str | None, url: str = "") -> tuple[str, ...]:
    """Return what no message may show: keys, the values of the user's headers, those in the URL's query."""
    queried = (value for _, value in parse_qsl(urlsplit(url).query) if len(value) > 11)  # noqa: PLR2004  (no version)
    parts = (part for value in headers.values() for part in (value, *value.split()))
    return tuple({text for text in (*keys, *parts, *queried) if text and len(text) > 3})  # noqa: PLR2004


def ollama_host(text: str) -> str:
    """Return the URL that OLLAMA_HOST means; missing parts are those of `http://127.0.0.1:11434`.

    With a scheme, the default port is that of the scheme (80, 443), as in Ollama's own clients.

    Raises:
        BadOption: it is not an address.
    """
    scheme, _, rest = text.strip().partition("://")
    if not rest:
        scheme, rest = "http", scheme
        default_port = 11434
    else:
        default_port = {"http": 80, "https": 443}.get(scheme, 11434)
    try:
        parts = urlsplit(f"{scheme}://{rest}")
        host, port = parts.hostname or "127.0.0.1", parts.port or default_port
    except ValueError:
        host, port, parts = "", default_port, urlsplit("")
    if scheme not in {"http", "https"} or not host:
        raise BadOption(f"OLLAMA_HOST is {text!r}, which is not an address: write it like localhost:11434")
    shown_host = f"[{host}]" if ":" in host else host
    path = parts.path.strip("/")
    return f"{scheme}://{shown_host}:{port}" + (f"/{path}" if path else "")


def is_loopback(host: str) -> bool:
    """Return whether a host is this machine: a loopback address, or `localhost`; no other name is looked up."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
