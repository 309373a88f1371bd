from pathlib import Path

import pytest
from sqlalchemy import text

from ragstone.errors import StoreError
from ragstone.providers.batches.log import BatchLogEntry
from ragstone.store import open_store

FIRST = BatchLogEntry(1, "openai", "gpt-4o-mini", "https://api.openai.com/v1", ("k-1", "l-1"), since=1000.5)
SECOND = BatchLogEntry(2, "openai", "gpt-4o-mini", "https://api.openai.com/v1", ("k-1",), since=2000.5)


def test_what_is_noted_is_there_for_the_next_process(store_url: str) -> None:
    batch_log = open_store(store_url).batch_log("run-1")
    batch_log.intend(FIRST)
    batch_log.submitted(1, "batch_1")
    batch_log.intend(SECOND)
    again = open_store(store_url).batch_log("run-1").entries()
    assert [(entry.number, entry.batch) for entry in again] == [(1, "batch_1"), (2, None)]
    assert again[1] == SECOND
    assert again[0].keys == FIRST.keys


def test_runs_do_not_see_each_others_batches_but_know_their_names(store_url: str) -> None:
    store = open_store(store_url)
    mine, other = store.batch_log("run-1"), store.batch_log("run-2")
    mine.intend(FIRST)
    mine.submitted(1, "batch_1")
    other.intend(FIRST)
    assert [entry.batch for entry in other.entries()] == [None]
    assert other.known() == frozenset({"batch_1"})


def test_what_was_never_taken_is_struck_out(store_url: str) -> None:
    batch_log = open_store(store_url).batch_log("run-1")
    batch_log.intend(FIRST)
    batch_log.forget(1)
    assert batch_log.entries() == []


def test_a_ledger_that_cannot_be_written_says_so(tmp_path: Path) -> None:
    store = open_store(tmp_path / "runs.sqlite3")
    with store._engine.begin() as connection:
        connection.execute(text("DROP TABLE batches"))
    with pytest.raises(StoreError, match="cannot be read: no such table"):
        store.batch_log("run-1").intend(FIRST)
