from pathlib import Path

import pytest
from sqlalchemy import text

from ragstone.errors import StoreError
from ragstone.providers.batches.log import BatchLogEntry
from ragstone.store import open_store

FIRST = BatchLogEntry(1, "openai", "gpt-4o-mini", "https://api.openai.com/v1", ("k-1", "l-1"), since=1000.5)
SECOND = BatchLogEntry(2, "openai", "gpt-4o-mini", "https://api.openai.com/v1", ("k-1",), since=2000.5)


def test_batch_log_entries_are_read_by_another_store(store_url: str) -> None:
    batch_log = open_store(store_url).batch_log("run-1")
    batch_log.intend(FIRST)
    batch_log.submitted(1, "batch_1")
    batch_log.intend(SECOND)
    again = open_store(store_url).batch_log("run-1").entries()
    assert [(entry.number, entry.batch) for entry in again] == [(1, "batch_1"), (2, None)]
    assert again[1] == SECOND
    assert again[0].keys == FIRST.keys


def test_batch_log_entries_are_per_run_but_names_are_shared(store_url: str) -> None:
    store = open_store(store_url)
    mine, other = store.batch_log("run-1"), store.batch_log("run-2")
    mine.intend(FIRST)
    mine.submitted(1, "batch_1")
    other.intend(FIRST)
    assert [entry.batch for entry in other.entries()] == [None]
    assert other.known() == frozenset({"batch_1"})


def test_forget_removes_an_entry(store_url: str) -> None:
    batch_log = open_store(store_url).batch_log("run-1")
    batch_log.intend(FIRST)
    batch_log.forget(1)
    assert batch_log.entries() == []


def test_batch_log_without_table_raises_store_error(tmp_path: Path) -> None:
    store = open_store(tmp_path / "runs.sqlite3")
    with store._engine.begin() as connection:
        connection.execute(text("DROP TABLE batches"))
    with pytest.raises(StoreError, match="cannot be read: no such table"):
        store.batch_log("run-1").intend(FIRST)
