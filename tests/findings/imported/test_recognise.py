"""Files of other tools. Those of Inspect, DeepEval and MLflow 3 were recorded (`recorded/record_*.py`); the others are
written by the tools' published formats, since the tools need a model or a network to write them."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.testing.for_each import for_each

from ragstone.errors import BadDataset
from ragstone.findings import Report
from ragstone.findings.load import load_report

RECORDED = Path(__file__).with_name("recorded")


def read(name: str) -> Report:
    return load_report(RECORDED / name)


def scores(report: Report) -> dict[str, dict[str, float | None]]:
    """Return question, then metric, then score."""
    return {
        case.input: {result.metric: result.score for result in row}
        for case, row in zip(report.cases, report.results, strict=True)
    }


PARIS, SUM = "What is the capital of France?", "What is 2 + 2?"


@for_each(
    "name, judge, expected",
    [
        (
            "promptfoo-v2.json",
            "promptfoo",
            {
                PARIS: {"score": 1, "contains": 1, "brevity": 1},
                SUM: {"score": 0.5, "contains": 0, "brevity": 1},
            },
        ),
        (
            "ragas-0.1.csv",
            "ragas",
            {
                PARIS: {"faithfulness": 1, "answer_relevancy": 0.98},
                SUM: {"faithfulness": 0, "answer_relevancy": None},
            },
        ),
        (
            "ragas-0.4.csv",
            "ragas",
            {
                PARIS: {"faithfulness": 1, "answer_relevancy": 0.98, "factual_correctness(mode=f1)": 1},
                SUM: {"faithfulness": 0, "answer_relevancy": 0.91, "factual_correctness(mode=f1)": None},
            },
        ),
        (
            "ragas-0.4.json",
            "ragas",
            {
                PARIS: {"faithfulness": 1, "answer_relevancy": 0.98},
                SUM: {"faithfulness": 0, "answer_relevancy": None},
            },
        ),
        ("openai_evals-1.0.jsonl", "openai-evals", {PARIS: {"match": 1}, SUM: {"match": 0}}),
        (
            "openai_evals-3.0.jsonl",
            "openai-evals:gpt-4o",
            {PARIS: {"choice": None, "score": 1}, SUM: {"choice": None, "score": 0}},
        ),
        (
            "mlflow-2-table.json",
            "mlflow",
            {
                PARIS: {"exact_match/v1": 1, "answer_correctness/v1": 1},
                SUM: {"exact_match/v1": 0, "answer_correctness/v1": 0},
                "Who?": {"exact_match/v1": 0, "answer_correctness/v1": None},
            },
        ),
    ],
)
def test_scores_are_those_of_the_file(name: str, judge: str, expected: dict[str, dict[str, Any]]) -> None:
    report = read(name)
    wanted = {
        question: {metric: value for metric, value in row.items() if metric != "choice"}
        for question, row in expected.items()
    }
    assert scores(report) == wanted
    assert report.run.plan.judge == judge
    assert not report.rejected
    assert load_report(RECORDED / name).run.plan.metrics == report.run.plan.metrics


def test_promptfoo_tells_failures_apart_from_errors() -> None:
    report = read("promptfoo-v3.json")
    found = {case.input: row for case, row in zip(report.cases, report.results, strict=True)}
    assert [result.status for result in found[PARIS]] == ["passed", "passed", "passed"]
    assert found[SUM][1].status == "missed"
    assert found["Who?"][0].error == "NotMeasured: API error: 500"
    assert report.cases[1].name == "arithmetic"
    assert report.cases[1].expected_output == "4"
    assert report.cases[0].metadata["label"] == "yes"
    assert "promptfoo 0.123.1" in report.run.notes[0]


@for_each("version", ["0.3.180", "0.3.285"])
def test_inspect_epochs_are_merged_into_one_case(version: str) -> None:
    report = read(f"inspect_ai-{version}.json")
    assert f"inspect_ai {version}" in report.run.notes[0]
    assert [case.id for case in report.cases] == ["france", "italy", "sum"]
    by_id = {
        case.id: {r.metric: r for r in row} for case, row in zip(report.cases, report.results, strict=True)
    }
    assert by_id["france"]["match"].score == 1.0
    assert by_id["sum"]["includes"].score == 0.5  # right in one epoch of two
    repeats = by_id["sum"]["includes"].metadata["repeats"]
    assert [(repeat["score"], repeat["success"]) for repeat in repeats] == [(1.0, True), (0.0, False)]
    assert report.cases[2].expected_output == "4"
    assert report.cases[2].metadata["label"] == 0
    assert report.run.plan.repeats == 2


@for_each("file", sorted(RECORDED.glob("mlflow-3*.json")), ids=lambda path: path.stem)
def test_mlflow_feedback_becomes_metrics_and_human_labels(file: Path) -> None:
    report = read(file.name)
    assert scores(report) == {
        PARIS: {"correctness": 1, "similarity": 0.98},
        SUM: {"correctness": 0, "similarity": 0},
    }
    cases = {case.input: case for case in report.cases}
    assert cases[SUM].metadata["human"] == {"right": False}
    assert cases[PARIS].expected_output == "Paris"
    assert cases[SUM].actual_output == "It is 5."
    assert {result.reason for row in report.results for result in row} == {"It says so.", "It says 5.", None}
    assert report.run.plan.judge == "mlflow:openai:/gpt-4o"


@for_each("file", sorted(RECORDED.glob("deepeval-*.json")), ids=lambda path: path.stem)
def test_deepeval_status_errors_and_directions_are_kept(file: Path) -> None:
    report = read(file.name)
    assert scores(report) == {
        PARIS: {"Contains": 1, "Lacks": 0},
        SUM: {"Contains": 0, "Lacks": 1},
        "Who?": {"Contains": None, "Lacks": None},
    }
    assert [[result.status for result in row] for row in report.results] == [
        ["passed", "passed"],
        ["missed", "missed"],
        ["not_measured", "not_measured"],
    ]
    assert [result.higher_is_better for result in report.results[0]] == [True, False]
    assert str(report.results[2][0].error).startswith("NotMeasured: ")
    assert report.cases[1].retrieval_context == ("2 + 2 = 4", "3 + 3 = 6")
    assert report.cases[0].metadata == {"human": 1}
    assert report.run.plan.judge == "deepeval:gpt-4o"


def test_mlflow_table_reasons_and_missing_scores() -> None:
    report = read("mlflow-2-table.json")
    assert report.results[0][1].reason == "It is right."
    assert report.results[2][1].error == "NotMeasured: MLflow wrote no score"


def test_column_that_is_no_metric_by_name_stays_in_the_metadata(tmp_path: Path) -> None:
    path = tmp_path / "results.csv"
    path.write_text("user_input,response,faithfulness,tokens\nWho?,x,0.5,120\nWhat?,y,1.0,80\n")
    report = load_report(path)
    assert report.run.plan.metrics == ("faithfulness",)
    assert report.cases[0].metadata == {"tokens": "120"}
    assert any("writes no thresholds: 0.5 is used" in note for note in report.run.notes)


def test_direction_is_inferred_from_success_below_threshold(tmp_path: Path) -> None:
    def case(question: str, score: float, *, success: bool) -> dict[str, Any]:
        metric = {"name": "Hallucination", "threshold": 0.5, "success": success, "score": score}
        return {"name": question, "input": question, "actualOutput": "x", "metricsData": [metric]}

    path = tmp_path / "test_run.json"
    path.write_text(
        json.dumps({"testCases": [case("a?", 0.0, success=True), case("b?", 1.0, success=False)]})
    )
    report = load_report(path)
    assert [row[0].status for row in report.results] == ["passed", "missed"]
    assert not report.results[0][0].higher_is_better


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", "[1, 2]", '{"results": 3}', "question\n", "\x00", '[{"a": 1}]', "[" * 100_000]
)
@pytest.mark.parametrize("suffix", [".json", ".jsonl", ".csv"])
def test_unrecognised_file_is_told_without_an_exception_of_python(
    tmp_path: Path, text: str, suffix: str
) -> None:
    path = tmp_path / f"file{suffix}"
    path.write_text(text)
    with pytest.raises(BadDataset, match=r"file\.") as told:
        load_report(path)
    assert "Error" not in str(told.value)


def test_recognised_file_without_scores_raises(tmp_path: Path) -> None:
    path = tmp_path / "test_run.json"
    path.write_text('{"testCases": [{"input": "a?", "actualOutput": "x", "metricsData": []}]}')
    with pytest.raises(BadDataset, match="a file of deepeval, but no score"):
        load_report(path)
    archive = tmp_path / "log.eval"
    archive.write_bytes(b"no archive")
    with pytest.raises(BadDataset, match="inspect log convert"):
        load_report(archive)
