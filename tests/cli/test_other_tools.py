"""`compare`, `agree`, `gate` and `explain` on files that other tools wrote."""

import json
from pathlib import Path

from tests.cli.command import invoke

RECORDED = Path(__file__).parents[1] / "reports" / "imported" / "recorded"


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


def test_explain_accepts_a_report_of_another_tool() -> None:
    done = invoke("explain", RECORDED / "promptfoo-v3.json")
    assert done.exit_code == 0, done.stderr
