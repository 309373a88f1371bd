"""The client of the vendors' batch APIs over the transport of a run."""

from dataclasses import replace

from ragstone.providers.batches.api import BatchApi, BatchApiError, BatchClient
from ragstone.providers.http.endpoint import Endpoint
from ragstone.providers.http.failures import AttemptFailure, FailureKind
from ragstone.providers.http.transport import Transport


def batch_client(
    transport: Transport, endpoint: Endpoint, vendor: BatchApi, interval: float = 60.0
) -> BatchClient:
    """Return the client of a vendor's API; `endpoint` is that of the model, with key and headers."""

    async def call(method: str, url: str, body: bytes, kind: str, once: bool) -> bytes:  # noqa: FBT001
        target = replace(endpoint, url=url)

        async def attempt() -> bytes | AttemptFailure:
            outcome = await transport.attempt(target, body, method, kind)
            if once and isinstance(outcome, AttemptFailure) and outcome_unknown(outcome):
                return replace(outcome, again=False)
            return outcome

        outcome = await transport.with_retries(target, attempt)
        if isinstance(outcome, AttemptFailure):
            raise BatchApiError(outcome)
        return outcome

    return BatchClient(vendor.base, endpoint.provider, endpoint.model, endpoint.secrets, interval, call)


def outcome_unknown(failure: AttemptFailure) -> bool:
    """Return whether the server may have carried out a request that failed."""
    return failure.kind in {FailureKind.BROKEN, FailureKind.LATE} or (failure.status or 0) >= 500  # noqa: PLR2004  (the server errors)
