"""Batches from the first line to the last answer, at a vendor whose every word is decided here."""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest

from ragstone.errors import BatchOutOfReach
from ragstone.event import Batched
from ragstone.providers._fault import Fault, Kind
from ragstone.providers._transport import Endpoint, open_transport
from ragstone.providers.batches._batch import Label, Outcome, Standing, Undone
from ragstone.providers.batches._dispatch import Dispatch
from ragstone.providers.batches._errand import Errand, Mishap
from ragstone.providers.batches._ledger import Entry, Slate

GONE = Fault(Kind.ANSWERED, "it answered 404", again=False, status=404)
BROKEN = Fault(Kind.BROKEN, "it broke the connection", again=False)
AWAY = Fault(Kind.UNREACHED, "it cannot be reached")


@dataclass
class Vendor:
    """Echoes each request; `fates` meets the requests of a text first."""

    fates: dict[str, list[Outcome]] = field(default_factory=dict)
    looks: list[Any] = field(default_factory=list)
    made: dict[str, dict[str, bytes]] = field(default_factory=dict)
    found: str | None = None
    refusals: list[Fault] = field(default_factory=list)
    base: str = "http://vendor"
    most_requests: int = 100
    most_bytes: int = 1_000_000

    def line(self, key: str, body: bytes) -> bytes:
        return key.encode() + b" " + body

    async def submit(self, errand: Errand, lines: Sequence[bytes], label: Label) -> Standing:
        del errand, label
        if self.refusals:
            raise Mishap(self.refusals.pop(0))
        name = f"b{len(self.made) + 1}"
        pairs = (line.split(b" ", 1) for line in lines)
        self.made[name] = {key.decode(): body for key, body in pairs}
        return Standing(name, len(lines))

    async def look(self, errand: Errand, batch: str) -> Standing:
        del errand
        said = self.looks.pop(0) if self.looks else None
        if isinstance(said, Fault):
            raise Mishap(said)
        count = len(self.made.get(batch, ()))
        return Standing(batch, count, count, ended=True)

    async def results(self, errand: Errand, standing: Standing) -> Iterable[tuple[str, Outcome]]:
        del errand
        return [(key, self._fate(body)) for key, body in reversed(self.made[standing.id].items())]

    async def cancel(self, errand: Errand, batch: str) -> None:
        raise NotImplementedError

    async def find(self, errand: Errand, label: Label) -> Standing | None:
        del errand
        return None if self.found is None else Standing(self.found, len(label.keys))

    def _fate(self, body: bytes) -> Outcome:
        planned = self.fates.get(body.decode())
        return planned.pop(0) if planned else b"re: " + body


def ask(vendor: Vendor, texts: Sequence[str], **options: Any) -> list[bytes | Fault]:
    """Ask all at once, each as a worker; the answers in order."""

    async def main() -> list[bytes | Fault]:
        dispatch = Dispatch("run", interval=0.001, **options)
        place = Endpoint("vendor", "model", "http://vendor/ask", batches=vendor)

        async def one(text: str) -> bytes | Fault:
            with dispatch.roll.present():
                return await transport.send(place, text.encode())

        async with open_transport(dispatch=dispatch) as transport, dispatch.opened():
            return list(await asyncio.gather(*map(one, texts)))

    return asyncio.run(main())


def said(answers: Sequence[bytes | Fault]) -> list[str]:
    return [answer.decode() if isinstance(answer, bytes) else answer.message for answer in answers]


def test_all_that_is_asked_before_anybody_waits_is_one_batch_and_each_gets_their_own_answer() -> None:
    vendor, heard = Vendor(), list[Batched]()
    assert said(ask(vendor, ["a", "b", "c"], tell=heard.append)) == ["re: a", "re: b", "re: c"]
    assert len(vendor.made) == 1
    assert heard[-1] == Batched(1, "vendor:model", "b1", 3, 3, ended=True)


def test_equal_requests_have_keys_of_their_own() -> None:
    vendor = Vendor()
    assert said(ask(vendor, ["a", "a"])) == ["re: a", "re: a"]
    assert len(vendor.made["b1"]) == 2


def test_more_than_a_batch_holds_are_several() -> None:
    vendor = Vendor(most_requests=2)
    ask(vendor, list("abcde"))
    assert [len(lines) for lines in vendor.made.values()] == [2, 2, 1]


@pytest.mark.parametrize("undone", [Undone.EXPIRED, Undone.MISSING, Fault(Kind.ANSWERED, "it answered 500")])
def test_what_is_undone_travels_again_and_no_more_than_three_times(undone: Outcome) -> None:
    vendor = Vendor({"a": [undone, undone], "b": [undone, undone, undone]})
    good, bad = ask(vendor, ["a", "b"])
    assert good == b"re: a"
    assert isinstance(bad, Fault)
    assert len(vendor.made) == 3


def test_what_was_cancelled_while_we_waited_is_not_asked_again() -> None:
    vendor = Vendor({"a": [Undone.CANCELLED]})
    assert said(ask(vendor, ["a"])) == [
        "vendor: model in batch b1: a request was not answered: the batch was cancelled"
    ]
    assert len(vendor.made) == 1


def earlier(vendor: Vendor, texts: Sequence[str], *, heard: bool = True) -> Slate:
    """The ledger that a process leaves which submitted `texts` and died."""
    slate = Slate()
    ask(vendor, texts, ledger=slate)
    (entry,) = slate.entries()
    left = Slate()
    left.intend(
        Entry(1, entry.vendor, entry.model, entry.where, entry.keys, entry.since, "b1" if heard else None)
    )
    return left


def test_what_an_earlier_process_submitted_is_fetched_and_the_rest_is_submitted() -> None:
    vendor = Vendor()
    ledger = earlier(vendor, ["a", "b"])
    assert said(ask(vendor, ["a", "b", "c"], ledger=ledger)) == ["re: a", "re: b", "re: c"]
    assert [list(lines.values()) for lines in vendor.made.values()] == [[b"a", b"b"], [b"c"]]
    assert [entry.batch for entry in ledger.entries()] == ["b1", "b2"]


def test_a_batch_whose_name_was_never_heard_is_looked_for() -> None:
    vendor = Vendor()
    ledger = earlier(vendor, ["a"], heard=False)
    vendor.found = "b1"
    assert said(ask(vendor, ["a"], ledger=ledger)) == ["re: a"]
    assert len(vendor.made) == 1
    assert [entry.batch for entry in ledger.entries()] == ["b1"]


def test_a_batch_that_never_was_is_struck_out_and_submitted() -> None:
    vendor = Vendor()
    ledger = earlier(vendor, ["a"], heard=False)
    assert said(ask(vendor, ["a"], ledger=ledger)) == ["re: a"]
    assert [entry.batch for entry in ledger.entries()] == ["b2"]


def test_a_batch_that_the_vendor_has_deleted_is_submitted_anew() -> None:
    vendor = Vendor()
    ledger = earlier(vendor, ["a"])
    vendor.looks = [GONE]
    assert said(ask(vendor, ["a"], ledger=ledger)) == ["re: a"]
    assert len(vendor.made) == 2


def test_what_was_cancelled_between_two_processes_is_asked_again() -> None:
    vendor = Vendor()
    ledger = earlier(vendor, ["a"])
    vendor.fates = {"a": [Undone.CANCELLED]}
    assert said(ask(vendor, ["a"], ledger=ledger)) == ["re: a"]
    assert len(vendor.made) == 2


def test_a_vendor_that_is_away_for_a_while_is_waited_for() -> None:
    vendor = Vendor(looks=[AWAY, AWAY, AWAY])
    assert said(ask(vendor, ["a"])) == ["re: a"]


def test_a_batch_that_cannot_be_looked_at_stops_the_run_and_is_not_forgotten() -> None:
    vendor, ledger = Vendor(looks=[GONE]), Slate()
    with pytest.raises(ExceptionGroup) as caught:
        ask(vendor, ["a"], ledger=ledger)
    assert caught.group_contains(BatchOutOfReach, match=r"it answered 404\. Resume the run later")
    assert [entry.batch for entry in ledger.entries()] == ["b1"]


def test_a_submission_that_is_refused_is_forgotten_and_its_requests_are_told_why() -> None:
    vendor, ledger = Vendor(refusals=[GONE]), Slate()
    assert said(ask(vendor, ["a", "b"], ledger=ledger)) == ["it answered 404", "it answered 404"]
    assert ledger.entries() == []


def test_a_vendor_that_cannot_be_reached_stops_the_run_with_nothing_submitted() -> None:
    vendor, ledger = Vendor(refusals=[AWAY]), Slate()
    with pytest.raises(ExceptionGroup) as caught:
        ask(vendor, ["a"], ledger=ledger)
    assert caught.group_contains(BatchOutOfReach, match="it cannot be reached")
    assert ledger.entries() == []


def test_a_submission_of_unknown_fate_is_made_again_only_once_it_was_looked_for() -> None:
    vendor, ledger = Vendor(refusals=[BROKEN]), Slate()
    assert said(ask(vendor, ["a"], ledger=ledger)) == ["re: a"]
    assert [entry.batch for entry in ledger.entries()] == ["b1"]


def test_a_submission_whose_fate_stays_unknown_stays_in_the_ledger() -> None:
    vendor, ledger = Vendor(refusals=[BROKEN] * 3), Slate()
    with pytest.raises(ExceptionGroup) as caught:
        ask(vendor, ["a"], ledger=ledger)
    assert caught.group_contains(BatchOutOfReach, match="it broke the connection")
    assert [entry.batch for entry in ledger.entries()] == [None]


def test_a_ledger_that_cannot_be_written_ends_the_run_before_anything_is_submitted() -> None:
    class Broken(Slate):
        def intend(self, entry: Entry) -> None:
            del entry
            raise OSError("the disk is full")

    vendor = Vendor()
    with pytest.raises(ExceptionGroup) as caught:
        ask(vendor, ["a"], ledger=Broken())
    assert caught.group_contains(OSError, match="the disk is full")
    assert vendor.made == {}
