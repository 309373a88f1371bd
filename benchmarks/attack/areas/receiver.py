"""Requests to the receiver of traces, by ASGI: JSON and protobuf, compressed in any way, and feedback."""

import asyncio
import gzip
import json
import zlib
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any, cast

import httpx
from google.protobuf.json_format import ParseDict
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from benchmarks.attack.inputs import text
from benchmarks.attack.mutations import mutated, mutated_bytes, mutated_json
from benchmarks.attack.samples import TESTS, documents
from benchmarks.attack.watch import Attempt
from ragstone.dashboard.otlp.intake import Intake
from ragstone.dashboard.otlp.server import receiver_app
from ragstone.dashboard.security.credentials import Credentials
from ragstone.store.queue.trace_queue import open_queue
from ragstone.traces.redaction import BUILT_IN, Redaction

_MESSAGES: dict[str, Any] = {"traces": ExportTraceServiceRequest, "logs": ExportLogsServiceRequest}
_FEEDBACK = {"trace_id": "5b8efff798038103d269b633813fc60c", "name": "thumb", "score": 1, "comment": "good"}
_EXPECTED = frozenset({200, 201, 400, 404, 413, 415, 422, 429})


def attempts(folder: Path, rng: Random, count: int) -> Iterator[Attempt]:
    """Yield requests to an application with a database of its own."""
    recorded = sorted((TESTS / "traces" / "fixtures").glob("recorded_*.jsonl"))
    requests = [line for path in recorded for line in documents(path) if len(json.dumps(line)) < 60_000]
    with closing(open_queue(folder / "queue.sqlite3", redaction=Redaction(BUILT_IN))) as queue:
        transport = httpx.ASGITransport(receiver_app(Intake(queue), Credentials()))
        for number in range(count):
            signal = "logs" if "resourceLogs" in (document := rng.choice(requests)) else "traces"
            if number % 9 == 0:
                path, body, headers = (
                    "/api/feedback",
                    mutated_json(_FEEDBACK, rng).encode("utf-8", "replace"),
                    {},
                )
                headers = {"content-type": "application/json"}
            else:
                path = f"/v1/{signal}"
                body, headers = _compressed(*_encoded(document, signal, rng), rng)
            yield (
                f"{path} {headers} {body[:60]!r}",
                lambda path=path, body=body, headers=headers: asyncio.run(
                    _send(transport, path, body, headers)
                ),
            )


def _encoded(document: dict[str, Any], signal: str, rng: Random) -> tuple[bytes, str]:
    if rng.random() < 0.5:
        return mutated_json(document, rng).encode("utf-8", "replace"), "application/json"
    message = _MESSAGES[signal]()
    try:
        ParseDict(cast("dict[str, Any]", mutated(document, rng)), message, ignore_unknown_fields=True)
    except Exception:  # noqa: BLE001  (the mutated document is no message: take the valid one)
        message = ParseDict(document, _MESSAGES[signal](), ignore_unknown_fields=True)
    body = message.SerializeToString()
    return (_damaged(body, rng) if rng.random() < 0.7 else body), "application/x-protobuf"


def _damaged(body: bytes, rng: Random) -> bytes:
    """Return a message with changed lengths, tags and contents."""
    changed = bytearray(body)
    for _ in range(rng.randrange(1, 12)):
        if changed:
            changed[rng.randrange(len(changed))] = rng.randrange(256)
    start, stop = sorted((rng.randrange(len(changed) + 1), rng.randrange(len(changed) + 1)))
    return bytes(changed[:start] + changed[start:stop] * rng.choice((0, 1, 1, 2, 30)) + changed[stop:])


def _compressed(body: bytes, kind: str, rng: Random) -> tuple[bytes, dict[str, str]]:
    headers = {"content-type": kind if rng.random() < 0.95 else "text/plain"}
    choice = rng.randrange(6)
    if choice == 0:
        parts = (body[: len(body) // 2], body[len(body) // 2 :])
        return b"".join(map(gzip.compress, parts)), headers | {"content-encoding": "gzip"}
    if choice == 1:
        return mutated_bytes(gzip.compress(body), rng), headers | {"content-encoding": "gzip"}
    if choice == 2:
        return zlib.compress(body), headers | {"content-encoding": "deflate"}
    if choice == 3 and rng.random() < 0.2:
        name = (
            text(rng)[:40]
            .encode("ascii", "ignore")
            .decode()
            .replace("\n", "")
            .replace("\r", "")
            .replace("\0", "")
        )
        return body, headers | {"content-encoding": name.strip()}
    return body, headers


async def _send(transport: httpx.ASGITransport, path: str, body: bytes, headers: dict[str, str]) -> None:
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
        answer = await client.post(path, content=body, headers=headers)
    if answer.status_code not in _EXPECTED:
        raise AssertionError(f"{answer.status_code}: {answer.text[:200]}")
