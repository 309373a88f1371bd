"""Batches from the first line to the last answer, at a vendor whose every word is decided here."""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest
from tests.testing.for_each import for_each

from ragstone.errors import BatchUnavailable
from ragstone.event import BatchProgress
from ragstone.providers.batches.api import (
    BatchApiError,
    BatchClient,
    BatchLabel,
    BatchStatus,
    Outcome,
    Unanswered,
)
from ragstone.providers.batches.log import BatchLogEntry, InMemoryBatchLog
from ragstone.providers.batches.scheduler import BatchScheduler
from ragstone.providers.http.endpoint import Endpoint
from ragstone.providers.http.failures import AttemptFailure, FailureKind
from ragstone.providers.http.transport import open_transport

GONE = AttemptFailure(FailureKind.ANSWERED, "it answered 404", again=False, status=404)
BROKEN = AttemptFailure(FailureKind.BROKEN, "it broke the connection", again=False)
AWAY = AttemptFailure(FailureKind.UNREACHED, "it cannot be reached")


@dataclass
class Vendor:
    """Echoes each request; `fates` meets the requests of a text first."""

    fates: dict[str, list[Outcome]] = field(default_factory=dict)
    looks: list[Any] = field(default_factory=list)
    made: dict[str, dict[str, bytes]] = field(default_factory=dict)
    found: str | None = None
    refusals: list[AttemptFailure] = field(default_factory=list)
    base: str = "http://vendor"
    max_requests: int = 100
    max_bytes: int = 1_000_000

    def line(self, key: str, body: bytes) -> bytes:
        return key.encode() + b" " + body

    async def submit(self, client: BatchClient, lines: Sequence[bytes], label: BatchLabel) -> BatchStatus:
        del client, label
        if self.refusals:
            raise BatchApiError(self.refusals.pop(0))
        name = f"b{len(self.made) + 1}"
        pairs = (line.split(b" ", 1) for line in lines)
        self.made[name] = {key.decode(): body for key, body in pairs}
        return BatchStatus(name, len(lines))

    async def poll(self, client: BatchClient, batch: str) -> BatchStatus:
        del client
        said = self.looks.pop(0) if self.looks else None
        if isinstance(said, AttemptFailure):
            raise BatchApiError(said)
        count = len(self.made.get(batch, ()))
        return BatchStatus(batch, count, count, ended=True)

    async def results(self, client: BatchClient, status: BatchStatus) -> Iterable[tuple[str, Outcome]]:
        del client
        return [(key, self._fate(body)) for key, body in reversed(self.made[status.id].items())]

    async def cancel(self, client: BatchClient, batch: str) -> None:
        raise NotImplementedError

    async def find(self, client: BatchClient, label: BatchLabel) -> BatchStatus | None:
        del client
        return None if self.found is None else BatchStatus(self.found, len(label.keys))

    def _fate(self, body: bytes) -> Outcome:
        planned = self.fates.get(body.decode())
        return planned.pop(0) if planned else b"re: " + body


def ask(vendor: Vendor, texts: Sequence[str], **options: Any) -> list[bytes | AttemptFailure]:
    """Ask all at once, each as a worker; the answers in order."""

    async def main() -> list[bytes | AttemptFailure]:
        batch_scheduler = BatchScheduler("run", interval=0.001, **options)
        place = Endpoint("vendor", "model", "http://vendor/ask", batches=vendor)

        async def one(text: str) -> bytes | AttemptFailure:
            with batch_scheduler.activity.active():
                return await transport.send(place, text.encode())

        async with open_transport(batch_scheduler=batch_scheduler) as transport, batch_scheduler.opened():
            return list(await asyncio.gather(*map(one, texts)))

    return asyncio.run(main())


def said(answers: Sequence[bytes | AttemptFailure]) -> list[str]:
    return [answer.decode() if isinstance(answer, bytes) else answer.message for answer in answers]


def test_concurrent_requests_share_one_batch() -> None:
    vendor, heard = Vendor(), list[BatchProgress]()
    assert said(ask(vendor, ["a", "b", "c"], emit=heard.append)) == ["re: a", "re: b", "re: c"]
    assert len(vendor.made) == 1
    assert heard[-1] == BatchProgress(1, "vendor:model", "b1", 3, 3, ended=True)


def test_equal_requests_have_keys_of_their_own() -> None:
    vendor = Vendor()
    assert said(ask(vendor, ["a", "a"])) == ["re: a", "re: a"]
    assert len(vendor.made["b1"]) == 2


def test_requests_beyond_max_requests_are_split_into_batches() -> None:
    vendor = Vendor(max_requests=2)
    ask(vendor, list("abcde"))
    assert [len(lines) for lines in vendor.made.values()] == [2, 2, 1]


@for_each(
    "undone",
    [Unanswered.EXPIRED, Unanswered.MISSING, AttemptFailure(FailureKind.ANSWERED, "it answered 500")],
)
def test_unanswered_requests_are_submitted_at_most_three_times(undone: Outcome) -> None:
    vendor = Vendor({"a": [undone, undone], "b": [undone, undone, undone]})
    good, bad = ask(vendor, ["a", "b"])
    assert good == b"re: a"
    assert isinstance(bad, AttemptFailure)
    assert len(vendor.made) == 3


def test_request_cancelled_during_the_run_is_not_resubmitted() -> None:
    vendor = Vendor({"a": [Unanswered.CANCELLED]})
    assert said(ask(vendor, ["a"])) == [
        "vendor: model in batch b1: a request was not answered: the batch was cancelled"
    ]
    assert len(vendor.made) == 1


def interrupted_log(vendor: Vendor, texts: Sequence[str], *, heard: bool = True) -> InMemoryBatchLog:
    """The batch log of a process that submitted `texts` and died."""
    batch_log = InMemoryBatchLog()
    ask(vendor, texts, batch_log=batch_log)
    (entry,) = batch_log.entries()
    left = InMemoryBatchLog()
    left.intend(
        BatchLogEntry(
            1, entry.vendor, entry.model, entry.where, entry.keys, entry.since, "b1" if heard else None
        )
    )
    return left


def test_logged_batch_is_fetched_and_the_rest_submitted() -> None:
    vendor = Vendor()
    batch_log = interrupted_log(vendor, ["a", "b"])
    assert said(ask(vendor, ["a", "b", "c"], batch_log=batch_log)) == ["re: a", "re: b", "re: c"]
    assert [list(lines.values()) for lines in vendor.made.values()] == [[b"a", b"b"], [b"c"]]
    assert [entry.batch for entry in batch_log.entries()] == ["b1", "b2"]


def test_logged_batch_without_an_id_is_looked_up() -> None:
    vendor = Vendor()
    batch_log = interrupted_log(vendor, ["a"], heard=False)
    vendor.found = "b1"
    assert said(ask(vendor, ["a"], batch_log=batch_log)) == ["re: a"]
    assert len(vendor.made) == 1
    assert [entry.batch for entry in batch_log.entries()] == ["b1"]


def test_logged_batch_that_is_not_found_is_resubmitted() -> None:
    vendor = Vendor()
    batch_log = interrupted_log(vendor, ["a"], heard=False)
    assert said(ask(vendor, ["a"], batch_log=batch_log)) == ["re: a"]
    assert [entry.batch for entry in batch_log.entries()] == ["b2"]


def test_a_batch_that_the_vendor_has_deleted_is_submitted_anew() -> None:
    vendor = Vendor()
    batch_log = interrupted_log(vendor, ["a"])
    vendor.looks = [GONE]
    assert said(ask(vendor, ["a"], batch_log=batch_log)) == ["re: a"]
    assert len(vendor.made) == 2


def test_request_cancelled_before_resuming_is_resubmitted() -> None:
    vendor = Vendor()
    batch_log = interrupted_log(vendor, ["a"])
    vendor.fates = {"a": [Unanswered.CANCELLED]}
    assert said(ask(vendor, ["a"], batch_log=batch_log)) == ["re: a"]
    assert len(vendor.made) == 2


def test_unreachable_vendor_is_polled_again() -> None:
    vendor = Vendor(looks=[AWAY, AWAY, AWAY])
    assert said(ask(vendor, ["a"])) == ["re: a"]


def test_failed_poll_stops_the_run_and_keeps_the_log_entry() -> None:
    vendor, batch_log = Vendor(looks=[GONE]), InMemoryBatchLog()
    with pytest.raises(ExceptionGroup) as caught:
        ask(vendor, ["a"], batch_log=batch_log)
    assert caught.group_contains(BatchUnavailable, match=r"it answered 404\. Resume the run later")
    assert [entry.batch for entry in batch_log.entries()] == ["b1"]


def test_refused_submission_fails_its_requests_without_log_entry() -> None:
    vendor, batch_log = Vendor(refusals=[GONE]), InMemoryBatchLog()
    assert said(ask(vendor, ["a", "b"], batch_log=batch_log)) == ["it answered 404", "it answered 404"]
    assert batch_log.entries() == []


def test_unreachable_vendor_at_submission_stops_the_run() -> None:
    vendor, batch_log = Vendor(refusals=[AWAY]), InMemoryBatchLog()
    with pytest.raises(ExceptionGroup) as caught:
        ask(vendor, ["a"], batch_log=batch_log)
    assert caught.group_contains(BatchUnavailable, match="it cannot be reached")
    assert batch_log.entries() == []


def test_submission_with_broken_connection_is_retried() -> None:
    vendor, batch_log = Vendor(refusals=[BROKEN]), InMemoryBatchLog()
    assert said(ask(vendor, ["a"], batch_log=batch_log)) == ["re: a"]
    assert [entry.batch for entry in batch_log.entries()] == ["b1"]


def test_submission_broken_three_times_stays_in_the_batch_log() -> None:
    vendor, batch_log = Vendor(refusals=[BROKEN] * 3), InMemoryBatchLog()
    with pytest.raises(ExceptionGroup) as caught:
        ask(vendor, ["a"], batch_log=batch_log)
    assert caught.group_contains(BatchUnavailable, match="it broke the connection")
    assert [entry.batch for entry in batch_log.entries()] == [None]


def test_unwritable_batch_log_stops_the_run_before_submission() -> None:
    class Broken(InMemoryBatchLog):
        def intend(self, entry: BatchLogEntry) -> None:
            del entry
            raise OSError("the disk is full")

    vendor = Vendor()
    with pytest.raises(ExceptionGroup) as caught:
        ask(vendor, ["a"], batch_log=Broken())
    assert caught.group_contains(OSError, match="the disk is full")
    assert vendor.made == {}
