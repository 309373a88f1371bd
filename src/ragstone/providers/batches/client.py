"""HTTP client of the vendors' batch APIs."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from urllib.parse import urlencode

from ragstone.providers.batches.api import JSON, BatchApiError
from ragstone.providers.http.address import join
from ragstone.providers.http.endpoint import Endpoint
from ragstone.providers.http.failures import AttemptFailure, FailureKind
from ragstone.providers.http.transport import Transport


@dataclass(frozen=True, slots=True)
class BatchApiClient:
    """Calls one vendor's batch API.

    Attributes:
        transport: sends the calls.
        endpoint: endpoint of the model, with key and headers.
        base: the vendor's base URL.
        interval: most seconds between two polls.
    """

    transport: Transport
    endpoint: Endpoint
    base: str
    interval: float = 60.0

    @property
    def provider(self) -> str:
        """The vendor, for messages."""
        return self.endpoint.provider

    @property
    def secrets(self) -> tuple[str, ...]:
        """Texts that no message may show."""
        return self.endpoint.secrets

    def about(self, batch: str) -> str:
        """Return how messages refer to a batch."""
        return f"{self.endpoint.provider}: {self.endpoint.model} in batch {batch}"

    async def get(self, path: str, query: Mapping[str, str | int] | None = None) -> bytes:
        """Return the body of the response to a GET request.

        Raises:
            BatchApiError: it failed.
        """
        return await self._call("GET", path, query=query)

    async def post(self, path: str, body: bytes = b"", *, kind: str = JSON, once: bool = False) -> bytes:
        """Return the body of the response to a POST request.

        Args:
            path: below the base URL.
            body: the request's body.
            kind: its media type.
            once: do not repeat the request if it may have arrived.

        Raises:
            BatchApiError: it failed.
        """
        return await self._call("POST", path, body, kind=kind, once=once)

    async def _call(
        self,
        method: str,
        path: str,
        body: bytes = b"",
        *,
        query: Mapping[str, str | int] | None = None,
        kind: str = JSON,
        once: bool = False,
    ) -> bytes:
        endpoint = self._endpoint_of(path, query)

        async def attempt() -> bytes | AttemptFailure:
            outcome = await self.transport.call(endpoint, method, body, kind)
            if once and isinstance(outcome, AttemptFailure) and outcome_unknown(outcome):
                return replace(outcome, again=False)
            return outcome

        outcome = await self.transport.with_retries(endpoint, attempt)
        if isinstance(outcome, AttemptFailure):
            raise BatchApiError(outcome)
        return outcome

    def _endpoint_of(self, path: str, query: Mapping[str, str | int] | None) -> Endpoint:
        url = join(self.base, path)
        if query:
            url += f"{'&' if '?' in url else '?'}{urlencode(query)}"
        return replace(self.endpoint, url=url)


def outcome_unknown(failure: AttemptFailure) -> bool:
    """Return whether the server may have carried out a request that failed."""
    return failure.kind in {FailureKind.BROKEN, FailureKind.LATE} or (failure.status or 0) >= 500  # noqa: PLR2004  (the server errors)
