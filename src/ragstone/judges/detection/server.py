"""Common base of models that return probabilities from a server: address, key, and the call itself."""

from dataclasses import dataclass
from typing import Any, ClassVar

from ragstone.providers.http.address import (
    check_base,
    check_key,
    from_environment,
    join,
    secrets_in,
    without_query,
)
from ragstone.providers.http.endpoint import Endpoint
from ragstone.providers.wire.http_model import HttpModel
from ragstone.providers.wire.parameter_support import post_negotiated


@dataclass(frozen=True, kw_only=True, repr=False)
class ProbabilityServer(HttpModel):
    """Base of detectors and decision models behind a server.

    Attributes:
        base_url: the server, such as `http://127.0.0.1:8080`.
        model: the model, for a server that has several.
        api_key: a bearer token; by default that in a variable of the server's.
        headers: further headers; their values count as secrets.
        options: further parameters of each request.
    """

    vendor: ClassVar[str]
    key_variable: ClassVar[str]
    path: ClassVar[str] = ""

    def __post_init__(self) -> None:
        """Resolve address and key, so that the value means the same on every machine."""
        address = check_base(self.base_url or "", f"the address of {self.vendor}").rstrip("/")
        object.__setattr__(self, "base_url", address)
        key = self.api_key or from_environment(self.key_variable)
        object.__setattr__(self, "api_key", key and check_key(key, self.key_variable))

    @property
    def name(self) -> str:
        """The spec, without what the address may hide."""
        return f"{self.vendor}:{f'{self.model}@' if self.model else ''}{without_query(self.base_url or '')}"

    async def post(self, body: dict[str, Any], path: str | None = None) -> bytes:
        """Return the body of the response to a request, with the user's options; see `post_negotiated`."""
        sent = {name: value for name, value in {**body, **self.options}.items() if value is not None}
        endpoint = self._endpoint if path is None else self._endpoint_at(path)
        return await post_negotiated(endpoint, lambda _: sent, {})

    @property
    def secrets(self) -> tuple[str, ...]:
        """What no message may show."""
        return self._endpoint.secrets

    def _find_endpoint(self) -> Endpoint:
        return self._endpoint_at(self.path)

    def _endpoint_at(self, path: str) -> Endpoint:
        url = join(self.base_url or "", path) if path else self.base_url or ""
        key_header = {"Authorization": f"Bearer {self.api_key}"} if self.api_key else {}
        secrets = secrets_in(self.headers, self.api_key, url=url)
        headers = key_header | dict(self.headers)
        return Endpoint(self.vendor, self.model or without_query(url), url, headers, secrets)
