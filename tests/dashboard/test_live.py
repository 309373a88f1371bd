"""What goes on is seen going on: rows come, gauges move, also where the run goes on in another process."""

import json
import os
import re
import socket
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from signal import SIGKILL, SIGTERM
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect
from tests.cli.command import RAGSTONE
from tests.dashboard import client
from tests.dashboard.runs import CASES, judge_script, keep, write_dataset
from tests.dashboard.site import Site, served, wait_until
from tests.runner.test_judge_down import have_patience
from tests.servers import faults
from tests.servers.fixtures import serving
from tests.servers.openai import OpenAIServer
from tests.testing.forked import ForkedProcess

from ragstone import TestCase
from ragstone.event import Event, JudgeWaiting, MeasurementFinished, RunFinished, RunStarted
from ragstone.result import Result
from ragstone.run import Plan, Run
from ragstone.store import open_store


@pytest.fixture
def held_judge(monkeypatch: pytest.MonkeyPatch) -> Iterator[OpenAIServer]:
    """A vendor that answers as many calls as a test allows, at the address that the server's own environment names."""
    with serving(OpenAIServer(judge_script())) as server:
        server.most_answers = 40
        monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
        monkeypatch.setenv("OPENAI_API_KEY", server.key)
        yield server


@pytest.mark.timeout(300)
def test_a_run_is_started_watched_stopped_and_resumed_from_the_page(
    held_judge: OpenAIServer, site: Site, tab: Page, tmp_path: Path
) -> None:
    tab.goto(f"{site.url}/evaluate")
    tab.set_input_files("#file", write_dataset(tmp_path, 70))
    tab.get_by_text("only these").click()
    tab.check("#m-answer_relevancy")
    tab.get_by_label("openai").check()
    tab.fill("#name", "watched")
    tab.get_by_role("button", name="Start").click()
    tab.wait_for_url("**/runs/*")
    rows = tab.locator("#rows tr")
    expect(rows.nth(2)).to_be_visible()
    early = rows.count()
    held_judge.most_answers = 100
    expect(rows.nth(early + 3)).to_be_visible()
    expect(tab.locator(".state.live")).to_be_visible()
    expect(tab.locator("#count")).to_have_text(re.compile(r"^[1-9]\d* cases, as they arrive$"))
    expect(tab).to_have_title(re.compile(r"^\d+ % · watched · ragstone$"))
    assert tab.locator("#card-0 p", has_text="n ").first.inner_text() != "n 0 · 0 failed"
    tab.get_by_role("button", name="Stop").click()
    expect(tab.locator(".state.incomplete")).to_be_visible()
    asked = len(held_judge.requests)
    held_judge.most_answers = None
    stored = site.store.find("watched")
    assert 0 < site.store.line(stored).progress.done < 70
    tab.get_by_role("button", name="Resume").click()
    expect(tab.locator(".state.complete")).to_be_visible()
    line = site.store.line(site.store.find("watched"))
    assert (line.progress.done, line.progress.total, line.metrics[0].figure.not_measured) == (70, 70, 0)
    assert len(held_judge.requests) > asked


@contextmanager
def _on_the_command_line(dataset: Path, store: str, *options: str) -> Iterator[ForkedProcess]:
    command = [RAGSTONE, "run", str(dataset), "-m", "answer_relevancy", "--store", store, *options]
    with ForkedProcess(command, env=os.environ, stderr=subprocess.PIPE) as process:
        try:
            yield process
        finally:
            process.send_signal(SIGTERM)


@pytest.mark.timeout(300)
def test_a_run_of_another_process_shows_on_open_pages(
    held_judge: OpenAIServer, store_url: str, tab: Page, tmp_path: Path
) -> None:
    held_judge.most_answers = 20
    open_store(store_url).close()
    with served(store_url) as site:
        tab.goto(site.url)
        expect(tab.get_by_text("No run yet")).to_be_visible()
        options = ("--judge", "openai", "--name", "elsewhere", "--concurrency", "2")
        with _on_the_command_line(write_dataset(tmp_path, 40), store_url, *options) as process:
            tab.get_by_role("link", name="elsewhere").click()
            rows = tab.locator("#rows tr")
            expect(rows.nth(1)).to_be_visible()
            early = rows.count()
            held_judge.most_answers = 40
            expect(rows.nth(early + 3)).to_be_visible()
            expect(tab.get_by_role("button", name="Stop")).to_have_count(0)
            held_judge.most_answers = None
            assert process.wait(90) in (0, 1), process.stderr and process.stderr.read()
        expect(tab.locator(".state.complete")).to_be_visible()
        expect(rows).to_have_count(40)
        expect(tab.locator("#count")).to_have_text("40 cases, as they arrive")
        expect(tab).to_have_title("✓ done · elsewhere · ragstone")
        tab.get_by_role("link", name="show the worst first").click()
        expect(tab.locator("#count")).to_have_text("40 cases")


def test_errors_are_told_by_cause_and_measured_again(
    held_judge: OpenAIServer, site: Site, tab: Page, tmp_path: Path
) -> None:
    held_judge.most_answers = None
    reason = f"{'The request was refused, as the log says. ' * 4}The account has no credit."
    held_judge.faults.add(faults.status(400, reason), matching=r"question [12]\b")
    with write_dataset(tmp_path, 6).open("rb") as file:
        dataset = client.post(f"{site.url}/api/datasets", files={"file": file}).json()["id"]
    order = {"dataset": dataset, "judge": "openai", "metrics": ["answer_relevancy"]}
    run = client.post(f"{site.url}/api/runs", json=order).json()["id"]
    tab.goto(f"{site.url}/runs/{run}")
    expect(tab.locator(".state.complete")).to_be_visible()
    told = tab.locator(".errors li")
    expect(told).to_have_count(1)
    expect(told).to_contain_text("The account has no credit.")
    expect(told).to_contain_text("Answer Relevancy 2; first in case 2")
    held_judge.faults.clear()
    tab.get_by_role("button", name="Measure 2 results again").click()
    expect(tab.locator(".errors")).to_have_count(0)
    expect(tab.locator(".state.complete")).to_be_visible()
    assert site.store.line(site.store.find(run)).metrics[0].figure.not_measured == 0


def test_judge_that_does_not_answer_is_told_of(site: Site, tab: Page) -> None:
    run = Run.begin(Plan(metrics=("faithfulness",), judge="openai:gpt", name="waits"))
    recorder = site.store.recorder()
    recorder(RunStarted(run, 9))
    tab.goto(f"{site.url}/runs/{run.id}")
    expect(tab.locator(".state.live")).to_be_visible()
    recorder(JudgeWaiting("openai:gpt", 95.0, "503", 29, 600.0))
    expect(tab.locator(".state.waiting")).to_be_visible()
    expect(tab.get_by_role("alert").first).to_contain_text("has not answered for 95 s (503), 29 calls wait")
    tab.goto(site.url)
    expect(tab.locator(".state.waiting")).to_be_visible()
    recorder(RunFinished(run, complete=False))


_JUDGE = """
import signal
from tests.dashboard.runs import judge_script
from tests.servers.openai import OpenAIServer

with OpenAIServer(judge_script()) as server:
    server.most_answers = 30
    print(server.origin.rsplit(":")[-1], flush=True)
    signal.pause()
"""


@pytest.mark.timeout(300)
def test_killed_judge_is_told_of_until_it_is_back(
    site: Site, tab: Page, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    have_patience(monkeypatch, 600.0)
    script = tmp_path / "judge.py"
    script.write_text(_JUDGE, "utf-8")
    with ForkedProcess([str(script)], env=os.environ, stdout=subprocess.PIPE) as judge:
        assert judge.stdout is not None
        port = int(judge.stdout.readline())
        monkeypatch.setenv("OPENAI_BASE_URL", OpenAIServer(port=port).base_url)
        monkeypatch.setenv("OPENAI_API_KEY", OpenAIServer().key or "")
        with write_dataset(tmp_path, 20).open("rb") as file:
            dataset = client.post(f"{site.url}/api/datasets", files={"file": file}).json()["id"]
        order = {"dataset": dataset, "judge": "openai", "metrics": ["answer_relevancy"], "name": "waits"}
        run = client.post(f"{site.url}/api/runs", json=order).json()["id"]
        tab.goto(f"{site.url}/runs/{run}")
        expect(tab.locator("#rows tr").nth(1)).to_be_visible()
        judge.send_signal(SIGKILL)
        banner = tab.locator("#head [role=alert]")
        expect(banner).to_contain_text(re.compile(r"has not answered for \d+ s"))
        expect(tab.locator(".state.waiting")).to_be_visible()
        expect(tab.locator("#head")).not_to_contain_text(" left")
        expect(tab).to_have_title(re.compile(r"^⚠ \d+ % · waits · ragstone$"))
    with serving(OpenAIServer(judge_script(), port=port)):
        expect(tab.locator(".state.complete")).to_be_visible()
        expect(banner).to_have_count(0)
        expect(tab).to_have_title("✓ done · waits · ragstone")
        expect(tab.locator("#rows tr")).to_have_count(20)
    line = site.store.line(site.store.find(run))
    assert (line.progress.done, line.metrics[0].figure.not_measured) == (20, 0)


def test_lost_connection_is_told_of(chromium: Browser, tmp_path: Path) -> None:
    tab = chromium.new_page()  # what it says on its console is no surprise here
    with served(tmp_path / "runs.sqlite3") as site:
        run = keep(site.store).run.id
        tab.goto(f"{site.url}/annotate?run={run}")
        tab.get_by_label("name").first.fill("ada")
        tab.keyboard.press("Enter")
        expect(tab.locator("#h-case")).to_be_visible()
        pages = {path: chromium.new_page() for path in ("/", f"/runs/{run}")}
        for path, page in pages.items():
            page.goto(site.url + path)
            expect(page.locator("#lost")).to_be_hidden()
    tab.keyboard.press("y")
    expect(tab.locator("#lost")).to_contain_text("Nothing was stored")
    for page in (tab, *pages.values()):
        expect(page.locator("#lost")).to_be_visible()
        page.close()


@pytest.mark.timeout(300)
def test_run_whose_server_was_killed_is_resumed_in_the_tab_that_stayed_open(
    held_judge: OpenAIServer, chromium: Browser, tmp_path: Path
) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    url, store = f"http://127.0.0.1:{port}", tmp_path / "runs.sqlite3"
    command = [RAGSTONE, "serve", "--store", str(store), "--port", str(port)]
    env = {**os.environ, "XDG_DATA_HOME": str(tmp_path)}
    tab = chromium.new_page()
    held_judge.most_answers = 5
    with ForkedProcess(command, env=env, stdout=subprocess.PIPE) as server:
        wait_until(lambda: answers(url))
        with write_dataset(tmp_path, 12).open("rb") as file:
            dataset = client.post(f"{url}/api/datasets", files={"file": file}).json()["id"]
        order = {"dataset": dataset, "judge": "openai", "metrics": ["answer_relevancy"]}
        run = client.post(f"{url}/api/runs", json=order).json()["id"]
        tab.goto(f"{url}/runs/{run}")
        expect(tab.locator(".state.live")).to_be_visible()
        server.send_signal(SIGKILL)
        expect(tab.locator("#lost")).to_contain_text("The connection to the server is lost")
    held_judge.most_answers = None
    with ForkedProcess(command, env=env, stdout=subprocess.PIPE) as server:
        expect(tab.locator("#lost")).to_be_hidden()
        expect(tab.locator(".state.silent")).to_be_visible()
        tab.get_by_role("button", name="Resume").click()
        expect(tab.locator(".state.complete")).to_be_visible()
        line = client.get(f"{url}/api/runs/{run}").json()
        assert (line["done"], line["total"], line["metrics"][0]["figure"]["not_measured"]) == (12, 12, 0)
        server.send_signal(SIGTERM)
    tab.close()


def answers(url: str) -> bool:
    try:
        return client.get(url).status_code == 200
    except httpx.TransportError:
        return False


def test_tab_left_open_over_night_shows_what_happened(site: Site, chromium: Browser) -> None:
    run = Run.begin(Plan(metrics=("faithfulness",), judge="local", name="nightly"))
    recorder = site.store.recorder()
    recorder(RunStarted(run, 2))
    _measure(recorder, 0)
    context = chromium.new_context()
    tab = context.new_page()
    tab.clock.install()
    tab.goto(f"{site.url}/runs/{run.id}")
    expect(tab.locator(".state.live")).to_be_visible()
    context.set_offline(True)
    _measure(recorder, 1)
    recorder(RunFinished(run, complete=True))
    tab.clock.fast_forward("10:00:00")
    context.set_offline(False)
    expect(tab.locator(".state.complete")).to_be_visible()
    expect(tab.locator("#rows tr")).to_have_count(2)
    expect(tab).to_have_title("✓ done · nightly · ragstone")
    expect(tab.locator("#lost")).to_be_hidden()
    context.close()


def test_list_left_open_over_night_shows_the_run_that_ended(site: Site, chromium: Browser) -> None:
    run = Run.begin(Plan(metrics=("faithfulness",), judge="local", name="nightly"))
    recorder = site.store.recorder()
    recorder(RunStarted(run, 1))
    context = chromium.new_context()
    tab = context.new_page()
    tab.clock.install()
    tab.goto(site.url)
    row = tab.locator(f"#run-{run.id}")
    expect(row.locator(".state.live")).to_be_visible()
    context.set_offline(True)
    with tab.expect_event("requestfailed", lambda failed: failed.resource_type == "xhr"):
        _measure(recorder, 0)  # the list hears that the run has moved on, and cannot be read anew
        recorder(RunFinished(run, complete=True))
    expect(tab.locator("#lost")).to_contain_text("What is shown may be old")
    tab.clock.fast_forward("10:00:00")
    context.set_offline(False)
    expect(row.locator(".state.complete")).to_be_visible()
    expect(tab.locator("#lost")).to_be_hidden()
    with tab.expect_request("**/live?*"):  # a connection from which nothing came for so long is opened anew
        tab.clock.fast_forward("10:00:00")
    context.close()


def _measure(recorder: Callable[[Event], None], index: int) -> None:
    case = TestCase(input=f"question {index}", actual_output="answer")
    told = Result(metric="Faithfulness", spec="faithfulness", score=1.0, success=True, threshold=0.5)
    recorder(MeasurementFinished(index, 0, case, told))


def test_stream_resumes_at_last_event_id(site: Site) -> None:
    for later in (0, 6):
        with client.stream(
            "GET", f"{site.url}/api/runs/{_kept(site)}/stream", headers={"Last-Event-ID": str(later)}
        ) as told:
            news = _first_news(told)
        assert sorted(case["index"] for case in news["cases"]) == list(range(later // 2, CASES))
        assert news["run"]["state"] == "complete"


def _kept(site: Site) -> str:
    if not site.store.runs():
        keep(site.store)
    return site.store.find("last").run.id


def _first_news(told: httpx.Response) -> dict[str, Any]:
    for line in told.iter_lines():
        if line.startswith("data: {"):
            return json.loads(line.removeprefix("data: "))
    raise AssertionError
