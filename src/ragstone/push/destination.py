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


@dataclass(frozen=True, slots=True)
class _Variables:
    """The variables that a destination's own clients read."""

    urls: tuple[str, ...]
    path: str = ""


_VARIABLES = {
    "otlp": _Variables(("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT"), "/v1/traces"),
    "phoenix": _Variables(("PHOENIX_COLLECTOR_ENDPOINT", "PHOENIX_BASE_URL")),
    "langfuse": _Variables(("LANGFUSE_BASE_URL", "LANGFUSE_HOST")),
    "mlflow": _Variables(("MLFLOW_TRACKING_URI",)),
}
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
    variable = next((name for name in variables.urls if environment.get(name)), None)
    given_url = url or (environment[variable] if variable else None)
    if not given_url:
        raise BadOption(f"{destination} has no address: give --endpoint URL, or set {variables.urls[0]}.")
    name = "--endpoint" if url else str(variable)
    full_url = _check_url(given_url, name)
    if (
        variables.path
        and not urlsplit(full_url).path.endswith(variables.path)
        and (url or variable != variables.urls[0])
    ):
        full_url = join(full_url, variables.path.lstrip("/"))
    headers = _auth_headers(destination, environment)
    queried = (value for _, value in parse_qsl(urlsplit(full_url).query))
    secrets = secrets_in(headers, *_passwords(destination, environment), *queried)
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
    """Return the authentication headers of a destination."""
    if destination == "langfuse":
        public, secret = environment.get("LANGFUSE_PUBLIC_KEY"), environment.get("LANGFUSE_SECRET_KEY")
        if not public or not secret:
            raise BadOption("langfuse needs keys: set LANGFUSE_PUBLIC_KEY and LANGFUSE_SECRET_KEY.")
        return {"Authorization": _basic(public, secret)}
    if destination == "mlflow":
        user, password = (
            environment.get("MLFLOW_TRACKING_USERNAME"),
            environment.get("MLFLOW_TRACKING_PASSWORD"),
        )
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


def _passwords(destination: str, environment: Mapping[str, str]) -> tuple[str, ...]:
    """Return the passwords that a Basic header contains in encoded form: a server may send them back decoded."""
    names = {"langfuse": ("LANGFUSE_SECRET_KEY",), "mlflow": ("MLFLOW_TRACKING_PASSWORD",)}
    return tuple(environment.get(name, "") for name in names.get(destination, ()))


def _bearer(token: str | None) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"} if token else {}


def _basic(user: str, password: str) -> str:
    return f"Basic {base64.b64encode(f'{user}:{password}'.encode()).decode()}"
