import asyncio
import gc
import os
import sqlite3
import sys
import warnings
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from ragstone.judges.cache import answer_cache
from ragstone.judges.cache.answer_cache import AnswerCache
from ragstone.judges.cache.sqlite_file import CacheWarning

pytestmark = pytest.mark.anyio
KEY, OTHER = b"k" * 32, b"o" * 32


def cache(path: Path, max_bytes: int = 2**20) -> AnswerCache:
    return AnswerCache(path / "deep" / "answers.sqlite3", max_bytes=max_bytes)


def written(path: Path, **texts: str) -> AnswerCache:
    """A cache that another process, so to say, has filled."""
    before = cache(path)
    for key, text in texts.items():
        before.write(key.encode(), text)
    before.close()
    return cache(path)


@pytest.mark.skipif(os.name == "nt", reason="Windows has other permissions")
def test_a_cache_is_readable_by_its_user_alone(tmp_path: Path) -> None:
    answers = written(tmp_path, a="text")
    assert answers.read(b"a") == "text"
    files = sorted((tmp_path / "deep").iterdir())
    assert {file.name: file.stat().st_mode & 0o777 for file in files} == dict.fromkeys(
        ("answers.sqlite3", "answers.sqlite3-shm", "answers.sqlite3-wal"), 0o600
    )
    assert (tmp_path / "deep").stat().st_mode & 0o777 == 0o700
    answers.close()


def test_written_answers_are_read_by_another_cache(tmp_path: Path) -> None:
    found = written(tmp_path, a="\u00e4\x00\ud800", b="b")
    assert (found.read(b"a"), found.read(b"b"), found.read(b"c")) == ("\u00e4\x00\ud800", "b", None)
    found.write(b"a", "new")
    found.close()
    assert found.read(b"a") == "new"
    found.drop(b"a")
    found.close()
    assert found.read(b"a") is None


def test_garbage_collected_cache_closes_its_connections(tmp_path: Path) -> None:
    opened: list[sqlite3.Connection] = []
    found = cache(tmp_path)
    found._database.read(opened.append)
    assert opened[0].execute("SELECT 1").fetchone() == (1,)
    del found
    gc.collect()
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        opened[0].execute("SELECT 1")


def test_cache_in_a_reference_cycle_is_closed_without_warning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From Python 3.13 on, an open connection that the collector finalizes before it is closed is warned of."""
    complaints: list[object] = []
    monkeypatch.setattr(sys, "unraisablehook", lambda told: complaints.append(told.exc_value))
    opened: list[sqlite3.Connection] = []
    found = cache(tmp_path)
    found._database.read(opened.append)
    cycle: list[object] = [found]
    cycle.append(cycle)
    del found
    gc.collect()  # what is reached by itself, as the connection is now, comes before what is reached through others
    opened.clear()
    del cycle
    gc.collect()
    assert not complaints


@pytest.mark.parametrize("damage", ["text = 'x'", "text = x'00'", "checksum = x'00'"])
def test_an_entry_that_was_tampered_with_is_dropped(tmp_path: Path, damage: str) -> None:
    found = written(tmp_path, a="a", b="b")
    with sqlite3.connect(found.path) as db:
        db.execute(f"UPDATE answers SET {damage} WHERE key = ?", (b"a",))  # noqa: S608  (the test's own words)
    db.close()
    assert found.read(b"a") is None
    found.close()
    with sqlite3.connect(found.path) as db:
        assert [row[0] for row in db.execute("SELECT key FROM answers")] == [b"b"]
    db.close()


@pytest.mark.parametrize("keep", [0.3, 0.6, 0.99])
def test_a_torn_file_is_moved_aside_and_begun_anew(tmp_path: Path, keep: float) -> None:
    texts = {f"key{number}": "text " * 500 for number in range(60)}
    found = written(tmp_path, **texts)
    content = found.path.read_bytes()
    found.path.write_bytes(
        content[: int(len(content) * keep)].replace(b"text text", b"\x00\xff\x13\x37 ugh!")
    )
    with warnings.catch_warnings(record=True):
        warnings.simplefilter("always")
        survivors = [found.read(key.encode()) for key in texts]
        found.write(KEY, "after")
        found.close()
        assert cache(tmp_path).read(KEY) == "after"
    assert set(survivors) <= {"text " * 500, None}


@pytest.mark.filterwarnings("ignore::ragstone.judges.cache.sqlite_file.CacheWarning")
def test_threads_that_meet_a_torn_file_repair_it_once(tmp_path: Path) -> None:
    keys = [f"key{number}" for number in range(60)]
    found = written(tmp_path, **dict.fromkeys(keys, "text " * 500))
    content = found.path.read_bytes()
    found.path.write_bytes(content[: len(content) // 2].replace(b"text text", b"\x00\xff\x13\x37 ugh!"))

    def read_all() -> None:
        for key in keys:
            found.read(key.encode())

    with ThreadPoolExecutor(3) as pool:
        for reading in [pool.submit(read_all) for _ in range(3)]:
            reading.result()
    found.write(KEY, "after")
    found.close()
    assert found.read(KEY) == "after"
    found.close()


def test_invalid_database_file_warns_and_is_moved_aside(tmp_path: Path) -> None:
    found = cache(tmp_path)
    found.path.parent.mkdir()
    found.path.write_bytes(b"not a database at all, though long enough to look like one" * 40)
    with pytest.warns(CacheWarning, match=r"is damaged .* moved to .*answers\.sqlite3\.damaged"):
        assert found.read(KEY) is None
    found.write(KEY, "after")
    found.close()
    assert cache(tmp_path).read(KEY) == "after"
    assert found.path.with_name("answers.sqlite3.damaged").read_bytes().startswith(b"not a database")


async def test_unwritable_cache_warns_and_grants_the_claim(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("here stands a file, no folder")
    found = AnswerCache(blocked / "answers.sqlite3", max_bytes=1000)
    with pytest.warns(CacheWarning, match="cannot be used"):
        assert found.read(KEY) is None
    with pytest.warns(CacheWarning, match="cannot be used"):
        assert await found.claim(KEY)


def test_least_recently_used_answers_are_evicted_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 1_000_000.0
    monkeypatch.setattr(answer_cache, "time", lambda: now)
    found = cache(tmp_path, max_bytes=50_000)
    for number in range(40):
        now += 100
        found.write(f"{number}".encode(), "x" * 1000)
    found.close()
    now += 100
    assert found.read(b"0") is not None  # used again just now
    for number in range(40, 60):
        now += 100
        found.write(f"{number}".encode(), "x" * 1000)
    found.close()
    left = [number for number in range(60) if found.read(f"{number}".encode()) is not None]
    assert left[0] == 0
    assert left[1:] == list(range(60 - len(left) + 1, 60))
    assert 35 <= len(left) <= 45


async def test_a_claim_is_given_once_and_lasts_no_longer_than_it_may(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 1_000_000.0
    monkeypatch.setattr(answer_cache, "time", lambda: now)
    first, second = cache(tmp_path), cache(tmp_path)
    assert [await first.claim(KEY), await second.claim(KEY), await second.claim(OTHER)] == [True, False, True]
    now += answer_cache.CLAIM_SECONDS + 1
    assert [await second.claim(KEY), await first.claim(KEY)] == [True, False]
    second.release(KEY)
    second.close()
    assert await first.claim(KEY)
    first.write(KEY, "text")
    first.close()
    assert await second.claim(KEY)


async def test_200_concurrent_claims_are_granted(tmp_path: Path) -> None:
    found = cache(tmp_path)
    claims = await asyncio.gather(*(found.claim(bytes([number])) for number in range(200)))
    assert all(claims)


def test_a_file_of_another_layout_is_emptied(tmp_path: Path) -> None:
    found = written(tmp_path, a="a")
    with sqlite3.connect(found.path) as db:
        db.execute("PRAGMA user_version = 99")
    db.close()
    assert cache(tmp_path).read(b"a") is None
