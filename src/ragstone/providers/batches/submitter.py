"""One batch on its way: submitted for certain and once, looked at with growing pauses, its answers handed out."""

import asyncio
from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from time import monotonic, time
from typing import TypeVar

from ragstone.errors import BatchUnavailable
from ragstone.event import BatchProgress
from ragstone.providers.batches.api import BatchApi, BatchLabel, BatchStatus, Outcome, Unanswered
from ragstone.providers.batches.client import BatchApiClient, BatchApiError, outcome_unknown
from ragstone.providers.batches.log import BatchLog, BatchLogEntry
from ragstone.providers.batches.queue import PendingRequest
from ragstone.providers.http.failures import AttemptFailure, FailureKind

T = TypeVar("T")

_MAX_AGE = 26 * 3600.0
"""Seconds after which a batch must have ended: vendors allow a day."""

_FAILED_POLLS = 60
"""Looks in vain after which a vendor counts as out of reach."""

_FIRST_PAUSE, _GROWTH = 1.0, 1.5
_SUBMISSIONS = 3


@dataclass(frozen=True, slots=True)
class BatchSubmitter:
    """What every shipment to one vendor's model needs.

    Attributes:
        vendor: takes the batches.
        errand: calls the vendor.
        ledger: remembers what was submitted.
        again: takes requests that are to travel once more.
        tell: hears how far a batch is.
    """

    vendor: BatchApi
    client: BatchApiClient
    batch_log: BatchLog
    again: Callable[[list[PendingRequest]], None]
    emit: Callable[[BatchProgress], None]

    async def submit_and_wait(
        self, entry: BatchLogEntry, run: str, items: list[PendingRequest]
    ) -> list[PendingRequest]:
        """Submit `items`, wait, and hand out the answers. Returns those that were too much for the vendor's queue."""
        self.batch_log.intend(entry)
        with _stop_run_on_error(items):
            try:
                status = await self._submit(self._label(entry, run), [item.line for item in items])
            except BatchApiError as error:
                if outcome_unknown(error.failure):  # the entry stays: the next process looks for the batch
                    raise
                self.batch_log.forget(entry.number)
                if error.failure.again:
                    raise
                _fail_all(items, error.failure)
                return []
            self.batch_log.submitted(entry.number, status.id)
            status = await self._wait_until_ended(entry, status)
            if status.too_much and len(items) > 1:
                self.batch_log.forget(entry.number)
                return items
            await self._deliver(status, items, cancelled_again=False)
        return []

    async def fetch(self, entry: BatchLogEntry, run: str, items: list[PendingRequest]) -> None:
        """Wait for a batch of an earlier process, and hand out the answers to `items`."""
        with _stop_run_on_error(items):
            status = await self._recover(entry, run)
            if status is not None:
                status = await self._wait_until_ended(entry, status)
            if status is None or status.refused is not None:
                self.batch_log.forget(entry.number)
                self.again(items)
            else:
                await self._deliver(status, items, cancelled_again=True)

    async def _recover(self, entry: BatchLogEntry, run: str) -> BatchStatus | None:
        """Return a batch of an earlier process; None where there is none: that died too soon, or it was deleted."""
        if entry.batch is None:
            found = await self.vendor.find(self.client, self._label(entry, run))
            if found is not None:
                self.batch_log.submitted(entry.number, found.id)
            return found
        try:
            return await self.vendor.poll(self.client, entry.batch)
        except BatchApiError as error:
            if error.failure.status == 404:  # noqa: PLR2004  (not found)
                return None
            raise

    def _label(self, entry: BatchLogEntry, run: str) -> BatchLabel:
        return BatchLabel(run, entry.number, frozenset(entry.keys), entry.since, self.batch_log.known())

    async def _submit(self, label: BatchLabel, lines: list[bytes]) -> BatchStatus:
        """Submit once: where the vendor may have heard us without our hearing it, look before doing it again."""
        left = _SUBMISSIONS
        while True:
            try:
                return await self.vendor.submit(self.client, lines, label)
            except BatchApiError as error:
                left -= 1
                if not outcome_unknown(error.failure):
                    raise
                await asyncio.sleep(self._first_pause)
                found = await self._find(label, error)
                if found is not None:
                    return found
                if not left:
                    raise

    async def _find(self, label: BatchLabel, doubt: BatchApiError) -> BatchStatus | None:
        try:
            return await self.vendor.find(self.client, label)
        except BatchApiError:
            raise doubt from None  # which is as unsure as before

    @property
    def _first_pause(self) -> float:
        return min(_FIRST_PAUSE, self.client.interval)

    async def _wait_until_ended(self, entry: BatchLogEntry, status: BatchStatus) -> BatchStatus:
        """Look at a batch until it has ended, with growing pauses.

        Raises:
            Mishap: it cannot be looked at, or it does not end.
        """
        pause = self._first_pause
        while True:
            self._emit(entry, status)
            if status.ended:
                return status
            if time() - entry.since > _MAX_AGE:
                about = self.client.about(status.id)
                raise BatchApiError(
                    AttemptFailure(FailureKind.LATE, f"{about}: it has not ended within a day", again=False)
                )
            await asyncio.sleep(pause)
            pause = min(self.client.interval, _GROWTH * pause)
            status = await self._with_patience(partial(self.vendor.poll, self.client, status.id))

    async def _with_patience(self, call: Callable[[], Awaitable[T]]) -> T:
        """Return what `call` brings, though the vendor may be out of reach for a while: what waits is paid for."""
        until = monotonic() + _FAILED_POLLS * self.client.interval
        while True:
            try:
                return await call()
            except BatchApiError as error:
                if not error.failure.again or monotonic() > until:
                    raise
            await asyncio.sleep(self.client.interval)

    async def _deliver(
        self, status: BatchStatus, items: list[PendingRequest], *, cancelled_again: bool
    ) -> None:
        if status.refused is not None:
            _fail_all(items, status.refused)
            return
        outcomes = await self._with_patience(partial(self.vendor.results, self.client, status))
        left = {item.key: item for item in items}
        found = [(item, outcome) for key, outcome in outcomes if (item := left.pop(key, None)) is not None]
        missed: list[tuple[PendingRequest, Outcome]] = [(item, Unanswered.MISSING) for item in left.values()]
        where = self.client.about(status.id)
        self.again(
            [
                item
                for item, outcome in (*found, *missed)
                if not item.resolve(outcome, where, cancelled_again=cancelled_again)
            ]
        )

    def _emit(self, entry: BatchLogEntry, status: BatchStatus) -> None:
        judge, total = f"{entry.vendor}:{entry.model}", status.total or len(entry.keys)
        self.emit(BatchProgress(entry.number, judge, status.id, status.answered, total, ended=status.ended))


def _fail_all(items: list[PendingRequest], failure: AttemptFailure) -> None:
    for item in items:
        item.give(failure)


@contextmanager
def _stop_run_on_error(items: list[PendingRequest]) -> Generator[None]:
    """Have the run stop where a batch that is paid for cannot be fetched: a later process may."""
    try:
        yield
    except BatchApiError as error:
        error = BatchUnavailable(
            f"{error.failure.message}. Resume the run later: what is answered by then is fetched."
        )
        for item in items:
            item.fail(error)
