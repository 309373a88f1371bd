"""Anthropic's message batches: the requests travel in the call that makes the batch, the results are fetched as lines.

The vendor keeps no label with a batch, and tells the keys of its requests only once it has ended. Format:
https://docs.anthropic.com/en/api/creating-message-batches.
"""

import asyncio
import io
from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, TypeVar, cast

from pydantic import BaseModel, ValidationError
from pydantic_core import from_json, to_json

from ragstone.providers._fault import Fault, Kind, clean, from_status
from ragstone.providers.batches._batch import Label, Outcome, Standing, Undone
from ragstone.providers.batches._errand import Errand, Mishap

_M = TypeVar("_M", bound=BaseModel)

_PATH = "v1/messages/batches"
_STATUS = {
    "invalid_request_error": 400,
    "authentication_error": 401,
    "billing_error": 402,
    "permission_error": 403,
    "not_found_error": 404,
    "request_too_large": 413,
    "rate_limit_error": 429,
    "timeout_error": 504,
    "overloaded_error": 529,
}
_UNDONE = {"expired": Undone.EXPIRED, "canceled": Undone.CANCELLED}
_SLACK = 3600.0
"""Seconds by which the vendor's clock may differ from ours."""

_PAGE = 100


@dataclass(frozen=True, slots=True)
class AnthropicBatches:
    """Batches behind Anthropic's wire; `base` is where `/v1/messages` stands."""

    base: str
    most_requests: int = 100_000
    most_bytes: int = 256_000_000

    def line(self, key: str, body: bytes) -> bytes:
        """Return a request as an entry of the list."""
        return b'{"custom_id":"%s","params":%s}' % (key.encode(), body)

    async def submit(self, errand: Errand, lines: Sequence[bytes], label: Label) -> Standing:
        """Make a batch in one call, which must not be made twice."""
        del label
        body = b'{"requests":[%s]}' % b",".join(lines)
        return _standing(_read(_Batch, await errand.post(_PATH, body, once=True), errand))

    async def look(self, errand: Errand, batch: str) -> Standing:
        """Return how far a batch is."""
        return _standing(_read(_Batch, await errand.get(f"{_PATH}/{batch}"), errand))

    async def results(self, errand: Errand, standing: Standing) -> Iterable[tuple[str, Outcome]]:
        """Return what stands at `results`; no key follows `results_url`, an address that the server names."""
        file = await errand.get(standing.results[0]) if standing.results else b""
        return _outcomes(file, errand.about(standing.id), errand.endpoint.secrets)

    async def cancel(self, errand: Errand, batch: str) -> None:
        """Ask for no more of a batch."""
        await errand.post(f"{_PATH}/{batch}/cancel")

    async def find(self, errand: Errand, label: Label) -> Standing | None:
        """Return the batch that holds these requests: of those made since then, one as long, by its results' keys."""
        async for batch in self._made_since(errand, label.since - _SLACK):
            standing = _standing(batch)
            if standing.id in label.known or standing.total != len(label.keys):
                continue
            while not standing.ended:
                await asyncio.sleep(errand.interval)
                standing = await self.look(errand, standing.id)
            key = next((key for key, _ in await self.results(errand, standing)), None)
            if key in label.keys:
                return standing
        return None

    async def _made_since(self, errand: Errand, since: float) -> AsyncIterator["_Batch"]:
        query: dict[str, str | int] = {"limit": _PAGE}
        while True:
            page = _read(_Page, await errand.get(_PATH, query), errand)
            for batch in page.data:
                if batch.created_at < datetime.fromtimestamp(since, UTC):
                    return
                yield batch
            if not page.has_more or page.last_id is None:
                return
            query["after_id"] = page.last_id


def _standing(batch: "_Batch") -> Standing:
    counts = batch.request_counts
    ended = batch.processing_status == "ended"
    done = counts.succeeded + counts.errored + counts.canceled + counts.expired
    return Standing(
        batch.id,
        total=counts.processing + done,
        answered=done,
        ended=ended,
        results=(f"{_PATH}/{batch.id}/results",) if ended and batch.results_url else (),
    )


def _outcomes(file: bytes, where: str, secrets: tuple[str, ...]) -> Iterator[tuple[str, Outcome]]:
    for line in io.BytesIO(file):
        try:
            found: Any = from_json(line)
            key, result = found["custom_id"], found["result"]
        except (ValueError, KeyError, TypeError):
            continue  # whose it is cannot be told: it will be missed
        yield key, _outcome(cast("dict[str, Any]", result), where, secrets)


def _outcome(result: dict[str, Any], where: str, secrets: tuple[str, ...]) -> Outcome:
    kind = result.get("type")
    if kind == "succeeded":
        return to_json(result.get("message"))
    if kind in _UNDONE:
        return _UNDONE[kind]
    error: Any = result.get("error") or {}
    inner: Any = error.get("error") or error
    words = clean(str(inner.get("message") or inner or "no reason given"), secrets)
    return from_status(where, _STATUS.get(inner.get("type"), 500), words)


def _read(kind: type[_M], body: bytes, errand: Errand) -> _M:
    try:
        return kind.model_validate_json(body)
    except ValidationError as error:
        found = clean(body[:400].decode("utf-8", "replace"), errand.endpoint.secrets)
        message = (
            f"{errand.endpoint.provider}: at {errand.base} are no batches as Anthropic has them: {found!r}"
        )
        raise Mishap(Fault(Kind.ANSWERED, message, again=False)) from error


class _Counts(BaseModel):
    processing: int = 0
    succeeded: int = 0
    errored: int = 0
    canceled: int = 0
    expired: int = 0


class _Batch(BaseModel):
    id: str
    processing_status: str
    created_at: datetime
    request_counts: _Counts
    results_url: str | None = None


class _Page(BaseModel):
    data: tuple[_Batch, ...] = ()
    has_more: bool = False
    last_id: str | None = None
