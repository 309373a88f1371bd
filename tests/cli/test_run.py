import csv
import json
import signal
import subprocess
import time
from pathlib import Path

import pytest
from tests.cli.command import BARE, RAGSTONE, RIGHT, WRONG, environment, forked, invoke, real, rows

from ragstone.judges.local.accuracy import everyday_accuracy
from ragstone.result import Result

FAITHFUL = {
    "input": "How long is the leave?",
    "actual_output": "The leave is 18 weeks.",
    "expected_output": "18 weeks.",
    "retrieval_context": ["The leave is 18 weeks long.", "The canteen opens at 11:30."],
}
JUDGE = """
import asyncio
from pathlib import Path

class SlowJudge:
    name = "slow"

    async def ask(self, prompt):
        Path("asked").touch()
        await asyncio.sleep(600)

class FailingJudge:
    name = "failing"

    async def ask(self, prompt):
        raise ValueError("\\x1b[2J no idea")
"""


def test_run_exits_0_when_everything_passes(tmp_path: Path) -> None:
    done = real("run", rows(tmp_path, RIGHT, RIGHT), "-m", "exact_match")
    assert done.returncode == 0
    assert "✓ Everything passed." in done.stdout
    assert "judge local" in done.stdout


def test_run_exits_1_when_a_score_misses_its_threshold(tmp_path: Path) -> None:
    done = forked("run", rows(tmp_path, RIGHT, WRONG), "-m", "exact_match")
    assert done.returncode == 1
    assert "✗ 1 of 2 scores misses its threshold." in done.stdout


def test_run_exits_3_when_a_measurement_fails(tmp_path: Path) -> None:
    done = invoke("run", rows(tmp_path, RIGHT, WRONG, BARE), "-m", "exact_match")
    assert done.exit_code == 3
    assert "1 result not measured" in done.stdout
    assert "MissingField" in done.stdout


def test_run_exits_3_when_a_row_is_unreadable(tmp_path: Path) -> None:
    done = invoke("run", rows(tmp_path, RIGHT, "{not json", RIGHT), "-m", "exact_match")
    assert done.exit_code == 3
    assert "line 2" in done.stdout
    assert "2 results" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["-m", "faithfullness"], "Did you mean 'faithfulness'?"),
        (["-m", "faithfulness(treshold=0.5)"], "Did you mean 'threshold'?"),
        (["-m", "faithfulness(threshold=2)"], "threshold=2"),
        (["-m", "faithfulness("], "is not a metric"),
        (["--preset", "traid"], "Did you mean 'triad'?"),
        (["--judge", "opnai"], "Did you mean 'openai'?"),
        (["--judge", "nowhere.at_all:Judge"], "No module named 'nowhere'"),
        (["-m", "exact_match"], "ExactMatch needs 'expected_output'"),
        (["-m", "exact_match", "--on-missing", "skp"], "'skp' is not one of 'error', 'skip', 'raise'"),
        (["--output", "report.pdf"], "report.pdf"),
        (["--output", "nowhere/report.md"], "there is no folder nowhere"),
        (["--concurrency", "0"], "0 is not in the range"),
        (["--timeout", "0"], "0.0 is not in the range"),
        (["--limit", "none"], "'none' is not a valid integer"),
        (["--metrc", "x"], "--metric"),
    ],
)
def test_run_exits_2_on_invalid_options(tmp_path: Path, arguments: list[str], said: str) -> None:
    done = invoke("run", rows(tmp_path, BARE), *arguments)
    assert done.exit_code == 2
    assert said in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


def test_run_exits_2_when_dataset_is_missing(tmp_path: Path) -> None:
    done = forked("run", tmp_path / "nope.jsonl")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("ragstone: error: There is no file")
    assert done.stderr.count("\n") == 1


def test_run_exits_2_when_dataset_is_empty(tmp_path: Path) -> None:
    path = tmp_path / "empty.jsonl"
    path.write_text("")
    done = invoke("run", path)
    assert done.exit_code == 2
    assert "is empty" in done.stderr


def test_on_missing_raise_exits_2_for_a_missing_field(tmp_path: Path) -> None:
    done = invoke("run", rows(tmp_path, RIGHT, BARE), "-m", "exact_match", "--on-missing", "raise")
    assert done.exit_code == 2
    assert "test case 2" in done.stderr


def test_on_missing_skip_exits_0(tmp_path: Path) -> None:
    done = invoke("run", rows(tmp_path, RIGHT, BARE), "-m", "exact_match", "--on-missing", "skip")
    assert done.exit_code == 0
    assert "skipped 1" in done.stdout


def test_the_preset_is_measured_where_no_metric_is_named(tmp_path: Path) -> None:
    done = invoke("run", rows(tmp_path, FAITHFUL), env={"COLUMNS": "110"})
    assert done.exit_code in (0, 1)
    for metric in (
        "ContextualPrecision",
        "ContextualRecall",
        "AnswerRelevancy",
        "Faithfulness",
        "AnswerAcceptance",
        "ContextSufficiency",
    ):
        assert metric in done.stdout


def test_preset_metric_without_needed_field_is_left_out(tmp_path: Path) -> None:
    case = {name: value for name, value in FAITHFUL.items() if name != "expected_output"}
    done = invoke("run", rows(tmp_path, case), env={"COLUMNS": "110"})
    assert "ContextualRecall is left out: it needs expected_output" in done.stdout


def test_output_dash_writes_only_json_lines_to_stdout(tmp_path: Path) -> None:
    done = forked("run", rows(tmp_path, RIGHT, WRONG), "-m", "exact_match", "--output", "-")
    results = [Result.model_validate_json(line) for line in done.stdout.splitlines()]
    assert [result.score for result in results] == [1.0, 0.0]
    assert "1 of 2 scores" in done.stderr
    assert done.returncode == 1


def test_standard_input_is_a_dataset(tmp_path: Path) -> None:
    done = subprocess.run(
        [RAGSTONE, "run", "-", "-m", "exact_match", "-q", "-o", "-"],
        input=rows(tmp_path, RIGHT).read_text(),
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["score"] == 1.0


def test_closed_output_pipe_exits_0(tmp_path: Path) -> None:
    path = rows(tmp_path, *[{**RIGHT, "input": f"{number} {'x' * 2000}"} for number in range(200)])
    script = f"'{RAGSTONE}' run '{path}' -m exact_match -q -o - | head -n 1; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(
        ["bash", "-c", script], env=environment(), capture_output=True, text=True, check=False
    )
    first, code = done.stdout.splitlines()
    assert json.loads(first)["score"] == 1.0
    assert (code, done.stderr) == ("0", "")


def test_every_output_format_is_written_and_reported(tmp_path: Path) -> None:
    files = [
        tmp_path / f"report{suffix}"
        for suffix in (".jsonl", ".json", ".csv", ".parquet", ".md", ".html", ".xml")
    ]
    outputs = [part for file in files for part in ("--output", file)]
    done = invoke("run", rows(tmp_path, RIGHT, WRONG), "-m", "exact_match", *outputs)
    assert done.exit_code == 1
    assert all(f"written: {file}" in done.stderr for file in files)
    assert len(files[0].read_text().splitlines()) == 2
    assert [row["score"] for row in csv.DictReader(files[2].read_text().splitlines())] == ["1.0", "0.0"]


def test_quiet_says_nothing(tmp_path: Path) -> None:
    done = forked("run", rows(tmp_path, WRONG), "-m", "exact_match", "--quiet", "-o", tmp_path / "a.jsonl")
    assert (done.returncode, done.stdout, done.stderr) == (1, "", "")


def test_verbose_shows_every_case(tmp_path: Path) -> None:
    path = rows(tmp_path, *[{**WRONG, "input": str(number)} for number in range(8)])
    assert invoke("run", path, "-m", "exact_match").stdout.count("✗ ExactMatch") == 5
    assert invoke("run", path, "-m", "exact_match", "-v").stdout.count("✗ ExactMatch") == 8


def test_only_the_first_rows_are_read_where_a_limit_is_given(tmp_path: Path) -> None:
    assert (
        "2 results"
        in invoke("run", rows(tmp_path, RIGHT, RIGHT, WRONG), "-m", "exact_match", "--limit", "2").stdout
    )


def test_name_option_is_shown_in_the_heading(tmp_path: Path) -> None:
    assert invoke("run", rows(tmp_path, RIGHT), "-m", "exact_match", "--name", "faq-bot").stdout.startswith(
        "RUN  faq-bot "
    )


def test_failing_custom_judge_exits_3_without_scores(tmp_path: Path) -> None:
    (tmp_path / "judge_of_mine.py").write_text(JUDGE)
    arguments = [
        "run",
        rows(tmp_path, FAITHFUL),
        "-m",
        "faithfulness",
        "--judge",
        "judge_of_mine:FailingJudge",
    ]
    done = forked(*arguments, cwd=tmp_path)
    assert done.returncode == 3
    assert "ValueError" in done.stdout
    assert "nothing measured" in done.stdout
    assert "\x1b" not in done.stdout


def test_ctrl_c_reports_what_was_measured_so_far(tmp_path: Path) -> None:
    (tmp_path / "judge_of_mine.py").write_text(JUDGE)
    path = rows(tmp_path, RIGHT, FAITHFUL)
    command = [RAGSTONE, "run", path, "-m", "exact_match", "-m", "faithfulness", "--on-missing", "skip"]
    with subprocess.Popen(
        [*command, "--judge", "judge_of_mine:SlowJudge", "-o", tmp_path / "out.jsonl"],
        env=environment(),
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stderr is not None
        assert "measuring" in process.stderr.readline()
        while not (tmp_path / "asked").exists():  # by then everything that asks nobody has been measured
            assert process.poll() is None
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        stdout, stderr = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "the report contains the results so far" in stderr
    assert "Traceback" not in stderr
    assert "the run was stopped early" in stdout
    written = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert [row["metric"] for row in written if row["score"] is not None] == ["ExactMatch", "ExactMatch"]


@pytest.mark.parametrize(
    ("accuracy", "options", "warned"),
    [
        (0.84, ("-m", "faithfulness"), True),
        (0.86, ("-m", "faithfulness"), False),
        (0.84, ("-m", "faithfulness", "--judge", "local"), False),
        (0.84, ("-m", "faithfulness", "-q"), False),
        (0.84, ("-m", "exact_match"), False),
    ],
)
def test_low_accuracy_warning_without_judge_option(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    *,
    accuracy: float,
    options: tuple[str, ...],
    warned: bool,
) -> None:
    known = everyday_accuracy()._replace(accuracy=accuracy)
    monkeypatch.setattr("ragstone.cli.run.everyday_accuracy", lambda: known)
    done = invoke("run", rows(tmp_path, FAITHFUL), "--no-store", *options)
    assert ("no judge was chosen. The embedded judge decides" in done.stderr) is warned


def test_output_does_not_replace_the_dataset(tmp_path: Path) -> None:
    dataset = rows(tmp_path, RIGHT)
    before = Path(dataset).read_text("utf-8")
    done = invoke("run", dataset, "-m", "exact_match", "-o", f"{tmp_path}/./{Path(dataset).name}")
    assert (done.exit_code, Path(dataset).read_text("utf-8")) == (2, before)
    assert "a file that this command reads" in done.stderr
