"""Options from the environment, and messages as JSON lines: what a container or a unit sets."""

import json
import signal
from pathlib import Path

import pytest
from tests.cli.command import RIGHT, WRONG, invoke, rows, started

from ragstone.store import open_store


def test_a_variable_of_a_command_has_the_effect_of_its_option_and_a_flag_goes_before(tmp_path: Path) -> None:
    data = rows(tmp_path, RIGHT, WRONG)
    variables = {
        "RAGSTONE_STORE": str(tmp_path / "setting.sqlite3"),
        "RAGSTONE_RUN_STORE": str(tmp_path / "command.sqlite3"),
        "RAGSTONE_RUN_METRIC": "exact_match string_presence",
        "RAGSTONE_RUN_LIMIT": "1",
        "RAGSTONE_RUN_NAME": "from the environment",
        "RAGSTONE_RUN_QUIET": "true",
    }
    done = invoke("run", data, "--name", "from the flag", env=variables)
    assert (done.exit_code, done.stderr) == (0, "")
    assert not (tmp_path / "setting.sqlite3").exists()
    store = open_store(tmp_path / "command.sqlite3")
    (stored,) = store.runs()
    assert (stored.run.plan.name, store.line(stored).progress.done) == ("from the flag", 2)
    assert [*stored.run.plan.metrics] == ["exact_match", "string_presence"]


@pytest.mark.parametrize(
    ("variable", "hint"),
    [
        (
            "RAGSTONE_RUN_METRICS",
            "RAGSTONE_RUN_METRICS: There is no option named 'metrics'. Did you mean 'metric'?",
        ),
        ("RAGSTONE_STROE", "Did you mean 'store'?"),
    ],
)
def test_a_misspelt_variable_is_refused_and_guessed(tmp_path: Path, variable: str, hint: str) -> None:
    done = invoke("run", rows(tmp_path, RIGHT), env={variable: "exact_match"})
    assert done.exit_code == 2
    assert hint in done.stderr


def test_addresses_that_kubernetes_writes_for_a_service_are_not_taken_for_options(tmp_path: Path) -> None:
    written = {"RAGSTONE_PORT_8600_TCP_ADDR": "10.0.0.1", "RAGSTONE_RUN_SERVICE_HOST": "10.0.0.1"}
    done = invoke("run", rows(tmp_path, RIGHT), "-m", "exact_match", "--no-store", "-q", env=written)
    assert (done.exit_code, done.stderr) == (0, "")


def test_run_logs_its_start_its_end_and_its_error_as_json_lines(tmp_path: Path) -> None:
    data = rows(tmp_path, RIGHT)
    done = invoke("run", data, "-m", "exact_match", "--no-store", "--log-format", "json")
    said = [json.loads(line) for line in done.stderr.splitlines()]
    assert [(line["level"], line["message"].split()[0]) for line in said] == [
        ("info", "run.start"),
        ("info", "run.stop"),
    ]
    assert all(line["time"].endswith("+00:00") for line in said)
    failed = invoke("run", tmp_path / "none\n.jsonl", env={"RAGSTONE_RUN_LOG_FORMAT": "json"})
    (line,) = map(json.loads, failed.stderr.splitlines())
    assert (failed.exit_code, line["level"], line["logger"]) == (2, "error", "ragstone.command")


def test_sigterm_ends_a_run_as_ctrl_c_does(tmp_path: Path) -> None:
    data = rows(tmp_path, *(f'{{"input": "q{n}", "actual_output": "Yes. It is so."}}' for n in range(3000)))
    where = str(tmp_path / "runs.sqlite3")
    options = ("--store", where, "-m", "answer_relevancy", "--log-format", "json", "--workers", 1)
    with started("run", data, *options) as process:
        assert process.stderr is not None
        assert "run.start" in process.stderr.readline()
        process.send_signal(signal.SIGTERM)
        process.communicate(60)
        assert process.returncode == 130
    (stored,) = open_store(where).runs()
    assert stored.state == "incomplete"
