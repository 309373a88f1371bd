import json
import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.command import SOURCE, environment, forked, invoke

EXAMPLE = SOURCE.parent / "examples" / "worse_retriever.py"
METRICS = ("-m", "contextual_recall", "-m", "faithfulness")


@pytest.fixture(scope="module")
def datasets(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demo, and the demo with a worse retriever."""
    folder = tmp_path_factory.mktemp("datasets")
    subprocess.run([sys.executable, EXAMPLE, folder / "worse.jsonl"], check=True, env=environment())
    demo = (SOURCE / "ragstone" / "datasets" / "data" / "demo.jsonl").read_text()
    (folder / "demo.jsonl").write_text(demo)
    return folder


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the commands run."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_gate_exit_codes_from_first_baseline_to_regression(folder: Path, datasets: Path) -> None:
    first = invoke("gate", datasets / "demo.jsonl", *METRICS, "--no-store")
    assert first.exit_code == 3
    assert "There is no baseline for the gate 'demo': neither .ragstone/baseline/demo.json" in first.stderr
    updated = invoke("gate", datasets / "demo.jsonl", *METRICS, "--no-store", "--update")
    assert updated.exit_code == 0
    assert "baseline written: .ragstone/baseline/demo.json" in updated.stderr
    same = invoke("gate", datasets / "demo.jsonl", *METRICS, "--no-store")
    assert same.exit_code == 0
    assert "gate green" in same.stdout
    worse = forked(
        *("gate", datasets / "worse.jsonl", *METRICS, "--no-store", "--name", "demo"),
        *("-o", "gate.md", "-o", "gate.json"),
        cwd=folder,
    )
    assert worse.returncode == 1
    assert "gate red: ContextualRecall got worse" in worse.stdout
    assert (folder / "gate.md").read_text().startswith("<!-- ragstone:gate:demo -->\n## ✗ Gate: demo, red\n")
    assert json.loads((folder / "gate.json").read_text())["state"] == "red"


def test_baseline_is_written_despite_a_damaged_store(
    folder: Path, datasets: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(folder / "data"))
    monkeypatch.delenv("RAGSTONE_STORE")
    (folder / "data" / "ragstone").mkdir(parents=True)
    (folder / "data" / "ragstone" / "runs.sqlite3").write_text("no database")
    arguments = ("gate", datasets / "demo.jsonl", "-m", "contextual_recall", "--no-store")
    written = invoke(*arguments, "--update")
    assert written.exit_code == 0, written.stderr
    assert "the store was not searched for a baseline: " in written.stderr
    assert invoke(*arguments).exit_code == 0


APP = """
def bad(question, contexts=None):
    return {"answer": "b", "contexts": ["-"]}

def good(question, contexts=None):
    return {"answer": "a", "contexts": ["-"]}

def failing(question, contexts=None):
    raise RuntimeError("no connection")
"""


@pytest.fixture
def broken_case(folder: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[object, ...]:
    """Write a baseline of twelve cases, then break the critical one; return the arguments of the gate."""
    rows = [
        {"id": str(number), "input": f"What is {number}?", "actual_output": "a", "expected_output": "a"}
        for number in range(12)
    ]
    rows[3]["tags"] = ["critical"]  # type: ignore[assignment]
    path = folder / "set.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)))
    arguments = ("gate", path, "-m", "exact_match", "--no-store", "-o", "gate.json")
    assert invoke(*arguments, "--update").exit_code == 0
    rows[3]["actual_output"] = "b"
    path.write_text("\n".join(map(json.dumps, rows)))
    (folder / "critical_app.py").write_text(APP)
    monkeypatch.syspath_prepend(folder)
    return arguments


def test_a_critical_case_that_broke_in_one_answer_is_yellow(
    folder: Path, broken_case: tuple[object, ...]
) -> None:
    found = invoke(*broken_case)
    assert found.exit_code == 3
    assert "gate yellow" in found.stdout
    assert "1 critical case broke. Only the answers in this run were judged" in " ".join(found.stdout.split())
    case = json.loads((folder / "gate.json").read_text())["broken"][0]
    assert (case["case_id"], case["missed"], case["measured"]) == ("3", 3, 3)


@pytest.mark.parametrize(("function", "exit_code", "failed"), [("bad", 1, 3), ("good", 0, 0)])
def test_the_application_is_asked_again_about_a_critical_case(
    folder: Path, broken_case: tuple[object, ...], function: str, exit_code: int, failed: int
) -> None:
    found = invoke(*broken_case, "--app", f"critical_app:{function}", "--app-rpm", "6000")
    assert found.exit_code == exit_code, found.output
    document = json.loads((folder / "gate.json").read_text())
    case = document["broken"][0]
    assert (case["case_id"], case["missed"], case["measured"]) == ("3", failed, 3)
    assert document["reasons"] == (["1 critical case broke."] if exit_code else [])


def test_an_application_that_fails_is_told(broken_case: tuple[object, ...]) -> None:
    found = invoke(*broken_case, "--app", "critical_app:failing")
    assert "the application failed in 3 of 3 calls: RuntimeError: no connection" in found.stderr
    assert found.exit_code == 3


def test_app_and_results_exclude_each_other(broken_case: tuple[object, ...]) -> None:
    found = invoke(*broken_case, "--results", "--app", "critical_app:good")
    assert found.exit_code == 2
    assert "give one of them" in found.stderr


def test_latest_main_branch_run_is_the_default_baseline(folder: Path, datasets: Path) -> None:
    kept = ("--store", folder / "runs.db")
    demo = (datasets / "demo.jsonl", "-m", "contextual_recall", *kept)
    other = folder / "other.jsonl"
    other.write_text(json.dumps({"input": "x", "actual_output": "y", "expected_output": "y"}))
    assert invoke("run", *demo, "--tag", "branch=main").exit_code == 0
    invoke("run", other, "-m", "exact_match", *kept, "--tag", "branch=main")
    found = invoke("gate", *demo, "-o", "gate.json")
    assert (found.exit_code, found.stderr.count("no baseline")) == (0, 0)
    document = json.loads((folder / "gate.json").read_text())
    assert document["baseline"]["place"].startswith("run ")
    assert document["comparison"]["cases"] == 35


def test_run_with_unmeasured_results_is_refused_as_baseline(folder: Path) -> None:
    rows = [{"input": f"{number}?", "actual_output": "a", "expected_output": "a"} for number in range(4)]
    del rows[2]["expected_output"]
    path = folder / "set.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)))
    found = invoke("gate", path, "-m", "exact_match", "--no-store", "--update")
    assert found.exit_code == 3
    assert "1 of 4 results have no score: this run cannot be the baseline" in found.stderr
    assert not (folder / ".ragstone").exists()


def test_damaged_baseline_exits_2_before_measuring(folder: Path, datasets: Path) -> None:
    (folder / "b.json").write_text("{}")
    found = invoke("gate", datasets / "demo.jsonl", "--baseline", "b.json", "--no-store")
    assert found.exit_code == 2
    assert "b.json is not a baseline" in found.stderr
    assert "measuring" not in found.stderr


def test_gate_exits_74_when_baseline_cannot_be_written(folder: Path, datasets: Path) -> None:
    (folder / ".ragstone").write_text("a file where the folder would be")
    found = invoke("gate", datasets / "demo.jsonl", "-m", "exact_match", "--no-store", "--update")
    assert found.exit_code == 74
    assert "could not be written" in found.stderr
    assert [path.name for path in folder.iterdir()] == [".ragstone"]


APPLICATION = """
import json

ANSWERS = {answers!r}

print(json.dumps({{"answer": ANSWERS[int(json.loads(input())["input"].split()[1])]}}))
"""


def test_application_answers_a_dataset_without_answers(folder: Path) -> None:
    """A better application is green, one that fails on every question is not a score."""
    rows = [{"input": f"Question {n} ?", "expected_output": str(n), "id": f"q{n}"} for n in range(8)]
    (folder / "questions.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    program = folder / "app.py"
    command = (
        "gate",
        "questions.jsonl",
        "-m",
        "exact_match",
        "--no-store",
        "--app",
        f"{sys.executable} {program}",
    )
    program.write_text(APPLICATION.format(answers=[str(n) for n in range(8)]))
    assert invoke(*command, "--update").exit_code == 0
    same = invoke(*command)
    assert same.exit_code == 0
    assert "gate green" in same.stdout
    program.write_text(APPLICATION.format(answers=["wrong"] * 8))
    worse = invoke(*command)
    assert worse.exit_code == 1
    assert "gate red: ExactMatch got worse" in worse.stdout
    program.write_text("raise SystemExit('no index')")
    failing = invoke(*command)
    assert failing.exit_code == 3
    assert "gate green" not in failing.stdout
