"""Common bases of what is behind a server: `HttpModel` for providers and embedders, `HttpProvider` for providers."""

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Collection, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Any, ClassVar
from urllib.parse import urlsplit

from ragstone.errors import ProviderError
from ragstone.providers.base import Completion, Request
from ragstone.providers.http.address import (
    check_base,
    check_key,
    from_environment,
    join,
    missing_key,
    secrets_in,
    without_query,
)
from ragstone.providers.http.endpoint import Endpoint
from ragstone.providers.http.failures import AttemptFailure, mask
from ragstone.providers.http.key_reference import from_state, state_by_reference
from ragstone.providers.http.transport import Transport, current_transport
from ragstone.providers.wire.parameter_support import (
    NOTHING_TOGETHER,
    post_negotiated,
    to_json_bytes,
    unsupported_parameters,
)
from ragstone.providers.wire.schema_dialect import SchemaDialect

_MIN_MASKED_CHARACTERS = 12
"""Least length of a secret, in characters, to be masked in answers too: a shorter one may be an ordinary word."""


@dataclass(frozen=True, kw_only=True, repr=False)
class HttpModel(ABC):
    """A model behind a server.

    Attributes:
        model: the model.
        api_key: the key.
        base_url: URL of the server; its query may hold a key and is not shown.
        options: further parameters of each request; None removes one of ragstone's own.
        headers: further headers; their values count as secrets.
    """

    optional_parameters: ClassVar[Mapping[str, str]] = {}
    """Parameters that a server may reject, each with a pattern of its names in error messages."""

    model: str = ""
    api_key: str | None = field(default=None, repr=False)
    base_url: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict[str, Any], hash=False)
    headers: Mapping[str, str] = field(default_factory=dict[str, str], repr=False, hash=False)

    def __repr__(self) -> str:
        """Show the options without secrets."""
        values = {item.name: getattr(self, item.name) for item in fields(self) if item.repr}
        if self.base_url:
            values["base_url"] = without_query(self.base_url)
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in values.items())})"

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the options; a key of the environment is pickled as the name of its variable."""
        return from_state, (type(self), state_by_reference(self))

    @abstractmethod
    def _find_endpoint(self) -> Endpoint:
        """Return the endpoint of the model."""

    @cached_property
    def _endpoint(self) -> Endpoint:
        return self._find_endpoint()


@dataclass(frozen=True, kw_only=True, repr=False)
class HttpProvider(HttpModel):
    """Base of the providers in this package: a vendor's file gives `encode`, `decode` and the endpoint."""

    name = ""
    rejected_together: ClassVar[Mapping[str, Collection[str]]] = NOTHING_TOGETHER
    """Patterns of error messages which imply that further parameters are not supported either."""
    schema_dialect: ClassVar[SchemaDialect] = "full"
    """The part of JSON Schema that the vendor's structured output supports."""
    supports_multimodal = False

    @property
    def supports_structured_outputs(self) -> bool:
        """True: where the server rejects a schema, the provider adds it to the system message."""
        return True

    @property
    def supports_log_probs(self) -> bool:
        """Whether the server returns log-probabilities, as far as is known in this run."""
        rejected = unsupported_parameters(self._endpoint)
        return "logprobs" in self.optional_parameters and "logprobs" not in rejected

    @property
    def supports_batches(self) -> bool:
        """Whether the vendor has a batch API."""
        return self._endpoint.batches is not None

    @property
    def batch_endpoint(self) -> Endpoint:
        """The endpoint with its batch API."""
        return self._endpoint

    async def complete(self, request: Request) -> Completion:
        """Return the model's answer.

        Raises:
            ProviderError: the server refused or failed, or its response holds no answer.
            TimedOut: no response in time.
        """
        body = await post_negotiated(
            self._endpoint,
            lambda unsupported: self.encode(request, unsupported),
            self.optional_parameters,
            together=self.rejected_together,
            rejectable=self._rejectable,
            send=self._send,
        )
        transport, place = current_transport(), (self._endpoint.url, self._endpoint.model)
        try:
            completion = self.decode(body)
        except ProviderError as error:
            if transport and error.server:
                transport.mark_unsupported(*place, error.server)
            raise
        if transport and completion.server:  # known for the rest of the run
            transport.mark_unsupported(*place, completion.server)
        if transport and request.top_logprobs and completion.text:
            transport.note_support(*place, "logprobs", supported=bool(completion.tokens))
        if not self._long_secrets:
            return completion
        text = mask(completion.text, self._long_secrets)
        return completion if text == completion.text else replace(completion, text=text)

    @abstractmethod
    def encode(self, request: Request, unsupported: frozenset[str] = frozenset()) -> dict[str, Any]:
        """Return the body of the request without the unsupported parameters."""

    @abstractmethod
    def decode(self, body: bytes) -> Completion:
        """Return the answer in the body of a response.

        Raises:
            ProviderError: there is none.
        """

    @cached_property
    def _long_secrets(self) -> tuple[str, ...]:
        return tuple(secret for secret in self._endpoint.secrets if len(secret) >= _MIN_MASKED_CHARACTERS)

    def _send(self, transport: Transport, body: Mapping[str, Any]) -> Awaitable[bytes | AttemptFailure]:
        return transport.send(self._endpoint, to_json_bytes(body))

    def _rejectable(self, body: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the part of a request that holds the optional parameters."""
        return body

    def _resolve(
        self, vendor: str, default: str, *keys: str, base_variable: str = "", other_key: bool = False
    ) -> None:
        """Set base URL and key from the environment, so that the value means the same on every machine.

        Args:
            vendor: the vendor, for messages.
            default: its own base URL; a server elsewhere needs no key.
            keys: the variables that hold the key.
            base_variable: the variable that holds the base URL, if there is one.
            other_key: whether there is another key, so that none is needed.
        """
        base = check_base(self.base_url or from_environment(base_variable) or default, "base_url")
        key = self.api_key or from_environment(*keys)
        if key is None and not other_key and urlsplit(base).hostname == urlsplit(default).hostname:
            raise missing_key(vendor, keys[0], base_variable or "base_url")
        object.__setattr__(self, "base_url", base)
        object.__setattr__(self, "api_key", key and check_key(key, keys[0]))

    def _endpoint_at(self, base: str | None, path: str, own_headers: Mapping[str, str | None]) -> Endpoint:
        """Return the endpoint of `path` below `base`, with the vendor's headers that have a value, and the user's."""
        url = join(base or "", path)
        headers = {name: value for name, value in own_headers.items() if value} | dict(self.headers)
        return Endpoint(self.name, self.model, url, headers, secrets_in(self.headers, self.api_key, url=url))
