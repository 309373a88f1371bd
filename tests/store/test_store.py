import gc
import random
from pathlib import Path
from typing import Any

import pytest
from tests.testing.outcome import OUTPUTS, JudgedOutcome, Outcome, outcomes

from ragstone import TestCase, evaluate
from ragstone.errors import BadOption, StoreError, UsageError
from ragstone.event import Event, MeasurementFinished, RunFinished, RunStarted
from ragstone.findings.stored import report_from_store, stored_report
from ragstone.judges import ScriptedJudge
from ragstone.metrics import AnswerRelevancy, ExactMatch
from ragstone.prompts import ExtractStatements
from ragstone.result import Result, Usage
from ragstone.run import Plan, Run
from ragstone.store import open_store

CASES = [
    {"input": f"q{number}", "actual_output": f"a{number}", "expected_output": f"a{number % 7}", "tags": ["t"]}
    for number in range(40)
]
NASTY = "NUL \x00, umlaut \u00e4, line\nbreak, quote \"'"


def lines(report: Any) -> list[str]:
    return [result.model_dump_json() for results in report.results for result in results]


def test_labels_of_a_stored_run_are_those_in_memory(store_url: str) -> None:
    metrics = [Outcome(), JudgedOutcome(), ExactMatch()]
    cases = [case.model_copy(update={"expected_output": "answered"}) for case in outcomes(*OUTPUTS)]
    stored, memory = evaluate(cases, metrics, store=store_url, name="n"), evaluate(cases, metrics)
    assert stored.summary() == memory.summary()
    assert stored.statuses() == memory.statuses()
    assert stored.exit_code == memory.exit_code
    store = open_store(store_url)
    run = store.find("n")
    figures = [metric.figure() for metric in store.figures(run).metrics]
    assert figures == list(memory.summary().values())
    line = store.line(run).metrics[0].figure
    assert (line.n, line.undecided, line.mean) == (17, 1, None)
    store.close()


def test_stored_report_equals_the_report_in_memory(store_url: str) -> None:
    heard: list[Event] = []
    stored = evaluate(
        CASES,
        [ExactMatch(), ExactMatch(case_sensitive=False)],
        store=store_url,
        listeners=[heard.append],
        name="n",
    )
    results = {(e.case_index, e.metric_index): e.result for e in heard if isinstance(e, MeasurementFinished)}
    assert lines(stored) == [result.model_dump_json() for _, result in sorted(results.items())]
    assert list(stored.cases) == [TestCase.model_validate(case) for case in CASES]
    assert (len(stored.results), len(stored.cases)) == (40, 40)
    assert stored.results[3] == stored.results[-37]
    assert stored.results[2:4] == [stored.results[2], stored.results[3]]
    with pytest.raises(IndexError):
        stored.results[40]
    memory = evaluate(CASES, [ExactMatch(), ExactMatch(case_sensitive=False)])
    assert stored.summary() == memory.summary()
    assert (stored.exit_code, stored.usage, stored.cost, stored.complete) == (
        1,
        memory.usage,
        memory.cost,
        True,
    )
    again = stored_report("n", store_url)
    assert lines(again) == lines(stored)
    assert again.run == stored.run
    assert again.results == stored.results


def test_stored_texts_and_numbers_round_trip(store_url: str) -> None:
    store = open_store(store_url)
    run = Run.begin(Plan(metrics=("m",), judge="j", name=NASTY), (NASTY,))
    case = TestCase(input=NASTY, metadata={"of mine": [1, None, {"a": NASTY}]}, name=NASTY)
    result = Result(
        metric=NASTY,
        spec="m",
        score=1 / 3,
        success=True,
        reason=NASTY,
        metadata={"z": 1, "a": [NASTY, None, 0.1 + 0.2]},
        usage=Usage(calls=1, input_tokens=10**10),
        evaluation_cost=1e-9,
        latency_ms=1 / 7,
        case_id=case.id,
        judge="j",
    )
    recorder = store.recorder()
    for event in (
        RunStarted(run, 1),
        MeasurementFinished(0, 0, case, result),
        RunFinished(run, complete=True),
    ):
        recorder(event)
    report = stored_report(run.id, store_url)
    assert report.run == run
    assert list(report.cases) == [case]
    assert report.results[0] == [result]
    assert report.results[0][0].model_dump_json() == result.model_dump_json()


def test_metadata_not_representable_in_json_is_stored_as_repr(store_url: str) -> None:
    class Mine:
        def __repr__(self) -> str:
            return "<mine>"

    cases = [
        TestCase(
            input="q", actual_output="a", expected_output="a", metadata={"of mine": Mine(), "half": "\ud800"}
        )
    ]
    report = evaluate(cases, [ExactMatch()], store=store_url)
    assert report.results[0][0].score == 1.0
    assert report.cases[0].metadata["of mine"] == "<mine>"


def test_repeated_result_is_stored_once(store_url: str) -> None:
    store = open_store(store_url)
    run = Run.begin(Plan(metrics=("m",), judge="j"))
    case = TestCase(input="q")
    results = [Result(metric="M", score=score, success=True, case_id=case.id) for score in (0.25, 0.75)]
    for result in results:
        recorder = store.recorder()
        for event in (
            RunStarted(run, 1),
            MeasurementFinished(0, 0, case, result),
            RunFinished(run, complete=True),
        ):
            recorder(event)
    report = stored_report(run.id, store_url)
    assert [result.score for result in report.results[0]] == [0.25]


def test_runs_are_found_by_id_prefix_name_and_last(store_url: str) -> None:
    first = evaluate(CASES[:1], [ExactMatch()], store=store_url, name="first").run
    second = evaluate(CASES[:1], [ExactMatch()], store=store_url, name="100%").run
    store = open_store(store_url)
    assert [found.run.id for found in store.runs()] == [second.id, first.id]
    assert [store.find(text).run.id for text in (first.id, first.id[:-1], "first", "100%", "last")] == [
        first.id,
        first.id,
        first.id,
        second.id,
        second.id,
    ]
    with pytest.raises(
        UsageError, match=rf"There is no run 'other' in .*The latest: {second.id}, {first.id}\."
    ):
        store.find("other")
    with pytest.raises(UsageError, match=r"There is no run '%' "):
        store.find("%")


def test_interrupted_run_has_only_measured_cases_in_order(store_url: str) -> None:
    store = open_store(store_url)
    run = Run.begin(Plan(metrics=("m",), judge="j"))
    recorder = store.recorder()
    recorder(RunStarted(run, None))
    places = random.Random(1).sample(range(2000), 700)
    for place in places:
        case = TestCase(input=str(place))
        recorder(
            MeasurementFinished(place, 0, case, Result(metric="M", score=0.5, success=True, case_id=case.id))
        )
    recorder(RunFinished(run, complete=False, why="money"))
    report = report_from_store(store, store.find(run.id))
    assert [case.input for case in report.cases] == [str(place) for place in sorted(places)]
    assert report.cases[5].input == str(sorted(places)[5])
    assert len(list(report.flat())) == len(report.results) == 700
    assert (report.complete, report.stopped, report.exit_code) == (False, "money", 3)


def test_rejected_rows_are_kept(store_url: str, tmp_path: Path) -> None:
    data = tmp_path / "d.jsonl"
    data.write_text('{"input": "q", "actual_output": "a", "expected_output": "a"}\n{"bad"\n')
    report = evaluate(data, [ExactMatch()], store=store_url, name="r")
    assert len(report.rejected) == 1
    assert stored_report("r", store_url).rejected == report.rejected
    assert report.exit_code == 3


def test_stored_failures_keep_error_status(store_url: str) -> None:
    judge = ScriptedJudge().respond(ExtractStatements, {"nothing": 1})
    report = evaluate(CASES[:2], [AnswerRelevancy()], judge=judge, store=store_url)
    assert {outcome.status for outcome in report.outcomes()} == {"not_measured"}
    assert report.summary()["AnswerRelevancy"].not_measured == 2


def test_invalid_store_is_rejected(tmp_path: Path) -> None:
    with pytest.raises(BadOption, match=r"'mysql://h/d' is not a store: give a file such as runs\.sqlite3"):
        open_store("mysql://h/d")
    with pytest.raises(BadOption, match="is not a store"):
        open_store("")
    blocked = tmp_path / "file"
    blocked.write_text("no database at all, though it is a file that is long enough to be one" * 100)
    with pytest.raises(StoreError, match=r"The store .*file cannot be read: file is not a database"):
        open_store(blocked)
    with pytest.raises(StoreError, match="cannot be created"):
        open_store(blocked / "runs.sqlite3")


def test_a_password_is_never_shown() -> None:
    pytest.importorskip("psycopg")
    with pytest.raises(
        StoreError, match=r"postgresql\+psycopg://me:\*\*\*@127\.0\.0\.1:1/db cannot be opened"
    ) as caught:
        open_store("postgresql://me:hush@127.0.0.1:1/db")
    assert "hush" not in str(caught.value)


def test_run_with_lone_surrogate_is_read_back(store_url: str) -> None:
    store = open_store(store_url)
    run = Run.begin(Plan(metrics=("faithfulness",), judge="half \ud83d"))
    recorder = store.recorder()
    recorder(RunStarted(run, 0))
    recorder(RunFinished(run, complete=True))
    assert store.find(run.id).run.started == run.started
    assert store.find(run.id).run.plan.judge == "half ?"


def test_garbage_collected_store_closes_its_connections(store_url: str) -> None:
    store = open_store(store_url)
    error = store._engine.dialect.loaded_dbapi.Error
    with store._engine.connect() as connection:
        opened: Any = connection.connection.dbapi_connection
    opened.cursor().execute("SELECT 1")
    del connection, store
    gc.collect()
    with pytest.raises(error, match="closed"):
        opened.cursor().execute("SELECT 1")
