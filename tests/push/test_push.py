"""Scores out: to servers that check bodies by the published schemas. A second push changes nothing."""

import asyncio
import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.cli.command import invoke
from tests.push.score_servers import (
    LangfuseServer,
    MLflowServer,
    OtlpServer,
    PhoenixServer,
    ScoreServer,
    serving,
)
from tests.testing.for_each import for_each
from tests.traces.otlp_requests import TRACE
from tests.traces.rag_traces import rag_request

from ragstone import Result, TestCase, load_dataset
from ragstone.errors import BadOption, UnknownName
from ragstone.push import PushAddress, PushOutcome, find_address, outgoing_scores, push_scores
from ragstone.traces import merge_records, parse_request
from ragstone.traces.cases import trace_cases

SERVERS: dict[str, type[ScoreServer]] = {
    "phoenix": PhoenixServer,
    "langfuse": LangfuseServer,
    "mlflow": MLflowServer,
    "otlp": OtlpServer,
}
KEYS = {"LANGFUSE_PUBLIC_KEY": "pk-lf-1", "LANGFUSE_SECRET_KEY": "sk-lf-1"}
CASE = TestCase(
    input="q",
    actual_output="a",
    id=TRACE,
    metadata={"traceparent": f"00-{TRACE}-{1:016x}-01", "trace": {"unit": "trace"}},
)
SPAN_CASE = TestCase(
    input="q", id="x", metadata={"traceparent": f"00-{TRACE}-{3:016x}-01", "trace": {"unit": "span:chat"}}
)
GOOD = Result(
    metric="Faithfulness", spec="faithfulness", score=0.5, success=True, reason="1 of 2", judge="openai:m"
)
EXACT = Result(metric="ExactMatch", spec="exact_match", score=0.0, judge="openai:m")
FAILED = Result(metric="Groundedness", spec="groundedness", error="TimedOut: no answer", judge="openai:m")
SKIPPED = Result(metric="BLEU", spec="bleu", skipped=True)
RESULTS = [(CASE, GOOD), (CASE, EXACT), (CASE, FAILED), (CASE, SKIPPED), (SPAN_CASE, GOOD)]


@pytest.fixture(params=SERVERS)
def server(request: pytest.FixtureRequest) -> Iterator[tuple[str, ScoreServer]]:
    with serving(SERVERS[request.param]()) as started:
        yield request.param, started


def pushed(destination: str, started: ScoreServer, results: Any = RESULTS) -> PushOutcome:
    address = find_address(destination, started.url, KEYS)
    return asyncio.run(push_scores(outgoing_scores(results, "run-1", 1_700_000_000_000_000_000), address))


def test_scores_arrive_and_a_second_push_changes_nothing(server: tuple[str, ScoreServer]) -> None:
    destination, started = server
    first = pushed(destination, started)
    kept = copy.deepcopy(started.kept)
    unsendable = destination == "langfuse"
    assert (first.sent, first.failed, first.without_score, first.left_out) == (
        4 - unsendable,
        0,
        1,
        int(unsendable),
    )
    assert len(kept) == first.sent
    again = pushed(destination, started)
    assert started.kept == kept
    assert (again.sent + again.unchanged, again.failed) == (first.sent, 0)
    if destination == "mlflow":
        assert (again.sent, again.unchanged) == (0, 4)


def test_an_unmeasured_result_is_never_sent_as_a_score(server: tuple[str, ScoreServer]) -> None:
    destination, started = server
    pushed(destination, started, [(CASE, FAILED)])
    sent = json.dumps(started.requests)
    for mark in ('"score":', '"value": 0', "score.value", 'evaluation.score"'):
        assert mark not in sent
    assert ("not_measured" in sent) == (destination != "langfuse")


def test_a_changed_score_takes_the_place_of_the_earlier_one(server: tuple[str, ScoreServer]) -> None:
    destination, started = server
    pushed(destination, started, [(CASE, GOOD)])
    pushed(destination, started, [(CASE, GOOD.model_copy(update={"score": 0.75}))])
    (kept,) = started.kept.values()
    assert "0.75" in json.dumps(kept)
    assert "0.5" not in json.dumps(kept)


def test_phoenix_annotates_the_trace_or_the_span() -> None:
    with serving(PhoenixServer()) as started:
        pushed("phoenix", started)
    by_target = {key[:3]: item for key, item in started.kept.items()}
    good = by_target["trace_id", TRACE, "Faithfulness"]
    assert good["result"] == {"label": "passed", "score": 0.5, "explanation": "1 of 2"}
    assert good["annotator_kind"] == "LLM"
    assert by_target["trace_id", TRACE, "ExactMatch"]["annotator_kind"] == "CODE"  # asks no judge
    assert by_target["trace_id", TRACE, "Groundedness"]["result"] == {
        "label": "not_measured",
        "explanation": "TimedOut: no answer",
    }
    assert ("span_id", f"{3:016x}", "Faithfulness") in by_target


def test_mlflow_receives_unmeasured_result_as_an_error() -> None:
    with serving(MLflowServer()) as started:
        pushed("mlflow", started, [(CASE, FAILED)])
    (kept,) = started.kept.values()
    assert kept["feedback"] == {"error": {"error_code": "TimedOut", "error_message": "TimedOut: no answer"}}


def test_a_session_is_scored_in_langfuse_only(server: tuple[str, ScoreServer]) -> None:
    destination, started = server
    case = TestCase(input="q", id="s-1", metadata={"trace": {"unit": "session"}})
    found = pushed(destination, started, [(case, GOOD)])
    if destination == "langfuse":
        (kept,) = started.kept.values()
        assert (kept["sessionId"], found.sent) == ("s-1", 1)
    else:
        assert (found.sent, found.left_out, started.kept) == (0, 1, {})


def test_score_spans_are_feedback_only_from_other_tools() -> None:
    with serving(OtlpServer()) as started:
        pushed("otlp", started)
    carried = started.requests[0][2]
    spans = parse_request(carried).records
    application = parse_request(rag_request()).records
    (case,) = trace_cases([*application, *spans])
    assert isinstance(case, TestCase)
    assert "feedback" not in case.metadata  # ragstone's own
    carried["resourceSpans"][0]["scopeSpans"][0]["scope"]["name"] = "another tool"
    renamed = parse_request(carried).records
    (case,) = trace_cases([*application, *renamed])
    assert isinstance(case, TestCase)
    assert {item["name"]: item.get("score") for item in case.metadata["feedback"]} == {
        "Faithfulness": 0.5,
        "ExactMatch": 0.0,
        "Groundedness": None,
    }
    assert len(merge_records([*spans, *spans])) == 4


def test_refused_scores_are_counted_with_a_problem() -> None:
    with serving(LangfuseServer()) as started:
        address = find_address("langfuse", started.url, {**KEYS, "LANGFUSE_SECRET_KEY": "sk-wrong"})
        found = asyncio.run(push_scores(outgoing_scores(RESULTS, "run-1", 1), address))
    assert (found.sent, found.failed, found.left_out) == (0, 3, 1)
    assert found.problem is not None
    assert "sk-wrong" not in found.problem


@for_each(
    "destination, url, environment, told",
    [
        (
            "phoenix",
            None,
            {},
            "phoenix has no address: give --endpoint URL, or set PHOENIX_COLLECTOR_ENDPOINT.",
        ),
        ("mlflow", "mlruns", {}, "'mlruns' is not a URL"),
        ("langfuse", "http://localhost:3000", {}, "set LANGFUSE_PUBLIC_KEY and LANGFUSE_SECRET_KEY"),
    ],
)
def test_missing_or_invalid_address_is_refused(
    destination: str, url: str | None, environment: dict[str, str], told: str
) -> None:
    with pytest.raises(BadOption, match=told.replace(".", r"\.")):
        find_address(destination, url, environment)
    with pytest.raises(UnknownName, match="score destination"):
        find_address("pheonix", "http://localhost", {})


def test_addresses_and_keys_from_the_variables_of_each_client() -> None:
    otlp = find_address(
        "otlp",
        None,
        {
            "OTEL_EXPORTER_OTLP_ENDPOINT": "http://localhost:4318/",
            "OTEL_EXPORTER_OTLP_HEADERS": "x-key=a%20b",
        },
    )
    assert (otlp.url, otlp.headers["x-key"]) == ("http://localhost:4318/v1/traces", "a b")
    exact = find_address("otlp", None, {"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://localhost:4318/in"})
    assert exact.url == "http://localhost:4318/in"
    phoenix = find_address("phoenix", "http://localhost:6006", {"PHOENIX_API_KEY": "k"})
    assert phoenix.headers["Authorization"] == "Bearer k"
    assert "Bearer" not in repr(phoenix)
    assert isinstance(phoenix, PushAddress)


def test_push_command_sends_scores_of_a_trace_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, store = tmp_path / "traces.jsonl", tmp_path / "runs.db"
    path.write_text(json.dumps(rag_request()))
    assert load_dataset(path)[0].id == TRACE
    metric = "pattern_match(pattern='.*two years.*')"
    assert invoke("run", path, "-m", metric, "--store", store, "-q").exit_code == 0
    with serving(PhoenixServer()) as started:
        monkeypatch.setenv("PHOENIX_COLLECTOR_ENDPOINT", started.url)
        found = invoke("push", "last", "--to", "phoenix", "--store", store)
        assert found.exit_code == 0, found.output
        assert "pushed to phoenix: 1" in found.output
        (kept,) = started.kept.values()
    assert (kept["trace_id"], kept["result"]["score"], kept["annotator_kind"]) == (TRACE, 1.0, "CODE")
    plain = tmp_path / "plain.jsonl"
    plain.write_text('{"input": "q", "actual_output": "two years"}')
    invoke("run", plain, "-m", metric, "--store", store, "-q")
    refused = invoke("push", "last", "--to", "phoenix", "--store", store)
    assert refused.exit_code == 2
    assert "belongs to a trace" in refused.output
