"""Senders that stall, or whose small requests would take much memory: others are served, and the memory stays small."""

import gzip
import json
import os
import re
import signal
import socket
import subprocess
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import httpx
import pytest
from tests.cli.command import RAGSTONE
from tests.dashboard.otlp.test_receiver import JSON, PROTOBUF, as_protobuf
from tests.testing.for_each import for_each
from tests.testing.forked import ForkedProcess
from tests.traces.otlp_requests import otlp_span, request

from ragstone.dashboard.otlp import server as receiver_server
from ragstone.dashboard.otlp.body import decode_body
from ragstone.dashboard.otlp.intake import Intake, IntakeLimits
from ragstone.dashboard.otlp.server import Receiver
from ragstone.dashboard.otlp.wire import BadWire, exceeds, split_request
from ragstone.dashboard.security import connections
from ragstone.dashboard.security.connections import OpenConnections
from ragstone.dashboard.security.credentials import Credentials
from ragstone.store.queue.trace_queue import open_queue

GZIP = {"content-encoding": "gzip"}
STALLED = b"POST /v1/traces HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"


def message(number: int, content: bytes) -> bytes:
    length, size = bytearray(), len(content)
    while size > 127:
        length.append(size & 127 | 128)
        size >>= 7
    return bytes([number << 3 | 2, *length, size]) + content


def traces(spans: bytes, resource: bytes = b"") -> bytes:
    return message(1, resource + message(2, spans))


def numbered(count: int, first: int = 1) -> bytes:
    spans = [otlp_span(number, "answer", {}) for number in range(first, first + count)]
    return json.dumps(request(spans)).encode()


@contextmanager
def receiving(tmp_path: Path) -> Iterator[httpx.Client]:
    with closing(open_queue(tmp_path / "runs.sqlite3")) as queue:
        receiver = Receiver(Intake(queue), Credentials(), host="127.0.0.1", port=0).start()
        with httpx.Client(base_url=f"http://127.0.0.1:{receiver.port}", timeout=60) as client:
            yield client
        receiver.stop()


@contextmanager
def process(tmp_path: Path) -> Iterator[tuple[int, int]]:
    """Serve in a process of its own; yield its id and the port of the receiver."""
    store = str(tmp_path / "runs.sqlite3")
    command = (RAGSTONE, "serve", "--port", "0", "--store", store, "--otlp", "127.0.0.1:0")
    own = {**os.environ, "XDG_DATA_HOME": str(tmp_path / "data")}
    with ForkedProcess(command, stderr=subprocess.PIPE, env=own) as served:
        assert served.stderr is not None
        found = re.search(r"http://127.0.0.1:(\d+)", served.stderr.readline())
        assert found is not None
        yield served.pid, int(found[1])
        served.send_signal(signal.SIGINT)
        served.wait(60)


def test_all_members_of_a_gzip_body_are_stored(tmp_path: Path) -> None:
    body = numbered(30)
    with receiving(tmp_path) as client:
        sent = client.post("/v1/traces", content=_joined(body, 900), headers=JSON | GZIP)
        assert sent.json() == {}
        assert client.get("/status").json()["received"]["stored"] == 30
        padded = gzip.compress(numbered(1, 40)) + b"\0" * 40_000
        assert client.post("/v1/traces", content=padded, headers=JSON | GZIP).status_code == 200
        for wrong in (
            gzip.compress(b"{}") + b"more",
            gzip.compress(b"{}") + gzip.compress(b"{}")[:-3],
            _joined(body + b" " * 2_000, len(body) + 2_000),
        ):
            assert client.post("/v1/traces", content=wrong, headers=JSON | GZIP).status_code == 400
        deflated = zlib.compress(b"{}") + zlib.compress(b"{}")
        headers = JSON | {"content-encoding": "deflate"}
        assert client.post("/v1/traces", content=deflated, headers=headers).status_code == 400


def _joined(body: bytes, members: int) -> bytes:
    size = -(-len(body) // members)
    return b"".join(gzip.compress(body[start : start + size], 1) for start in range(0, len(body), size))


def _attribute(value: bytes) -> bytes:
    return message(2, message(9, message(2, value)))


def _of_one_resource() -> bytes:
    ids = (bytes([1] * 12) + number.to_bytes(4) for number in range(9_000))
    spans = b"".join(message(2, message(1, one) + message(2, b"\1" * 8)) for one in ids)
    pairs = (message(1, b"%d" % number) + message(2, message(1, b"x" * 900)) for number in range(4_000))
    return traces(spans, message(1, b"".join(message(1, pair) for pair in pairs)))


MANY: dict[str, tuple[Callable[[], bytes], dict[str, str]]] = {
    "spans": (lambda: traces(b"\x12\x00" * 2_000_000), PROTOBUF),
    "attributes": (lambda: traces(message(2, b"\x4a\x00" * 2_000_000)), PROTOBUF),
    "values": (lambda: traces(_attribute(message(5, b"\x0a\x00" * 2_000_000))), PROTOBUF),
    "pairs": (lambda: traces(_attribute(message(6, b"\x0a\x00" * 2_000_000))), PROTOBUF),
    "resource": (lambda: traces(b"", message(1, b"\x0a\x00" * 2_000_000)), PROTOBUF),
    "JSON spans": (
        lambda: b'{"resourceSpans":[{"scopeSpans":[{"spans":[' + b"{}," * 2_000_000 + b"{}]}]}]}",
        JSON,
    ),
    "JSON lists": (lambda: b'{"a":' + b'["",' * 1_000_000, JSON),
    "repeated resource": (_of_one_resource, PROTOBUF),
}


def test_a_small_request_of_very_many_values_is_refused_in_little_memory(tmp_path: Path) -> None:
    found: dict[str, tuple[int, bool]] = {}
    with process(tmp_path) as (pid, port), httpx.Client(timeout=120) as client:
        for name, (body, headers) in MANY.items():
            Path(f"/proc/{pid}/clear_refs").write_text("5")  # the peak is again what it has now
            before = _peak_mb(pid)
            content = gzip.compress(body(), 1)
            answer = client.post(
                f"http://127.0.0.1:{port}/v1/traces", content=content, headers=headers | GZIP
            )
            found[name] = (answer.status_code, _peak_mb(pid) - before < 200)
    assert found == dict.fromkeys(MANY, (413, True))


def _peak_mb(pid: int) -> int:
    lines = Path(f"/proc/{pid}/status").read_text(encoding="utf-8").splitlines()
    return next(int(line.split()[1]) // 1024 for line in lines if line.startswith("VmHWM"))


def test_commas_in_texts_are_not_counted_as_values(tmp_path: Path) -> None:
    span = otlp_span(1, "answer", {"text": 'a,[{\\"' * 400_000})
    with receiving(tmp_path) as client:
        assert client.post("/v1/traces", content=json.dumps(request([span])), headers=JSON).json() == {}


def test_parts_of_a_request_hold_all_of_it() -> None:
    spans = [otlp_span(number, f"span {number}", {"a": number}) for number in range(1, 1_001)]
    body = as_protobuf(request(spans))
    assert len(list(split_request(body))) == 4
    parts = list(decode_body(body, PROTOBUF["content-type"], "traces", 1_000_000))
    names = [span["name"] for part in parts for span in part["resourceSpans"][0]["scopeSpans"][0]["spans"]]
    assert names == [span["name"] for span in spans]
    first = parts[0]["resourceSpans"][0]
    assert all(part["resourceSpans"][0].get("resource") == first.get("resource") for part in parts)


@for_each("body", [b"\x0a", b"\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", b"\x0a\x05a", b"\x0b"])
def test_damaged_wire_format_is_refused(body: bytes) -> None:
    with pytest.raises(BadWire):
        list(split_request(body))
    with pytest.raises(BadWire):
        exceeds(body, "traces", 10)


def test_deeply_nested_values_are_refused() -> None:
    value = b""
    for _ in range(200):
        value = message(5, message(1, value + b"\x0a\x01a"))
    with pytest.raises(BadWire, match="nested"):
        exceeds(traces(message(2, message(9, message(2, value)))), "traces", 100_000)


@pytest.mark.parametrize(
    "begun", [b"", b"POST /v1/tra", STALLED % 99 + b"{", STALLED % 10**7 + b" " * 60_000]
)
def test_stalled_senders_do_not_stop_others(
    begun: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "OpenConnections", lambda: OpenConnections(most=40))
    with receiving(tmp_path) as client:
        stalled = [socket.create_connection((client.base_url.host, client.base_url.port)) for _ in range(200)]
        for connection in stalled:
            try:
                connection.sendall(begun)
            except OSError:  # closed already
                continue
        for number in range(1, 6):
            sent = client.post("/v1/traces", content=numbered(1, number), headers=JSON)
            assert sent.status_code == 200
        for connection in stalled:
            connection.close()


def test_a_silent_connection_is_closed_and_a_slow_one_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "OpenConnections", lambda: OpenConnections(idle=0.5))
    with receiving(tmp_path) as client:
        place = (client.base_url.host, client.base_url.port)
        with socket.create_connection(place) as silent, socket.create_connection(place) as slow:
            silent.settimeout(60)
            silent.sendall(STALLED % 99 + b"{")
            slow.sendall(STALLED % 100_000)
            for _ in range(10):
                slow.sendall(b" " * 9_999)
                time.sleep(0.1)
            slow.sendall(b"{}" + b" " * 8)
            assert slow.recv(100).startswith(b"HTTP/1.1 200")
            assert _is_closed(silent)


def _is_closed(connection: socket.socket) -> bool:
    try:
        return connection.recv(100) == b""
    except ConnectionResetError:
        return True


def test_the_largest_unfinished_body_gives_way(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(receiver_server, "_MAX_BODIES_BYTES", 2_000_000)
    with receiving(tmp_path) as client:
        place = (client.base_url.host, client.base_url.port)
        with socket.create_connection(place) as large:
            large.settimeout(60)
            large.sendall(STALLED % 20_000_000 + b" " * 1_800_000)
            body = numbered(1) + b" " * 900_000
            assert client.post("/v1/traces", content=body, headers=JSON).status_code == 200
            refusal = large.recv(1000)
            assert refusal.startswith(b"HTTP/1.1 503")
            assert b"retry-after" in refusal.lower()


def test_a_locked_database_is_told_as_a_reason_to_retry(tmp_path: Path) -> None:
    path = tmp_path / "runs.sqlite3"
    with closing(open_queue(path)) as queue:
        with queue.engine.connect() as connection:
            connection.exec_driver_sql("PRAGMA busy_timeout = 100")
        intake = Intake(queue, IntakeLimits(retry_after=3))
        with closing(open_queue(path)) as other, other.engine.connect() as holder:
            holder.exec_driver_sql("BEGIN IMMEDIATE")
            answer = intake.receive("traces", numbered(1), "application/json")
            holder.exec_driver_sql("ROLLBACK")
        assert answer is not None
        assert (answer.status_code, answer.headers["Retry-After"]) == (503, "3")
        again = intake.receive("traces", numbered(1), "application/json")
        assert again is not None
        assert again.status_code == 200
