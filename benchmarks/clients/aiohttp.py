"""aiohttp alone: the same requests are encoded as JSON and sent through one pool; the judge's JSON is parsed."""

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import aiohttp

from benchmarks.client import Rows, Scores, Told, measured


def work(rows: Rows, told: Told) -> Scores:
    asyncio.run(ask_all(rows, told))
    return []


async def ask_all(rows: Rows, told: Told) -> None:
    """Send every body, with a limited number of requests at a time."""
    pending = iter(rows)
    async with (
        aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(limit=told.in_flight), headers={"Authorization": "Bearer none"}
        ) as session,
        asyncio.TaskGroup() as group,
    ):
        for _ in range(told.in_flight):
            group.create_task(_worker(session, f"{told.base_url}/chat/completions", pending))


async def _worker(session: aiohttp.ClientSession, url: str, pending: Iterator[dict[str, Any]]) -> None:
    for body in pending:
        async with session.post(url, json=body) as response:
            answer = await response.json()
        json.loads(answer["choices"][0]["message"]["content"])


if __name__ == "__main__":
    measured(work)
