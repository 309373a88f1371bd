"""Requests to the page and its API."""

import asyncio
import json
import os
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import quote

import httpx

from benchmarks.attack.inputs import TEXTS, text, value
from benchmarks.attack.routes import every_route
from benchmarks.attack.watch import Attempt
from ragstone import TestCase
from ragstone.dashboard import create_app
from ragstone.dashboard.context import AppContext
from ragstone.event import MeasurementFinished, RunFinished, RunStarted
from ragstone.result import Result
from ragstone.run import Plan, Run
from ragstone.store import Store, open_store


def attempts(folder: Path, rng: Random, count: int) -> Iterator[Attempt]:
    """Requests to every route of the page and its API, without a network."""
    os.environ["OPENAI_API_KEY"] = "sk-planted-by-attack"
    store = open_store(folder / "runs.sqlite3")
    _keep_run(store)
    app = create_app(AppContext(store, address=folder / "runs.sqlite3", folder=folder / "uploads"))
    # live pages and streams end only with the server
    routes = sorted(route for route in every_route() if not route[1].endswith(("/live", "/stream")))
    transport = httpx.ASGITransport(app=app)
    parameters = (
        "text",
        "tag",
        "judge",
        "metric",
        "since",
        "until",
        "state",
        "page",
        "sort",
        "flipped",
        "runs",
        "size",
    )
    fields = (
        "dataset",
        "metrics",
        "preset",
        "judge",
        "name",
        "tags",
        "limit",
        "index",
        "verdict",
        "annotator",
        "run",
        "role",
        "days",
        "cause",
    )

    async def sent(method: str, path: str, **more: Any) -> None:  # noqa: ANN401  (those of httpx)
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
            answer = await client.request(method, path, **more)
        if answer.status_code >= 500:
            raise AssertionError(f"{answer.status_code}: {answer.text[:200]}")
        if "sk-planted" in answer.text or "root:" in answer.text:
            raise AssertionError("the answer holds a secret")

    for number in range(count):
        method, path = routes[number % len(routes)]
        for name in ("{run}", "{index}", "{place}", "{name}", "{version}"):
            filled = rng.choice(("last", "0", quote(text(rng)[:200], safe="", errors="replace") or "x"))
            path = path.replace(name, filled)
        query = {
            rng.choice(parameters): text(rng)[:300].encode("utf-8", "replace").decode() for _ in range(3)
        }
        more: dict[str, Any] = {"params": query}
        if method in {"POST", "PUT"}:
            body = {rng.choice(fields): value(rng) for _ in range(4)}
            more |= rng.choice(({"content": json.dumps(body), "headers": {"content-type": "application/json"}},
                                {"data": {key: repr(item)[:500] for key, item in body.items()}}))  # fmt: skip
        yield (
            f"{method} {path[:80]} {more}"[:300],
            lambda method=method, path=path, more=more: asyncio.run(sent(method, path, **more)),
        )
    store.close()


def _keep_run(store: Store) -> None:
    run = Run.begin(Plan(metrics=("faithfulness",), judge="local", name="kept"))
    recorder = store.recorder()
    recorder(RunStarted(run, 3))
    measured: dict[str, Any] = {"metric": "Faithfulness", "spec": "faithfulness", "judge": "local"}
    for index in range(3):
        case = TestCase(input=f"question {index}", actual_output=TEXTS[index + 8], retrieval_context=("p",))
        result = Result(**measured, score=0.5, success=True, case_id=case.id)
        recorder(MeasurementFinished(index, 0, case, result))
    recorder(RunFinished(run, complete=True, why=""))
