"""What a page and a receiver tell operators: probes without the token, figures for Prometheus with it."""

import asyncio
from pathlib import Path

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families
from tests.dashboard.site import served
from tests.traces.otlp_requests import otlp_span, request
from tests.watch.test_worker import answered, plan_of

from ragstone.dashboard.otlp.intake import Intake
from ragstone.dashboard.otlp.server import Receiver
from ragstone.dashboard.security.credentials import Credentials
from ragstone.store.queue.trace_queue import open_queue
from ragstone.store.queue.watch_state import save_health
from ragstone.watch.plan import WatchPlan
from ragstone.watch.worker import TraceWorker, work

TOKEN = {"Authorization": "Bearer secret"}


def figures(base: str) -> dict[tuple[str, ...], float]:
    """The samples of a server: name and values of the labels, in their order by name → value."""
    answer = httpx.get(f"{base}/metrics", headers=TOKEN, timeout=60)
    assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
    families = [*text_string_to_metric_families(answer.text)]
    assert all(family.documentation for family in families)
    return {(item.name, *item.labels.values()): item.value for family in families for item in family.samples}


def plan(name: str) -> WatchPlan:
    alarm = [{"metric": "pattern_match", "below": 0.8, "run_length": 1000}]
    return plan_of(name=name, alarm=alarm, silence="1h")


def test_metrics_of_the_page_need_the_token_and_tell_requests_queue_and_watch(tmp_path: Path) -> None:
    queue, watch = open_queue(tmp_path / "runs.sqlite3"), plan('a "shop"\n')
    for number in range(1, 31):
        queue.put(answered(number, "yes" if number % 3 else "no"))
    asyncio.run(work(TraceWorker(queue, watch), stop=None))
    queue.put(answered(31, "yes"))
    save_health(queue.engine, watch.name, {"judging": "no key"})
    queue.close()
    with served(tmp_path / "runs.sqlite3", credentials=Credentials("secret")) as site:
        for path, code in (("/healthz", 200), ("/readyz", 200), ("/metrics", 401), ("/", 401)):
            assert httpx.get(site.url + path, timeout=60).status_code == code
        assert httpx.get(f"{site.url}/api/runs/last", headers=TOKEN, timeout=60).status_code == 200
        found = figures(site.url)
    assert found["ragstone_store_up",] == 1
    assert found["ragstone_traces", "waiting"] == 1
    assert found["ragstone_traces", "judged"] == 30
    assert found["ragstone_http_requests_total", "401", "GET", ""] == 1
    assert found["ragstone_http_requests_total", "200", "GET", "/api/runs/{run}"] == 1
    assert found["ragstone_http_request_duration_seconds_count", "GET", "/healthz"] == 1
    assert found["ragstone_evaluations_running",] == 0
    assert found["ragstone_watch_score_mean", "pattern_match(pattern='yes')", watch.name] == pytest.approx(
        2 / 3
    )
    assert found["ragstone_watch_score_low", "pattern_match(pattern='yes')", watch.name] < 2 / 3
    assert found["ragstone_watch_alarm", "pattern_match below 0.8", watch.name] in (0, 1)
    assert found["ragstone_watch_alarm", "silence", watch.name] == 0
    assert found["ragstone_watch_processes", "alive", watch.name] == 1
    assert found["ragstone_watch_failing_tasks", watch.name] == 1
    assert found["process_resident_memory_bytes",] > 0


def test_receiver_tells_its_counts_and_that_its_database_does_not_answer(tmp_path: Path) -> None:
    queue = open_queue(tmp_path / "runs.sqlite3")
    receiver = Receiver(Intake(queue), Credentials("secret"), host="127.0.0.1", port=0).start()
    base, body = f"http://127.0.0.1:{receiver.port}", request([otlp_span(1, "answer", {"input.value": "q"})])
    for _ in range(2):
        assert httpx.post(f"{base}/v1/traces", json=body, headers=TOKEN, timeout=60).status_code == 200
    found = figures(base)
    assert found["ragstone_receiver_requests_total", "accepted"] == 2
    assert found["ragstone_receiver_records_total", "stored"] == 1
    assert found["ragstone_receiver_records_total", "repeated"] == 1
    with queue.engine.begin() as connection:
        connection.exec_driver_sql("DROP TABLE traces")
    assert figures(base)["ragstone_store_up",] == 0
    receiver.stop()
    queue.close()
