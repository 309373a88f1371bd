"""What is sent to a receiver that really listens, and what it answers."""

import gzip
import json
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from google.protobuf.json_format import ParseDict
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTraceServiceRequest,
    ExportTraceServiceResponse,
)
from tests.traces.otlp_requests import TRACE, otlp_span, request

from ragstone.dashboard.otlp.intake import Intake, IntakeLimits
from ragstone.dashboard.otlp.server import Receiver
from ragstone.dashboard.security.credentials import Credentials
from ragstone.store.queue.claims import CompletionRule
from ragstone.store.queue.feedback import feedback_on
from ragstone.store.queue.trace_queue import TraceQueue, open_queue
from ragstone.traces.redaction import Redaction

PROTOBUF = {"content-type": "application/x-protobuf"}
JSON = {"content-type": "application/json"}
BODY = request([otlp_span(1, "answer", {"input.value": "q?", "n": 3, "f": 1.5, "list": [1, "a"]})])


def as_protobuf(body: dict[str, Any]) -> bytes:
    """Return a request of OTLP/JSON, whose ids are hexadecimal, as protobuf."""
    text = json.dumps(body)
    message = ParseDict(json.loads(text), ExportTraceServiceRequest())
    for by_resource in message.resource_spans:
        for by_scope in by_resource.scope_spans:
            given = body["resourceSpans"][0]["scopeSpans"][0]["spans"]
            for span, values in zip(by_scope.spans, given, strict=True):
                span.trace_id = bytes.fromhex(values["traceId"])
                span.span_id = bytes.fromhex(values["spanId"])
                span.parent_span_id = bytes.fromhex(values.get("parentSpanId", ""))
    return message.SerializeToString()


@pytest.fixture
def queue(tmp_path: Path) -> Iterator[TraceQueue]:
    found = open_queue(tmp_path / "runs.sqlite3")
    yield found
    found.close()


@pytest.fixture
def client(queue: TraceQueue) -> Iterator[httpx.Client]:
    limits = IntakeLimits(waiting=3, body=2_000_000, record=100_000, retry_after=7)
    receiver = Receiver(Intake(queue, limits), Credentials(), host="127.0.0.1", port=0).start()
    with httpx.Client(base_url=f"http://127.0.0.1:{receiver.port}", timeout=60) as found:
        yield found
    receiver.stop()


def post(client: httpx.Client, body: bytes, **headers: str) -> httpx.Response:
    return client.post(
        "/v1/traces", content=body, headers={k.replace("_", "-"): v for k, v in headers.items()}
    )


def test_json_protobuf_and_gzip_of_one_span_are_stored_once(client: httpx.Client, queue: TraceQueue) -> None:
    plain, packed = json.dumps(BODY).encode(), as_protobuf(BODY)
    for body, kind in ((plain, JSON), (packed, PROTOBUF)):
        for data, more in ((body, {}), (gzip.compress(body), {"content-encoding": "gzip"})):
            answer = client.post("/v1/traces", content=data, headers=kind | more)
            assert (answer.status_code, answer.headers["content-type"]) == (200, kind["content-type"])
            assert answer.content == (b"{}" if kind is JSON else b"")
    (claimed,) = queue.claim(9, CompletionRule(settle=0))
    assert (claimed.trace_id, claimed.count) == (TRACE, 1)
    assert client.get("/status").json()["received"] == {
        "requests": 4,
        "stored": 1,
        "repeated": 3,
        "left_out": 0,
        "refused": 0,
        "failed": 0,
    }


def test_invalid_and_oversized_spans_are_reported_as_partial_success(client: httpx.Client) -> None:
    bad = {**otlp_span(2, "no id", {}), "traceId": "xyz"}
    large = otlp_span(3, "large", {"text": "x" * 200_000}, trace="2" * 32)
    body = request([otlp_span(1, "good", {}), bad, large])
    found = post(client, json.dumps(body).encode(), **JSON).json()["partialSuccess"]
    assert found["rejectedSpans"] == "2"
    assert "xyz" in found["errorMessage"]
    assert "the maximum is 0.1 MB" in found["errorMessage"]
    body["resourceSpans"][0]["scopeSpans"][0]["spans"] = [large]
    answer = ExportTraceServiceResponse.FromString(post(client, as_protobuf(body), **PROTOBUF).content)
    assert answer.partial_success.rejected_spans == 1


@pytest.mark.parametrize(
    ("body", "headers", "status"),
    [
        (b"\xff\xff\xff not protobuf", PROTOBUF, 400),
        (b"\x0a\xff\xff\xff\xff\x0f", PROTOBUF, 400),
        (b"{", JSON, 400),
        (b"[]", JSON, 400),
        (b"[" * 100_000, JSON, 400),
        (b"\x1f\x8b broken", JSON | {"content-encoding": "gzip"}, 400),
        (gzip.compress(b"{}", mtime=0)[:-6], JSON | {"content-encoding": "gzip"}, 400),
        (gzip.compress(b" " * 50_000_000, 1), JSON | {"content-encoding": "gzip"}, 413),
        (zlib.compress(b" " * 50_000_000, 1), PROTOBUF | {"content-encoding": "deflate"}, 413),
        (b"{}", JSON | {"content-encoding": "br"}, 415),
        (b"{}", {"content-type": "text/plain"}, 415),
        (b"{}", {}, 415),
        (b"{}", JSON | {"host": "evil.example"}, 421),
        (b"{}", JSON | {"origin": "https://evil.example"}, 403),
    ],
)
def test_invalid_request_gets_error_status_and_receiver_keeps_serving(
    client: httpx.Client, body: bytes, headers: dict[str, str], status: int
) -> None:
    assert client.post("/v1/traces", content=body, headers=headers).status_code == status
    assert post(client, json.dumps(BODY).encode(), **JSON).status_code == 200


def test_100_mb_body_is_refused_regardless_of_content_length(client: httpx.Client) -> None:
    megabyte = b" " * 1_000_000
    for content in (megabyte * 100, (megabyte for _ in range(100))):
        try:
            status = client.post("/v1/traces", content=content, headers=JSON).status_code
        except (httpx.WriteError, httpx.RemoteProtocolError):  # the server hung up on it
            status = 413
        assert status == 413
    assert post(client, json.dumps(BODY).encode(), **JSON).status_code == 200


def test_span_with_2000_attributes_is_stored_and_10000_is_rejected(
    client: httpx.Client, queue: TraceQueue
) -> None:
    body = as_protobuf(request([otlp_span(1, "many", {f"a{number}": number for number in range(2_001)})]))
    assert post(client, body, **PROTOBUF).status_code == 200
    (claimed,) = queue.claim(1, CompletionRule(settle=0))
    assert len(claimed.records[0].attributes) == 2001  # type: ignore[union-attr]
    body = as_protobuf(request([otlp_span(2, "too many", {f"a{n}": "x" * 9 for n in range(10_000)})]))
    answer = ExportTraceServiceResponse.FromString(post(client, body, **PROTOBUF).content)
    assert answer.partial_success.rejected_spans == 1


def test_full_queue_answers_429_with_retry_after(client: httpx.Client) -> None:
    for number in range(1, 4):
        body = request([otlp_span(1, "answer", {}, trace=f"{number:032x}")])
        assert post(client, json.dumps(body).encode(), **JSON).status_code == 200
    answers = [post(client, json.dumps(BODY).encode(), **JSON)]
    while answers[-1].status_code == 200:
        answers.append(post(client, json.dumps(BODY).encode(), **JSON))
    assert (answers[-1].status_code, answers[-1].headers["retry-after"]) == (429, "7")
    assert client.get("/status").json()["received"]["refused"] == 1


def test_wrong_token_is_refused_with_401(queue: TraceQueue) -> None:
    receiver = Receiver(Intake(queue), Credentials("right"), host="127.0.0.1", port=0).start()
    url = f"http://127.0.0.1:{receiver.port}/v1/traces"
    sent = {
        token: httpx.post(url, json=BODY, headers={"authorization": f"Bearer {token}"}).status_code
        for token in ("wrong", "-", "right")
    }
    assert sent == {"wrong": 401, "-": 401, "right": 200}
    receiver.stop()


def test_spans_of_the_opentelemetry_exporter_are_stored(client: httpx.Client, queue: TraceQueue) -> None:
    from opentelemetry.exporter.otlp.proto.http import Compression  # noqa: PLC0415
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter  # noqa: PLC0415
    from opentelemetry.sdk.trace import TracerProvider  # noqa: PLC0415
    from opentelemetry.sdk.trace.export import SimpleSpanProcessor  # noqa: PLC0415

    exporter = OTLPSpanExporter(f"{client.base_url}/v1/traces", compression=Compression.Gzip)
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    with provider.get_tracer("app").start_as_current_span("answer") as outer:
        outer.set_attribute("input.value", "q?")
        with provider.get_tracer("app").start_as_current_span("model"):
            pass
    provider.shutdown()
    (claimed,) = queue.claim(1, CompletionRule(settle=0))
    assert {record.name for record in claimed.records} == {"answer", "model"}  # type: ignore[union-attr]


SAID = {"trace_id": TRACE, "thumb": "down", "comment": "Write to ada@example.org", "by": "user-17"}


def test_receiver_stores_feedback_but_does_not_list_or_delete_it(
    client: httpx.Client, queue: TraceQueue
) -> None:
    first = client.post("/api/feedback", json=SAID)
    assert first.status_code == 201
    again = client.post("/api/feedback", json=SAID | {"thumb": "up"})
    assert (again.status_code, again.json()) == (200, {"id": first.json()["id"], "replaced": True})
    (kept,) = feedback_on(queue.engine, TRACE)
    assert (kept.thumb, kept.source, kept.comment) == ("up", "api", "Write to ada@example.org")
    assert client.get("/api/feedback", params={"trace_id": TRACE}).status_code == 405
    assert client.delete(f"/api/feedback/{kept.id}").status_code == 404
    assert post(client, json.dumps(BODY).encode(), **JSON).status_code == 200


@pytest.mark.parametrize(
    ("said", "headers", "status"),
    [
        ({"thumb": "up"}, {}, 422),
        (SAID | {"score": 1.5}, {}, 422),
        (SAID | {"user": "ada"}, {}, 422),
        (SAID | {"comment": "x" * 4_001}, {}, 422),
        (SAID, {"origin": "https://evil.example"}, 403),
        (SAID, {"sec-fetch-site": "cross-site"}, 403),
        (SAID, {"host": "evil.example"}, 421),
        (SAID | {"comment": " " * 9_000_000}, {}, 413),
    ],
)
def test_invalid_feedback_is_refused_with_the_status_of_the_dashboard(
    client: httpx.Client, queue: TraceQueue, said: dict[str, Any], headers: dict[str, str], status: int
) -> None:
    answer = client.post("/api/feedback", json=said, headers=headers)
    assert (answer.status_code, list(answer.json())) == (status, ["detail"])
    assert feedback_on(queue.engine, TRACE) == []


def test_feedback_needs_the_token_of_the_receiver_and_is_redacted(tmp_path: Path) -> None:
    queue = open_queue(tmp_path / "runs.sqlite3", Redaction(("email",)))
    receiver = Receiver(Intake(queue), Credentials("right"), host="127.0.0.1", port=0).start()
    url = f"http://127.0.0.1:{receiver.port}/api/feedback"
    sent = [
        httpx.post(url, json=SAID, headers={"authorization": f"Bearer {token}"}).status_code
        for token in ("wrong", "right")
    ]
    receiver.stop()
    assert sent == [401, 201]
    assert [one.comment for one in feedback_on(queue.engine, TRACE)] == ["Write to [email]"]
    queue.close()
