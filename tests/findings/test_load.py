import json
from pathlib import Path

import pytest

from ragstone import Report, evaluate
from ragstone.errors import BadDataset, UsageError
from ragstone.findings.load import load_report
from ragstone.findings.registry import write


@pytest.fixture(scope="module")
def report() -> Report:
    return evaluate("demo", ["faithfulness", "faithfulness(threshold=0.9)", "contextual_recall"], limit=12)


def test_json_report_round_trips(report: Report, tmp_path: Path) -> None:
    write(report, tmp_path / "r.json")
    read = load_report(tmp_path / "r.json")
    assert read.run.plan == report.run.plan.model_copy(update={"name": "r.json"})
    assert read.cases == report.cases
    assert [[r.score for r in results] for results in read.results] == [
        [r.score for r in rs] for rs in report.results
    ]
    assert read.summary() == report.summary()
    assert read.exit_code == report.exit_code


def test_json_lines_report_round_trips(report: Report, tmp_path: Path) -> None:
    write(report, tmp_path / "r.jsonl")
    read = load_report(str(tmp_path / "r.jsonl"))
    assert [case.id for case in read.cases] == [case.id for case in report.cases]
    assert read.results == load_report(report).results or read.summary() == report.summary()
    assert read.run.plan.judge == "local"
    assert read.run.plan.metrics == report.run.plan.metrics


def test_duplicate_cases_are_loaded_as_two(tmp_path: Path) -> None:
    twice = evaluate([{"input": "q", "actual_output": "a", "expected_output": "a"}] * 2, "exact_match")
    write(twice, tmp_path / "r.jsonl")
    assert len(load_report(tmp_path / "r.jsonl").results) == 2


def test_a_report_is_returned_as_it_is(report: Report) -> None:
    assert load_report(report) is report


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is empty"),
        ("not json", "is not a report"),
        ("[1, 2]", "is not a report"),
        ('{"a": 1}', "is not a report"),
        ('{"metric": "M", "score": "high"}', "score"),
        ('{"metric": "M"}\n{broken\n', "is not a report"),
    ],
)
def test_file_that_is_not_a_report_raises(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    path.write_text(text)
    with pytest.raises(BadDataset, match=message):
        load_report(path)


def test_missing_file_and_missing_store_raise(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(BadDataset, match=r"There is no file 'run-7.json'\. Name a report"):
        load_report("run-7.json")
    monkeypatch.setattr("ragstone.store.schema.connect.user_data_path", lambda _: tmp_path / "none")
    with pytest.raises(UsageError, match="no run has been stored yet"):
        load_report("run-7")
    assert not (tmp_path / "none").exists()


def test_stored_run_is_loaded_by_id_name_or_last(tmp_path: Path) -> None:
    store = tmp_path / "runs.sqlite3"
    kept = evaluate("demo", ["exact_match", "faithfulness"], limit=12, store=store, name="baseline")
    for name in (kept.run.id, "baseline", "last"):
        read = load_report(name, store)
        assert read.run.id == kept.run.id
        assert [case.id for case in read.cases] == [case.id for case in kept.cases]
        assert read.summary() == kept.summary()
    with pytest.raises(UsageError, match="There is no run 'basis'"):
        load_report("basis", store)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"score": 30.0}, "score 30.0 is not from 0 to 1"),
        ({"score": float("nan")}, "score nan is not from 0 to 1"),
        ({"threshold": -1.0}, "threshold -1.0 is not from 0 to 1"),
        ({"higher_is_better": False}, "of Faithfulness, higher is better"),
        ({"metadata": {"repeats": [1.0]}}, "repeats are not a list of objects"),
    ],
)
def test_edited_result_is_refused(changed: dict[str, object], message: str, tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    line = {"metric": "Faithfulness", "spec": "faithfulness", "score": 0.5, "success": True, "case_id": "c"}
    path.write_text(json.dumps(line) + "\n")
    assert load_report(path).results[0][0].score == 0.5
    path.write_text(json.dumps({**line, **changed}) + "\n")
    with pytest.raises(BadDataset, match=message):
        load_report(path)


def test_report_with_a_field_of_another_type_is_refused(report: Report, tmp_path: Path) -> None:
    path = tmp_path / "r.json"
    write(report, path)
    path.write_text(json.dumps({**json.loads(path.read_text()), "rejected": 5}))
    with pytest.raises(BadDataset, match="rejected: Input should be a valid list"):
        load_report(path)
