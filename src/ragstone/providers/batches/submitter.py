"""Submits a batch exactly once, polls it with growing pauses, and delivers its results."""

import asyncio
from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from time import monotonic, time
from typing import TypeVar

from ragstone.errors import BatchUnavailable
from ragstone.event import BatchProgress
from ragstone.providers.batches.api import (
    BatchApi,
    BatchApiError,
    BatchClient,
    BatchLabel,
    BatchStatus,
    Outcome,
    Unanswered,
)
from ragstone.providers.batches.client import outcome_unknown
from ragstone.providers.batches.log import BatchLog, BatchLogEntry
from ragstone.providers.http.failures import AttemptFailure, FailureKind

T = TypeVar("T")

_MAX_AGE_SECONDS = 26 * 3600.0
"""Seconds after which a batch must have ended: vendors promise a day."""

_MAX_FAILED_POLLS = 60
"""Failed polls after which a vendor counts as unavailable."""

_FIRST_PAUSE_SECONDS, _PAUSE_GROWTH = 1.0, 1.5
_MAX_SUBMISSIONS = 3
_MAX_BATCHES = 3
"""Most batches that one request is submitted in."""


@dataclass(slots=True, eq=False)
class PendingRequest:
    """A request without an answer yet: its key, its line of the batch, the number of batches it was submitted in."""

    key: str
    line: bytes
    answer: "asyncio.Future[bytes | AttemptFailure]"
    tries: int = 0

    def resolve(self, outcome: Outcome, where: str, *, cancelled_again: bool) -> bool:
        """Set the answer from the batch's outcome; return False if the request is to be submitted again instead."""
        self.tries += 1
        if isinstance(outcome, Unanswered):
            again = cancelled_again or outcome is not Unanswered.CANCELLED
            outcome = AttemptFailure(FailureKind.ANSWERED, f"{where}: a request {outcome.value}", again=again)
        if isinstance(outcome, AttemptFailure) and outcome.again and self.tries < _MAX_BATCHES:
            return False
        self.give(outcome)
        return True

    def give(self, answer: bytes | AttemptFailure) -> None:
        """Set the answer, unless the caller was cancelled."""
        if not self.answer.done():
            self.answer.set_result(answer)

    def fail(self, error: Exception) -> None:
        """Raise `error` in the caller."""
        if not self.answer.done():
            self.answer.set_exception(error)


@dataclass(frozen=True, slots=True)
class BatchSubmitter:
    """Submits batches to one vendor's model; `resubmit` takes the requests that must be submitted again."""

    vendor: BatchApi
    client: BatchClient
    batch_log: BatchLog
    resubmit: Callable[[list[PendingRequest]], None]
    emit: Callable[[BatchProgress], object]

    async def submit_and_wait(
        self, entry: BatchLogEntry, run: str, items: list[PendingRequest]
    ) -> list[PendingRequest]:
        """Submit requests, wait, deliver the answers. Returns the requests if they were too many for the queue."""
        self.batch_log.intend(entry)
        with _stop_run_on_error(items):
            try:
                status = await self._submit(self._label(entry, run), [item.line for item in items])
            except BatchApiError as error:
                if outcome_unknown(error.failure):  # the entry stays: the next process searches for the batch
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

    async def resume(self, entry: BatchLogEntry, run: str, items: list[PendingRequest]) -> None:
        """Wait for a batch of an earlier process and deliver its answers."""
        with _stop_run_on_error(items):
            status = await self._recover(entry, run)
            if status is not None:
                status = await self._wait_until_ended(entry, status)
            if status is None or status.refused is not None:
                self.batch_log.forget(entry.number)
                self.resubmit(items)
            else:
                await self._deliver(status, items, cancelled_again=True)

    async def _recover(self, entry: BatchLogEntry, run: str) -> BatchStatus | None:
        """Return the status of an earlier process's batch; None if it was never submitted, or was deleted."""
        if entry.batch is None:
            status = await self.vendor.find(self.client, self._label(entry, run))
            if status is not None:
                self.batch_log.submitted(entry.number, status.id)
            return status
        try:
            return await self.vendor.poll(self.client, entry.batch)
        except BatchApiError as error:
            if error.failure.status == 404:  # noqa: PLR2004  (not found)
                return None
            raise

    def _label(self, entry: BatchLogEntry, run: str) -> BatchLabel:
        return BatchLabel(run, entry.number, frozenset(entry.keys), entry.since, self.batch_log.known())

    async def _submit(self, label: BatchLabel, lines: list[bytes]) -> BatchStatus:
        """Submit exactly once: if the request may have arrived, search for the batch before repeating it."""
        attempts_left = _MAX_SUBMISSIONS
        while True:
            try:
                return await self.vendor.submit(self.client, lines, label)
            except BatchApiError as error:
                attempts_left -= 1
                if not outcome_unknown(error.failure):
                    raise
                await asyncio.sleep(self._first_pause)
                try:
                    status = await self.vendor.find(self.client, label)
                except BatchApiError:
                    raise error from None  # still unknown
                if status is not None:
                    return status
                if not attempts_left:
                    raise

    @property
    def _first_pause(self) -> float:
        return min(_FIRST_PAUSE_SECONDS, self.client.interval)

    async def _wait_until_ended(self, entry: BatchLogEntry, status: BatchStatus) -> BatchStatus:
        pause = self._first_pause
        while True:
            self._emit(entry, status)
            if status.ended:
                return status
            if time() - entry.since > _MAX_AGE_SECONDS:
                about = self.client.about(status.id)
                raise BatchApiError(
                    AttemptFailure(FailureKind.LATE, f"{about}: it has not ended within a day", again=False)
                )
            await asyncio.sleep(pause)
            pause = min(self.client.interval, _PAUSE_GROWTH * pause)
            status = await self._retry_while_unavailable(partial(self.vendor.poll, self.client, status.id))

    async def _retry_while_unavailable(self, call: Callable[[], Awaitable[T]]) -> T:
        """Repeat `call` while the vendor is unavailable for a time: the batch is paid for."""
        deadline = monotonic() + _MAX_FAILED_POLLS * self.client.interval
        while True:
            try:
                return await call()
            except BatchApiError as error:
                if not error.failure.again or monotonic() > deadline:
                    raise
            await asyncio.sleep(self.client.interval)

    async def _deliver(
        self, status: BatchStatus, items: list[PendingRequest], *, cancelled_again: bool
    ) -> None:
        if status.refused is not None:
            _fail_all(items, status.refused)
            return
        outcomes = await self._retry_while_unavailable(partial(self.vendor.results, self.client, status))
        by_key = {item.key: item for item in items}
        done: list[tuple[PendingRequest, Outcome]] = [
            (item, outcome) for key, outcome in outcomes if (item := by_key.pop(key, None)) is not None
        ]
        done += [(item, Unanswered.MISSING) for item in by_key.values()]
        resolve = partial(PendingRequest.resolve, where=self.client.about(status.id))
        open_ = [
            item for item, outcome in done if not resolve(item, outcome, cancelled_again=cancelled_again)
        ]
        self.resubmit(open_)

    def _emit(self, entry: BatchLogEntry, status: BatchStatus) -> None:
        judge, total = f"{entry.vendor}:{entry.model}", status.total or len(entry.keys)
        self.emit(BatchProgress(entry.number, judge, status.id, status.answered, total, ended=status.ended))


def _fail_all(items: list[PendingRequest], failure: AttemptFailure) -> None:
    for item in items:
        item.give(failure)


@contextmanager
def _stop_run_on_error(items: list[PendingRequest]) -> Generator[None]:
    """Stop the run if a submitted batch cannot be fetched: a resumed run can fetch it."""
    try:
        yield
    except BatchApiError as error:
        unavailable = BatchUnavailable(f"{error.failure.message}. Resume the run later to fetch the answers.")
        for item in items:
            item.fail(unavailable)
