"""Plain functions hear of a run; one that fails harms nobody."""

import logging
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from ragstone import evaluate
from ragstone.errors import UnknownName
from ragstone.judges import ScriptedJudge
from ragstone.prompts import ExtractClaims, JudgeClaims
from ragstone.telemetry import attach, attach_default_logger, detach, detach_default_logger
from ragstone.telemetry._handlers import subscriptions

CASES = [
    {"name": "one", "input": "q", "actual_output": "a", "retrieval_context": ["a"]},
    {"name": "two", "input": "q", "actual_output": "a"},
]
METRIC = "faithfulness(evidence='context')"


@pytest.fixture(autouse=True)
def detach_all_handlers() -> Iterator[None]:
    yield
    for entry in subscriptions():
        detach(entry)


def judge() -> ScriptedJudge:
    return (
        ScriptedJudge()
        .respond(ExtractClaims, {"claims": ["C."]})
        .respond(JudgeClaims, {"verdicts": [{"reason": None, "verdict": "yes"}]})
    )


def test_handler_receives_each_event_with_measurements() -> None:
    heard: list[tuple[str, dict[str, Any], dict[str, Any]]] = []

    def handler(event: str, measurements: Mapping[str, Any], metadata: Mapping[str, Any]) -> None:
        heard.append((event, dict(measurements), dict(metadata)))

    attach(handler)
    evaluate(CASES, METRIC, judge=judge(), concurrency=1, name="mine")
    names = [event for event, _, _ in heard]
    assert names == [
        "run.start",
        "metric.start",
        "judge.request",
        "judge.request",
        "metric.stop",
        "metric.start",
        "metric.exception",
        "run.stop",
    ]
    assert len({metadata["run_id"] for _, _, metadata in heard}) == 1
    start, stop, failed, end = heard[0], heard[4], heard[6], heard[7]
    assert start[1] == {"total": 2}
    assert start[2]["name"] == "mine"
    assert stop[1]["score"] == 1.0
    assert stop[1]["calls"] == 2
    assert stop[1]["duration_ms"] > 0
    assert stop[2]["metric"] == "Faithfulness"
    assert stop[2]["case_name"] == "one"
    assert stop[2]["result"].success
    assert failed[2]["error"].startswith("MissingField")
    assert end[1]["results"] == 2
    assert end[1]["failures"] == 1
    assert heard[2][2]["prompt"] == "ExtractClaims"


def test_only_the_events_asked_for_until_detached() -> None:
    heard: list[str] = []
    entry = attach(lambda event, *_: heard.append(event), events=("metric.stop",))
    evaluate(CASES[:1], METRIC, judge=judge())
    detach(entry)
    detach(entry)
    evaluate(CASES[:1], METRIC, judge=judge())
    assert heard == ["metric.stop"]


def test_unknown_event_is_rejected() -> None:
    with pytest.raises(UnknownName, match=r"named 'metric.end'. Did you mean"):
        attach(print, events=["metric.end"])


def test_a_handler_that_raises_is_detached_and_the_run_goes_on(caplog: pytest.LogCaptureFixture) -> None:
    def broken(event: str, *_: object) -> None:
        raise RuntimeError(event)

    attach(broken)
    assert evaluate(CASES[:1], METRIC, judge=judge()).exit_code == 0
    assert [record.levelname for record in caplog.records] == ["WARNING"]
    assert "was detached" in caplog.text


def test_default_logger_logs_runs_and_metrics_once(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, logger="ragstone")
    attach_default_logger()
    attach_default_logger()
    evaluate(CASES, METRIC, judge=judge(), concurrency=1)
    lines = [f"{record.levelname} {record.message}" for record in caplog.records]
    assert len(lines) == 4
    assert lines[0].startswith("INFO run.start dataset=the list judge=scripted")
    assert "metric.stop Faithfulness: PASS (100.0%) - 1 of 1 claims are supported. [" in lines[1]
    assert lines[2].startswith("WARNING metric.exception Faithfulness: NOT MEASURED - MissingField")
    detach_default_logger()
    detach_default_logger()
    evaluate(CASES, METRIC, judge=judge())
    assert len(caplog.records) == 4
