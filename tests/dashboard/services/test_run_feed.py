"""Whoever looks is told the newest state; whoever was away too long is told to read anew. Nobody makes memory grow."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest
from tests.dashboard.runs import CASES, keep

from ragstone.dashboard.services import run_feed
from ragstone.dashboard.services.figures_cache import FiguresCache
from ragstone.dashboard.services.run_feed import RunFeed, RunUpdate
from ragstone.store import Store, StoredRun, open_store


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return open_store(tmp_path / "runs.sqlite3")


async def _first(followed: AsyncIterator[RunUpdate | None]) -> RunUpdate:
    async for update in followed:
        if update is not None:
            return update
    raise AssertionError


def _live_on(store: Store, ask: Callable[[RunFeed, StoredRun], Coroutine[Any, Any, None]]) -> None:
    async def main() -> None:
        live = RunFeed(store, FiguresCache(store))
        try:
            await ask(live, store.find("last"))
        finally:
            live.close()
            await asyncio.sleep(0)

    asyncio.run(main())


def test_followers_of_a_run_share_one_rendered_update(store: Store) -> None:
    keep(store)

    async def ask(live: RunFeed, stored: StoredRun) -> None:
        told = await asyncio.gather(*(_first(live.follow(stored, 0)) for _ in range(20)))
        assert len({id(update.drawn) for update in told}) == 1
        assert {len(update.rows) for update in told} == {CASES}
        assert not told[0].whole

    _live_on(store, ask)


def test_follower_behind_the_kept_rows_gets_a_whole_update(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run_feed, "KEPT", 3)
    keep(store)

    async def ask(live: RunFeed, stored: StoredRun) -> None:
        behind = await _first(live.follow(stored, 0))
        assert (len(behind.rows), behind.whole) == (3, True)
        serial = behind.serial
        up_to_date = await _first(live.follow(stored, serial - 2))
        assert (len(up_to_date.rows), up_to_date.whole) == (1, False)

    _live_on(store, ask)


def test_a_run_that_is_deleted_ends_its_streams(store: Store) -> None:
    keep(store)

    async def ask(live: RunFeed, stored: StoredRun) -> None:
        followed = live.follow(stored, 0)
        await _first(followed)
        store.delete(stored)
        assert [update async for update in followed if update is not None] == []

    _live_on(store, ask)


def test_closing_ends_every_stream(store: Store) -> None:
    keep(store)

    async def ask(live: RunFeed, stored: StoredRun) -> None:
        followed = live.follow(stored, 0)
        await _first(followed)
        live.close()
        assert [update async for update in followed] == []

    _live_on(store, ask)


def test_run_added_before_the_stream_opens_is_announced_at_once(store: Store) -> None:
    seen = run_feed.etag(store.change_marker())
    keep(store)

    async def ask(live: RunFeed, stored: StoredRun) -> None:
        del stored
        assert await asyncio.wait_for(anext(live.runs(seen)), 5)

    _live_on(store, ask)
