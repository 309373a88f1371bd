"""Address and authentication headers of a destination of scores."""

import base64
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import parse_qsl, unquote, urlsplit, urlunsplit

from ragstone.errors import BadOption, UnknownName
from ragstone.providers.http.address import join, secrets_in


@dataclass(frozen=True, slots=True)
class PushAddress:
    """An address with its headers.

    Attributes:
        destination: `otlp`, `phoenix`, `langfuse` or `mlflow`.
        url: the server, or for OTLP the full URL of its traces; without a slash at the end.
        headers: headers of each request; never shown.
        secrets: texts that no message may show.
    """

    destination: str
    url: str
    headers: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    secrets: tuple[str, ...] = field(default=(), repr=False)


_VARIABLES = {
    "otlp": ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT"),
    "phoenix": ("PHOENIX_COLLECTOR_ENDPOINT", "PHOENIX_BASE_URL"),
    "langfuse": ("LANGFUSE_BASE_URL", "LANGFUSE_HOST"),
    "mlflow": ("MLFLOW_TRACKING_URI",),
}
"""The variables that a destination's own clients read for its URL."""

_PASSWORDS = {"langfuse": "LANGFUSE_SECRET_KEY", "mlflow": "MLFLOW_TRACKING_PASSWORD"}
_OTLP_PATH = "/v1/traces"
DESTINATIONS = tuple(_VARIABLES)
"""The names of the destinations."""


def find_address(destination: str, url: str | None, environment: Mapping[str, str]) -> PushAddress:
    """Return the address of a destination.

    Args:
        destination: name of the destination.
        url: URL of the server; if None, that in the variable that the destination's own client reads.
        environment: environment variables, for the URL if `url` is None, and for the keys.

    Raises:
        UnknownName: there is no such destination.
        BadOption: no URL is given, the URL is invalid, or a key is missing. Nothing is sent anywhere by default.
    """
    if destination not in _VARIABLES:
        raise UnknownName("score destination", destination, DESTINATIONS)
    variables = _VARIABLES[destination]
    variable = next((name for name in variables if environment.get(name)), "")
    given_url = url or environment.get(variable)
    if not given_url:
        raise BadOption(f"{destination} has no address: give --endpoint URL, or set {variables[0]}.")
    full_url = _check_url(given_url, "--endpoint" if url else variable)
    is_server = destination == "otlp" and not urlsplit(full_url).path.endswith(_OTLP_PATH)
    if is_server and (url or variable != variables[0]):  # the first variable names the full URL
        full_url = join(full_url, _OTLP_PATH.lstrip("/"))
    headers = _auth_headers(destination, environment)
    queried = (value for _, value in parse_qsl(urlsplit(full_url).query))
    # A server may send the password of a Basic header back decoded.
    password = environment.get(_PASSWORDS.get(destination, ""), "")
    secrets = secrets_in(headers, password, *queried)
    return PushAddress(destination, full_url, {"Content-Type": "application/json", **headers}, secrets)


def _check_url(text: str, name: str) -> str:
    """Return the URL of a server without a slash at its end; messages show neither its user nor its query.

    Raises:
        BadOption: it is not a URL, or contains a password.
    """
    try:
        parts = urlsplit(text.strip())
        valid = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:  # a port that is none, a bracket without its other
        raise BadOption(f"{name} is not a URL: give http://HOST:PORT or https://HOST.") from None
    if parts.username or parts.password:
        raise BadOption(f"{name} contains a user or a password: set the variables of the destination's keys.")
    if not valid:
        shown = text.partition("?")[0]
        raise BadOption(f"{name} {shown!r} is not a URL: give http://HOST:PORT or https://HOST.")
    return urlunsplit(parts._replace(path=parts.path.rstrip("/"), fragment=""))


def _auth_headers(destination: str, environment: Mapping[str, str]) -> dict[str, str]:
    if destination == "langfuse":
        public, secret = environment.get("LANGFUSE_PUBLIC_KEY"), environment.get("LANGFUSE_SECRET_KEY")
        if not public or not secret:
            raise BadOption("langfuse needs keys: set LANGFUSE_PUBLIC_KEY and LANGFUSE_SECRET_KEY.")
        return {"Authorization": _basic(public, secret)}
    if destination == "mlflow":
        user, password = (environment.get(f"MLFLOW_TRACKING_{name}") for name in ("USERNAME", "PASSWORD"))
        if user and password:
            return {"Authorization": _basic(user, password)}
        return _bearer(environment.get("MLFLOW_TRACKING_TOKEN"))
    if destination == "phoenix":
        return _bearer(environment.get("PHOENIX_API_KEY"))
    pairs = (
        environment.get("OTEL_EXPORTER_OTLP_TRACES_HEADERS")
        or environment.get("OTEL_EXPORTER_OTLP_HEADERS")
        or ""
    )
    split = (pair.partition("=") for pair in pairs.split(",") if "=" in pair)
    return {unquote(name.strip()): unquote(value.strip()) for name, _, value in split}


def _bearer(token: str | None) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"} if token else {}


def _basic(user: str, password: str) -> str:
    return f"Basic {base64.b64encode(f'{user}:{password}'.encode()).decode()}"
