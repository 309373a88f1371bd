"""Recorder of ragstone's requests, so that a bare client can send the same ones."""

import asyncio
import json
from collections.abc import Sequence
from typing import Any

from benchmarks.judge import Judge
from benchmarks.settings import Settings
from benchmarks.wire import Connection, Head
from ragstone import TestCase, aevaluate
from ragstone.judges import LLMJudge
from ragstone.providers import OpenAI


class Recorder(Judge):
    """The judge server, which also records the requests."""

    def __init__(self) -> None:
        super().__init__(Settings())
        self.bodies: list[dict[str, Any]] = []

    def hear(self, client: Connection, head: Head, body: bytes) -> None:
        """Record the body, and answer as usual."""
        self.bodies.append(json.loads(body))
        super().hear(client, head, body)


def requests(cases: Sequence[TestCase]) -> list[dict[str, Any]]:
    """Return the bodies of all requests of a run of the preset `rag` over `cases`."""
    return asyncio.run(_record(cases))


async def _record(cases: Sequence[TestCase]) -> list[dict[str, Any]]:
    recorder = Recorder()
    server = await asyncio.get_running_loop().create_server(recorder.connection, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    judge = LLMJudge(provider=OpenAI(base_url=f"http://127.0.0.1:{port}/v1", api_key="none"))
    await aevaluate(cases, preset="rag", judge=judge)
    server.close()
    return recorder.bodies
