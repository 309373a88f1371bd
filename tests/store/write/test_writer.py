import asyncio
import sqlite3
import threading
import time
from collections.abc import Sequence

import pytest
from sqlalchemy.exc import OperationalError
from tests.testing.for_each import for_each

from ragstone.errors import StoreError
from ragstone.store.write.writer import MOST, Writer


class Slow:
    """Takes its time; remembers batches."""

    def __init__(self, *failures: Exception) -> None:
        self.batches: list[list[object]] = []
        self.failures = list(failures)
        self.go = threading.Event()
        self.go.set()

    def __call__(self, items: Sequence[object]) -> None:
        self.go.wait(10)
        if self.failures:
            raise self.failures.pop(0)
        self.batches.append(list(items))


def test_everything_is_written_in_order_and_in_few_batches() -> None:
    slow = Slow()
    writer = Writer(slow, "here")
    for number in range(5000):
        writer.add(number)
    writer.close()
    assert [item for batch in slow.batches for item in batch] == list(range(5000))
    assert all(len(batch) <= MOST for batch in slow.batches)


def test_add_blocks_at_the_limit_of_unwritten_items() -> None:
    slow, added = Slow(), 0
    slow.go.clear()
    writer = Writer(slow, "here")

    def add() -> None:
        nonlocal added
        for number in range(2 * MOST):
            writer.add(number)
            added += 1

    thread = threading.Thread(target=add)
    thread.start()
    while added < MOST:
        time.sleep(0.01)
    time.sleep(0.2)
    assert added == MOST
    slow.go.set()
    thread.join(10)
    asyncio.run(writer.written())
    assert sum(map(len, slow.batches)) == 2 * MOST
    writer.close()


def test_single_item_is_written_without_waiting() -> None:
    slow = Slow()
    writer = Writer(slow, "here")
    writer.add("only")
    asyncio.run(writer.written())
    assert slow.batches == [["only"]]
    writer.close()


def test_locked_database_is_retried() -> None:
    slow = Slow(*[OperationalError("x", {}, sqlite3.OperationalError("database is locked"))] * 2)
    writer = Writer(slow, "here")
    writer.add("item")
    writer.close()
    assert slow.batches == [["item"]]


@for_each(
    "failure",
    [
        OperationalError("x", {}, sqlite3.OperationalError("database or disk is full")),
        ZeroDivisionError("oops"),
    ],
)
def test_write_failure_is_raised_on_later_calls(failure: Exception) -> None:
    writer = Writer(Slow(failure), "here")
    writer.add("item")
    with pytest.raises(
        StoreError, match=r"The store here cannot accept more results \((database or disk is full|oops)\)"
    ):
        asyncio.run(writer.written())
    with pytest.raises(StoreError):
        writer.add("another")
    with pytest.raises(StoreError):
        writer.close()


def test_locked_database_raises_store_error_after_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ragstone.store.write.writer._RETRY_TIMEOUT_SECONDS", 0.3)
    writer = Writer(
        Slow(*[OperationalError("x", {}, sqlite3.OperationalError("database is locked"))] * 100), "here"
    )
    writer.add("item")
    with pytest.raises(StoreError, match="database is locked"):
        writer.close()
