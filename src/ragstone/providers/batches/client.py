"""Calls to a vendor about batches: everything that is not a request to a model."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from urllib.parse import urlencode

from ragstone.providers.http.address import join
from ragstone.providers.http.failures import AttemptFailure, FailureKind
from ragstone.providers.http.transport import Endpoint, Transport

JSON = "application/json"


class BatchApiError(Exception):
    """A call that failed, also when made again."""

    def __init__(self, failure: AttemptFailure) -> None:
        """Carry the fault."""
        super().__init__(failure.message)
        self.failure = failure


@dataclass(frozen=True, slots=True)
class BatchApiClient:
    """Runs errands to one vendor.

    Attributes:
        transport: the way there.
        endpoint: where the model is asked, with the key and the headers.
        base: the vendor's base URL.
        interval: most seconds between two looks at what is not ready yet.
    """

    transport: Transport
    endpoint: Endpoint
    base: str
    interval: float = 60.0

    def about(self, batch: str) -> str:
        """Return what messages call a batch."""
        return f"{self.endpoint.provider}: {self.endpoint.model} in batch {batch}"

    async def get(self, path: str, query: Mapping[str, str | int] | None = None) -> bytes:
        """Return the body of the answer to a GET.

        Raises:
            Mishap: there is none.
        """
        return await self._call("GET", path, query=query)

    async def post(self, path: str, body: bytes = b"", *, kind: str = JSON, once: bool = False) -> bytes:
        """Return the body of the answer to a POST.

        Args:
            path: below the base URL.
            body: what to post.
            kind: its media type.
            once: do not post again where the first may have been heard.

        Raises:
            Mishap: there is none.
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
        place = self._place(path, query)

        async def attempt() -> bytes | AttemptFailure:
            outcome = await self.transport.call(place, method, body, kind)
            if once and isinstance(outcome, AttemptFailure) and outcome_unknown(outcome):
                return replace(outcome, again=False)
            return outcome

        outcome = await self.transport.with_retries(place, attempt)
        if isinstance(outcome, AttemptFailure):
            raise BatchApiError(outcome)
        return outcome

    def _place(self, path: str, query: Mapping[str, str | int] | None) -> Endpoint:
        url = join(self.base, path)
        if query:
            url += f"{'&' if '?' in url else '?'}{urlencode(query)}"
        return replace(self.endpoint, url=url)


def outcome_unknown(failure: AttemptFailure) -> bool:
    """Tell whether the server may have done what it was asked, though it did not say so."""
    return failure.kind in {FailureKind.BROKEN, FailureKind.LATE} or (failure.status or 0) >= 500  # noqa: PLR2004  (the server errors)
