"""Calls to a vendor about batches: everything that is not a request to a model."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from urllib.parse import urlencode

from ragstone.providers._address import join
from ragstone.providers._fault import Fault, Kind
from ragstone.providers._transport import Endpoint, Transport

JSON = "application/json"


class Mishap(Exception):  # noqa: N818  (never leaves this room)
    """A call that failed, also when made again."""

    def __init__(self, fault: Fault) -> None:
        """Carry the fault."""
        super().__init__(fault.message)
        self.fault = fault


@dataclass(frozen=True, slots=True)
class Errand:
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

        async def attempt() -> bytes | Fault:
            outcome = await self.transport.call(place, method, body, kind)
            if once and isinstance(outcome, Fault) and unsure(outcome):
                return replace(outcome, again=False)
            return outcome

        outcome = await self.transport.persist(place, attempt)
        if isinstance(outcome, Fault):
            raise Mishap(outcome)
        return outcome

    def _place(self, path: str, query: Mapping[str, str | int] | None) -> Endpoint:
        url = join(self.base, path)
        if query:
            url += f"{'&' if '?' in url else '?'}{urlencode(query)}"
        return replace(self.endpoint, url=url)


def unsure(fault: Fault) -> bool:
    """Tell whether the server may have done what it was asked, though it did not say so."""
    return fault.kind in {Kind.BROKEN, Kind.LATE} or (fault.status or 0) >= 500  # noqa: PLR2004  (the server errors)
