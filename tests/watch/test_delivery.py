"""Alarms that are told: to a real server on loopback, signed, once a state, again where it was refused."""

import asyncio
import base64
import hashlib
import hmac
import json
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from tests.telemetry.receiver import attributes, collecting
from tests.watch.test_worker import answered, plan_of

from ragstone.errors import BadOption
from ragstone.store.queue.trace_queue import TraceQueue, open_queue
from ragstone.watch.delivery import deliver, read_notices
from ragstone.watch.plan import WatchPlan
from ragstone.watch.worker import TraceWorker, work

KEY = b"a secret of tests"
SECRET = f"whsec_{base64.b64encode(KEY).decode()}"


class HookServer:
    """Takes messages; refuses as many as it is told to, and answers 401 to a wrong signature."""

    def __init__(self) -> None:
        self.messages: list[dict[str, Any]] = []
        self.ids: list[str] = []
        self.refuse: list[int] = []
        self.url = ""

    def answer(self, headers: Any, body: bytes) -> int:
        """Check the signature as the specification says, and keep the message."""
        signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
        wanted = base64.b64encode(hmac.new(KEY, signed, hashlib.sha256).digest()).decode()
        if headers["webhook-signature"] != f"v1,{wanted}":
            return 401
        self.ids.append(headers["webhook-id"])
        if self.refuse:
            return self.refuse.pop(0)
        self.messages.append(json.loads(body))
        return 204


@pytest.fixture
def hook() -> Iterator[HookServer]:
    found = HookServer()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            self.send_response(found.answer(self.headers, body))
            self.send_header("content-length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:  # pyright: ignore[reportIncompatibleMethodOverride]
            """Say nothing."""

    http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    found.url = f"http://127.0.0.1:{http.server_port}/hooks/T0KEN"
    thread = Thread(target=http.serve_forever, daemon=True)
    thread.start()
    yield found
    http.shutdown()
    http.server_close()
    thread.join()


@pytest.fixture
def queue(tmp_path: Path) -> Iterator[TraceQueue]:
    found = open_queue(tmp_path / "runs.sqlite3")
    yield found
    found.close()


def plan_with_webhook(hook: HookServer, **parts: Any) -> WatchPlan:
    alarm = [{"metric": "pattern_match", "below": 0.8, "run_length": 1000}]
    return plan_of(alarm=alarm, notify=[{"webhook": hook.url, "secret_env": "HOOK"}], **parts)


def judge(queue: TraceQueue, plan: WatchPlan, numbers: range, answer: str) -> None:
    for number in numbers:
        queue.put(answered(number, answer))
    asyncio.run(work(TraceWorker(queue, plan), stop=None))


def send(queue: TraceQueue, plan: WatchPlan) -> list[str]:
    return asyncio.run(deliver(queue, plan, read_notices(queue, plan), {"HOOK": SECRET}))


def test_each_alarm_state_is_delivered_once_with_signature(queue: TraceQueue, hook: HookServer) -> None:
    plan = plan_with_webhook(hook)
    judge(queue, plan, range(1, 31), "yes")
    assert (send(queue, plan), hook.messages) == ([], [])
    judge(queue, plan, range(31, 101), "no")
    assert send(queue, plan) == send(queue, plan) == []
    (message,) = hook.messages
    assert (message["status"], message["metric"], message["watch"]) == (
        "alarm",
        "pattern_match",
        "production",
    )
    assert "has fallen below 0.8: mean 0." in message["text"]
    assert " of the last " in message["text"]
    assert "Question" not in json.dumps(message)
    judge(queue, plan, range(101, 301), "yes")
    assert send(queue, plan) == []
    assert [one["status"] for one in hook.messages] == ["alarm", "ok"]


def test_a_refused_message_is_sent_again_with_the_same_id(
    queue: TraceQueue, hook: HookServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ragstone.watch.delivery._RETRY_SECONDS", 0.0)
    plan = plan_with_webhook(hook)
    judge(queue, plan, range(1, 101), "no")
    hook.refuse = [400]
    (problem,) = send(queue, plan)
    assert "answered 400" in problem
    assert "T0KEN" not in problem
    hook.refuse = [503, 503]
    assert send(queue, plan) == []
    assert (len(hook.messages), len(hook.ids), len(set(hook.ids))) == (1, 4, 1)


def test_concurrent_deliveries_send_one_message(queue: TraceQueue, hook: HookServer) -> None:
    plan = plan_with_webhook(hook)
    judge(queue, plan, range(1, 101), "no")
    with ThreadPoolExecutor(4) as pool:
        assert [*pool.map(lambda _: send(queue, plan), range(4))] == [[]] * 4
    assert len(hook.messages) == 1


def test_start_and_end_of_silence_are_delivered(queue: TraceQueue, hook: HookServer) -> None:
    plan = plan_with_webhook(hook, silence=0.3)
    judge(queue, plan, range(1, 3), "yes")
    assert send(queue, plan) == []
    assert read_notices(queue, plan)[-1].content["status"] in {"ok", "alarm"}
    asyncio.run(asyncio.sleep(0.4))
    send(queue, plan)
    send(queue, plan)
    assert [(one["alarm"], one["status"]) for one in hook.messages] == [("silence", "alarm")]
    loud = plan.model_copy(update={"silence": 3600.0})
    send(queue, loud)
    send(queue, loud)
    assert [one["status"] for one in hook.messages] == ["alarm", "ok"]


def test_unset_or_invalid_webhook_is_rejected(queue: TraceQueue, hook: HookServer) -> None:
    plan = plan_with_webhook(hook)
    judge(queue, plan, range(1, 101), "no")
    with pytest.raises(BadOption, match="HOOK is not set"):
        asyncio.run(deliver(queue, plan, read_notices(queue, plan), {}))
    wrong = plan_of(notify=[{"webhook": "hooks.example.org"}])
    with pytest.raises(BadOption, match="webhook is not an HTTP address"):
        asyncio.run(deliver(queue, wrong, (), {}))


TELEMETRY = """
import sys
from opentelemetry import metrics, _logs
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import PeriodicExportingMetricReader
from opentelemetry.sdk._logs import LoggerProvider
from opentelemetry.sdk._logs.export import SimpleLogRecordProcessor
from opentelemetry.exporter.otlp.proto.http.metric_exporter import OTLPMetricExporter
from opentelemetry.exporter.otlp.proto.http._log_exporter import OTLPLogExporter

metering = MeterProvider([PeriodicExportingMetricReader(OTLPMetricExporter(), export_interval_millis=1e9)])
metrics.set_meter_provider(metering)
logging = LoggerProvider()
logging.add_log_record_processor(SimpleLogRecordProcessor(OTLPLogExporter()))
_logs.set_logger_provider(logging)

from ragstone.store.queue.settlement import read_state
from ragstone.store.queue.trace_queue import open_queue
from ragstone.watch.alarms import read_alarms
from ragstone.watch.delivery import emit_notice, read_notices, record_telemetry
from ragstone.watch.plan import WatchPlan
from ragstone.watch.window import window_figures
queue, plan = open_queue(sys.argv[1]), WatchPlan.model_validate_json(sys.argv[2])
record_telemetry(plan, window_figures(queue, plan), read_alarms(plan.alarm, read_state(queue.engine, plan.name)))
for notice in read_notices(queue, plan):
    emit_notice(notice)
metering.force_flush()
"""


def test_watch_exports_opentelemetry_gauges_and_alarm_event(
    queue: TraceQueue, hook: HookServer, tmp_path: Path
) -> None:
    plan = plan_with_webhook(hook)
    judge(queue, plan, range(1, 101), "no")
    with collecting() as collector:
        command = [sys.executable, "-c", TELEMETRY, str(tmp_path / "runs.sqlite3"), plan.model_dump_json()]
        own = {
            "OTEL_EXPORTER_OTLP_ENDPOINT": collector.endpoint,
            "PATH": "/usr/bin:/bin",
            "NO_PROXY": "127.0.0.1",
        }
        path = ":".join(sys.path)
        ended = subprocess.run(
            command, env={**own, "PYTHONPATH": path}, capture_output=True, text=True, check=False
        )
        assert ended.returncode == 0, ended.stderr
    points = {
        metric.name: metric.gauge.data_points[0].as_double
        for sent in collector.received["/v1/metrics"]
        for resource in sent.resource_metrics
        for scope in resource.scope_metrics
        for metric in scope.metrics
    }
    assert points["ragstone.watch.score.mean"] == 0.0
    assert 0.0 < points["ragstone.watch.score.high"] < 0.1
    assert points["ragstone.watch.alarm"] == 1.0
    (event,) = [one for one in collector.records if one.event_name == "ragstone.watch.alarm"]
    assert attributes(event)["status"] == "alarm"
