"""Common base of the providers: options, capability flags, and the call itself."""

from abc import abstractmethod
from collections.abc import Awaitable, Collection, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar

from ragstone.errors import ProviderError
from ragstone.providers.base import Completion, Request
from ragstone.providers.http.endpoint import Endpoint
from ragstone.providers.http.failures import mask
from ragstone.providers.wire.http_model import HttpModel
from ragstone.providers.wire.parameter_support import (
    NOTHING_TOGETHER,
    Encode,
    is_supported,
    mark_unsupported,
    note_support,
    post_negotiated,
)
from ragstone.providers.wire.schema_dialect import SchemaDialect

_MIN_MASKED_CHARACTERS = 12
"""Least length of a secret, in characters, to be masked in answers too: a shorter one may be an ordinary word."""


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
        return "logprobs" in self.optional_parameters and is_supported(self._endpoint, "logprobs")

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
        body = await self._post(lambda unsupported: self.encode(request, unsupported))
        try:
            completion = self.decode(body)
        except ProviderError as error:
            self._store_server(error.server)
            raise
        self._store_server(completion.server)
        if request.top_logprobs and completion.text:
            note_support(self._endpoint, "logprobs", supported=bool(completion.tokens))
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

    def _store_server(self, server: str) -> None:
        """Store the recognised server program for the run."""
        if server and is_supported(self._endpoint, server):
            mark_unsupported(self._endpoint, server)

    @cached_property
    def _long_secrets(self) -> tuple[str, ...]:
        return tuple(secret for secret in self._endpoint.secrets if len(secret) >= _MIN_MASKED_CHARACTERS)

    def _post(self, encode: Encode) -> Awaitable[bytes]:
        return post_negotiated(
            self._endpoint,
            encode,
            self.optional_parameters,
            together=self.rejected_together,
            rejectable=self._rejectable,
        )

    def _rejectable(self, body: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the part of a request that holds the optional parameters."""
        return body
