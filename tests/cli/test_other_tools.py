"""`compare`, `agree`, `gate` and `explain` on files that other tools wrote."""

import json
from pathlib import Path

import pytest
from tests.cli.command import invoke

from ragstone.findings.load import load_report

RECORDED = Path(__file__).parents[1] / "findings" / "imported" / "recorded"


def run_of(folder: Path, name: str, right: int, total: int = 40) -> Path:
    """Write a record of OpenAI Evals in which the first `right` samples match."""
    lines: list[object] = [{"spec": {"eval_name": "qa", "completion_fns": ["gpt-4o"], "run_config": {}}}]
    for number in range(total):
        sampling = {"prompt": [{"role": "user", "content": f"Question {number}?"}], "sampled": ["x"]}
        lines.append({"sample_id": f"qa.{number}", "type": "sampling", "data": sampling})
        match = {"correct": number < right, "expected": "x", "sampled": "x"}
        lines.append({"sample_id": f"qa.{number}", "type": "match", "data": match})
    path = folder / name
    path.write_text("".join(f"{json.dumps(line)}\n" for line in [*lines, {"final_report": {}}]))
    return path


def test_two_runs_of_another_tool_are_compared(tmp_path: Path) -> None:
    before, after = run_of(tmp_path, "before.jsonl", 36), run_of(tmp_path, "after.jsonl", 20)
    done = invoke("compare", before, after, "--fail-on-regression")
    assert done.exit_code == 1, done.stderr
    assert "Match got worse." in done.stdout
    assert "16 cases got worse, 0 better" in " ".join(done.stdout.split())
    assert invoke("compare", before, before, "--fail-on-regression").exit_code == 0


def test_scores_of_another_tool_are_compared_with_labels() -> None:
    done = invoke("agree", "--run", RECORDED / "ragas-0.4.csv", "-m", "faithfulness")
    assert done.exit_code == 0, done.stderr
    assert "faithfulness  n 2" in done.stdout
    assert (
        "There is no metric in that file"
        in invoke("agree", "--run", RECORDED / "ragas-0.4.csv", "-m", "bleu").stderr
    )


def test_results_of_another_tool_are_gated(tmp_path: Path) -> None:
    baseline = tmp_path / "baseline.json"
    before, after = run_of(tmp_path, "before.jsonl", 36), run_of(tmp_path, "after.jsonl", 20)
    made = invoke("gate", before, "--results", "--update", "--baseline", baseline)
    assert made.exit_code == 0, made.stderr
    assert "Question 1?" not in baseline.read_text()
    assert invoke("gate", before, "--results", "--baseline", baseline).exit_code == 0
    red = invoke("gate", after, "--results", "--baseline", baseline)
    assert red.exit_code == 1
    assert "match" in red.stdout


COLUMNS = "user_input,response,faithfulness,context_precision,human"


def table(folder: Path, name: str, *ends: str) -> Path:
    """Write results as Ragas does, twelve rows that end with these texts in turn."""
    lines = [f"Question {number} about the depot?,A.,{ends[number % len(ends)]}" for number in range(12)]
    path = folder / name
    path.write_text("\n".join([COLUMNS, *lines]))
    return path


@pytest.mark.parametrize(
    ("end", "code", "reason"),
    [
        ("0.9,,yes", 1, "gate red: 50 % of the results could not be measured (12 of 24"),
        ("0.9,error,yes", 1, "gate red: 50 % of the results could not be measured (12 of 24"),
        (",nan,yes", 3, "gate red: Nothing was measured in this run."),
    ],
)
def test_a_metric_that_was_not_measured_turns_the_gate_red(
    tmp_path: Path, end: str, code: int, reason: str
) -> None:
    baseline = tmp_path / "baseline.json"
    before, after = table(tmp_path, "before.csv", "0.9,0.8,yes"), table(tmp_path, "after.csv", end)
    invoke("gate", before, "--results", "--update", "--baseline", baseline)
    red = invoke("gate", after, "--results", "--baseline", baseline)
    assert red.exit_code == code, red.stdout
    assert reason in " ".join(red.stdout.split())
    compared = invoke("compare", before, after, "--fail-on-regression")
    assert compared.exit_code == 3
    assert "context_precision: it was measured in the earlier run" in " ".join(compared.stdout.split())


def test_the_gate_is_red_where_no_test_case_has_an_answer(tmp_path: Path) -> None:
    baseline = tmp_path / "baseline.json"
    goldens = tmp_path / "goldens.jsonl"
    goldens.write_text('{"input": "Question 1 about the depot?", "expected_output": "A."}')
    before = table(tmp_path, "before.csv", "0.9,0.8,yes")
    invoke("gate", before, "--results", "--update", "--baseline", baseline)
    red = invoke("gate", goldens, "--baseline", baseline, "--no-store")
    assert red.exit_code == 3, red.stdout
    assert "gate red: Nothing was measured in this run." in red.stdout
    run = invoke("run", goldens, "--no-store")
    assert (run.exit_code, "⚠ Nothing was measured." in run.stdout) == (3, True)


def test_nothing_measured_ends_with_3_in_every_command(tmp_path: Path) -> None:
    before, after = (
        table(tmp_path, "before.csv", "0.9,0.8,yes"),
        table(tmp_path, "after.csv", ",,yes", ",,no"),
    )
    assert invoke("compare", before, after).exit_code == 3
    assert invoke("explain", after).exit_code == 3
    assert invoke("agree", "--run", after, "-m", "faithfulness", "--label", "human").exit_code == 3


@pytest.mark.parametrize(
    "labels", [("1", "0"), ("yes", "no"), ("True", "False"), ("5", "1"), ("good", "bad")]
)
@pytest.mark.parametrize("column", ["human", "correctness"])
def test_a_column_of_labels_is_read_whatever_its_name_and_values(
    tmp_path: Path, column: str, labels: tuple[str, str]
) -> None:
    results = table(tmp_path, "results.csv", f"0.9,0.8,{labels[0]}", f"0.2,0.8,{labels[1]}")
    results.write_text(results.read_text().replace(",human", f",{column}"))
    done = invoke("agree", "--run", results, "-m", "faithfulness", "--label", column)
    assert done.exit_code == 0, done.stderr
    assert f"12 labels in '{column}'" in done.stdout
    assert "faithfulness  n 12" in done.stdout


def test_a_text_among_the_numbers_of_a_metric_is_not_measured(tmp_path: Path) -> None:
    ends = ["0.9,0.8,yes"] * 11
    report = load_report(table(tmp_path, "results.csv", *ends, "timeout,0.8,yes"))
    errors = [result.error for result in report["faithfulness"] if result.error]
    assert errors == ["NotMeasured: 'timeout' is no number"]


def test_explain_accepts_a_report_of_another_tool() -> None:
    done = invoke("explain", RECORDED / "promptfoo-v3.json")
    assert done.exit_code == 0, done.stderr
