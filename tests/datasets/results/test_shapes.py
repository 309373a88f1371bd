"""Twenty files in the shapes of other tools, written by hand: every command reads the same test cases and scores."""

from pathlib import Path

import pytest
from tests.cli.command import invoke

from ragstone import load_dataset
from ragstone.findings.load import load_report

SHAPES = Path(__file__).with_name("shapes")
QUESTIONS = [
    "When does the library open?",
    "How long may a book be kept?",
    "What does a lost card cost?",
    "Is the café open on Sundays?",
]
METRICS = {"langsmith.csv": "feedback.faithfulness", "mlflow-table.json": "faithfulness/v1"}
LABELS = {"mlflow-traces.json": "human.right"}
FILES = sorted(SHAPES.iterdir())


def test_there_are_twenty_shapes() -> None:
    assert len(FILES) == 20


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_run_compare_agree_and_gate_read_the_same_file(file: Path, tmp_path: Path) -> None:
    metric, label = METRICS.get(file.name, "faithfulness"), LABELS.get(file.name, "human")
    cases, report = load_dataset(str(file)), load_report(file)
    assert [case.input for case in cases] == [case.input for case in report.cases] == QUESTIONS
    assert [case.actual_output for case in cases] == [case.actual_output for case in report.cases]
    assert [case.retrieval_context for case in cases] == [case.retrieval_context for case in report.cases]
    scores = report[metric].scores
    assert [round(score or 0) for score in scores] == [1, 1, 0, 0]

    run = invoke("run", file, "-m", "pattern_match(pattern='.*nine.*')", "--no-store", "--output", "-")
    assert run.exit_code == 1, run.stderr
    assert run.stdout.count('"score":1.0') == 1
    assert len(run.stdout.splitlines()) == 4

    compared = invoke("compare", file, file)
    assert compared.exit_code == 0, compared.stderr
    assert "4 cases in common" in compared.stdout

    agreed = invoke("agree", "--run", file, "-m", metric, "--label", label)
    assert agreed.exit_code == 0, agreed.stderr
    assert f"4 labels in '{label}' (yes or no)" in agreed.stdout
    assert f"{metric}  n 4" in agreed.stdout

    baseline = tmp_path / "baseline.json"
    made = invoke("gate", file, "--results", "--update", "--baseline", baseline)
    assert made.exit_code == 0, made.stderr
    gated = invoke("gate", file, "--results", "--baseline", baseline)
    assert (gated.exit_code, "✗" in gated.stdout) == (0, False), gated.stdout
