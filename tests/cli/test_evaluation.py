import errno
import subprocess
from pathlib import Path
from typing import NoReturn

import pytest
from tests.cli.command import BARE, RAGSTONE, RIGHT, WRONG, environment, invoke, rows
from tests.cli.refusing_judges import UnknownModel

from ragstone import TestCase, evaluate
from ragstone.cli import _evaluation
from ragstone.findings.load import load_report
from ragstone.result import Result


def test_other_outputs_are_written_when_one_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write = _evaluation.write

    def full(report: object, path: str) -> None:
        if path.endswith(".md"):
            raise OSError(errno.ENOSPC, "No space left on device")
        write(report, path)  # type: ignore[arg-type]

    monkeypatch.setattr(_evaluation, "write", full)
    arguments = ("-m", "exact_match", "-o", tmp_path / "a.md", "-o", tmp_path / "a.json")
    done = invoke("run", rows(tmp_path, RIGHT), *arguments)
    assert done.exit_code == 74
    assert "a.md could not be written: No space left on device" in done.stderr
    assert (tmp_path / "a.json").exists()
    assert "Everything passed." in done.stdout


def test_ctrl_c_before_the_run_starts_exits_130(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*arguments: object, **options: object) -> NoReturn:
        del arguments, options
        raise KeyboardInterrupt

    monkeypatch.setattr(_evaluation, "evaluate", interrupted)
    done = invoke("run", rows(tmp_path, WRONG), "--judge", "local", "-o", tmp_path / "a.md")
    assert (done.exit_code, done.stdout, done.stderr) == (130, "", "ragstone: stopped.\n")
    assert not (tmp_path / "a.md").exists()


@pytest.mark.parametrize(("judge", "code"), [("UnknownModel", 2), ("WrongKey", 2), ("Broken", 3)])
def test_exit_code_depends_on_error_type_not_message(tmp_path: Path, judge: str, code: int) -> None:
    dataset = rows(tmp_path, {"input": "q", "actual_output": "a"})
    done = invoke("run", dataset, "-m", "answer_relevancy", "--judge", f"tests.cli.refusing_judges:{judge}")
    assert done.exit_code == code


def test_a_result_carries_the_kind_of_its_error_and_the_servers_status() -> None:
    case = TestCase(input="q", actual_output="a")
    (result,) = evaluate([case], ["answer_relevancy"], judge=UnknownModel()).results[0]
    assert (result.error_type, result.error_status) == ("ProviderError", 404)
    assert (result.error_kind, result.error_message) == ("ProviderError", "no such model here")
    assert Result.model_validate_json(result.model_dump_json()) == result


def test_error_kind_is_read_from_an_error_without_type() -> None:
    result = Result(metric="M", error="TimedOut: late: 5 s")
    assert (result.error_kind, result.error_message) == ("TimedOut", "late: 5 s")


def test_quiet_prints_what_was_not_read_or_not_measured(tmp_path: Path) -> None:
    done = invoke("run", rows(tmp_path, RIGHT, {"inptu": 1}), "-m", "exact_match", "-q", "--no-store")
    assert (done.exit_code, done.stdout) == (3, "")
    assert "ragstone: error: not read: " in done.stderr
    done = invoke("run", rows(tmp_path, RIGHT, BARE), "-m", "exact_match", "-q", "--no-store")
    assert "ragstone: error: not measured (1): ExactMatch needs 'expected_output'" in done.stderr
    assert invoke("run", rows(tmp_path, RIGHT), "-m", "exact_match", "-q", "--no-store").stderr == ""


def test_redirected_output_is_utf_8_whatever_the_locale(tmp_path: Path) -> None:
    row = {**RIGHT, "expected_output": "Grünes Licht “ja”", "actual_output": "Grünes Licht"}
    command = [
        RAGSTONE,
        "run",
        str(rows(tmp_path, row)),
        "-m",
        "exact_match",
        "-m",
        "answer_relevancy",
        "--no-store",
        "-q",
        "-o",
        "-",
    ]
    variables = environment(PYTHONUTF8="0", LC_ALL="C", PYTHONIOENCODING="cp1252")
    done = subprocess.run(command, env=variables, capture_output=True, check=False)
    (tmp_path / "out.jsonl").write_bytes(done.stdout)
    assert "Grünes" in done.stdout.decode("utf-8")
    assert load_report(tmp_path / "out.jsonl").results[0][0].metric == "ExactMatch"


@pytest.mark.parametrize("store", ["--no-store", "--store"])
def test_nothing_decided_ends_with_3_also_for_metrics_without_a_threshold(tmp_path: Path, store: str) -> None:
    unread = {
        "input": "\u0623\u064a\u0646 \u0627\u0644\u0628\u0631\u062c\u061f",
        "actual_output": "\u0627\u0644\u0628\u0631\u062c \u0641\u064a \u0628\u0627\u0631\u064a\u0633.",
        "retrieval_context": ["\u0627\u0644\u0628\u0631\u062c \u0641\u064a \u0628\u0627\u0631\u064a\u0633."],
    }
    where = (store, tmp_path / "runs.sqlite3") if store == "--store" else (store,)
    done = invoke("run", rows(tmp_path, unread), "-m", "contextual_relevancy,faithfulness", *where)
    assert done.exit_code == 3
    assert "Nothing was decided" in done.stdout
    if store == "--store":
        assert invoke("show", "last", *where).exit_code == 3
