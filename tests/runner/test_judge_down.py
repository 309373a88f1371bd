"""A judge's server that is gone for good, or refuses the key: one decision for the whole run, told while it waits."""

import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from tests.servers.faults import Fault, refused_key, reset, status
from tests.servers.openai import OpenAIServer
from tests.servers.script import Script, every

from ragstone import Report, TestCase, evaluate
from ragstone.event import Event, EventListener, JudgeWaiting
from ragstone.judges import LLMJudge
from ragstone.options import Limits
from ragstone.providers import OpenAI, Retry
from ragstone.providers.http import server_state
from ragstone.providers.http.transport import open_transport
from ragstone.runner import get_engine

CASES = [TestCase(input=f"q{number}", actual_output=f"Lamp {number} is tall.") for number in range(80)]


def have_patience(monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    """Let runs stop after so many seconds without an answer, and tell it at once."""
    get_engine("local")
    module = sys.modules["ragstone.runner.execute"]  # the package has a function of that name
    retry = Retry(base=0.01, cap=0.05, patience=seconds)
    monkeypatch.setattr(module, "open_transport", partial(open_transport, retry=retry))
    monkeypatch.setattr(server_state, "_REPORT_AFTER_SECONDS", 0.1)
    monkeypatch.setattr(server_state, "_REPORT_EVERY_SECONDS", 0.1)


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[OpenAIServer]:
    have_patience(monkeypatch, 1.0)
    script = Script(statements=["It is tall."], verdicts=every({"reason": "r", "verdict": "yes"}))
    with OpenAIServer(script) as server:
        yield server


def judge_of(server: OpenAIServer) -> LLMJudge:
    return LLMJudge(provider=OpenAI(model="judge", base_url=server.base_url, api_key=server.key))


def run(server: OpenAIServer, listener: EventListener = lambda _: None, **options: Any) -> Report:
    return evaluate(
        CASES, ["answer_relevancy"], judge=judge_of(server), concurrency=16, listeners=[listener], **options
    )


@pytest.mark.parametrize(
    "fault", [status(503, "no healthy upstream"), reset(), status(500)], ids=lambda one: one.name
)
def test_run_stops_once_the_server_answers_nobody(server: OpenAIServer, fault: Fault, tmp_path: Path) -> None:
    seen: list[Event] = []

    def break_the_server(event: Event) -> None:
        seen.append(event)
        if len(seen) == 60:
            server.faults.add(fault)

    store = f"sqlite:///{tmp_path / 'runs.db'}"
    report = run(server, break_the_server, store=store)
    assert (report.complete, report.exit_code) == (False, 3)
    assert "judge at http://127.0.0.1" in report.stopped
    assert [result.error for _, result in report.flat() if result.error] == [], "no result has failed"
    waiting = [event for event in seen if isinstance(event, JudgeWaiting)]
    assert waiting[-1].waiting > 1
    assert "has not answered for" in waiting[-1].message

    server.faults.clear()
    resumed = evaluate(CASES, resume=report.run.id, store=store, judge=judge_of(server))
    assert resumed.complete
    assert len(resumed) == len(CASES)


def test_outage_that_ends_is_told_and_loses_nothing(
    server: OpenAIServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    have_patience(monkeypatch, 60.0)
    seen: list[Event] = []
    server.faults.add(status(503, "no healthy upstream"), times=200)
    report = run(server, seen.append)
    assert report.complete
    assert {result.error for _, result in report.flat()} == {None}
    messages = [event.message for event in seen if isinstance(event, JudgeWaiting)]
    assert messages[-1] == "openai:judge answers again"


def test_refused_key_costs_one_request(server: OpenAIServer) -> None:
    server.faults.add(refused_key())
    report = run(server)
    assert {result.error_type for _, result in report.flat()} == {"AccessRefused"}
    assert len(server.requests) == 1


def test_one_prompt_that_always_fails_does_not_stop_the_run(server: OpenAIServer) -> None:
    server.faults.add(status(500), matching="Lamp 7 is tall")
    report = run(server)
    assert report.complete
    assert sum(result.error is not None for _, result in report.flat()) == 1


def test_cost_of_measurements_that_a_budget_stopped_is_counted(server: OpenAIServer) -> None:
    judge = LLMJudge(provider=judge_of(server).provider, prices={"judge": (1000.0, 1000.0, 1000.0)})
    report = evaluate(
        CASES[:4], ["answer_relevancy"], judge=judge, concurrency=1, limits=Limits(max_cost=0.9)
    )
    assert not report.complete
    assert report.cost is not None
    assert report.cost > 0
    assert report.usage.calls == len(server.requests)
