"""In GitHub Actions the report also stands on the page of the job."""

from pathlib import Path

import pytest
from tests.cli.command import RIGHT, WRONG, invoke, rows


@pytest.fixture
def summary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "summary.md"
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(path))
    return path


def test_each_command_appends_to_the_step_summary(tmp_path: Path, summary: Path) -> None:
    for name, case in (("before", RIGHT), ("after", WRONG)):
        output = tmp_path / f"{name}.json"
        invoke("run", rows(tmp_path, case), "-m", "exact_match", "--name", name, "-o", output)
    run = summary.read_text()
    assert run.startswith("## ✓ Run: before\n")
    assert "\n## ✗ Run: after\n" in run
    assert "| ExactMatch" in run
    invoke("compare", tmp_path / "before.json", tmp_path / "after.json")
    assert summary.read_text().startswith(run)
    assert summary.read_text().count("\n## ") == 2
    labelled = rows(tmp_path, {**RIGHT, "label": 1}, {**WRONG, "label": 0})
    length = len(summary.read_text())
    done = invoke("agree", labelled, "-m", "exact_match")
    assert done.exit_code == 0, done.output
    assert "ExactMatch" in summary.read_text()[length:]


def test_step_summary_is_not_written_when_quiet_or_unset(
    tmp_path: Path, summary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    invoke("run", rows(tmp_path, RIGHT), "-m", "exact_match", "-q")
    assert not summary.exists()
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", "")
    assert invoke("run", rows(tmp_path, RIGHT), "-m", "exact_match").exit_code == 0


def test_step_summary_failure_keeps_exit_code(
    tmp_path: Path, summary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    summary.write_bytes(b"x" * 1_048_500)
    done = invoke("run", rows(tmp_path, RIGHT), "-m", "exact_match")
    assert (done.exit_code, summary.stat().st_size) == (0, 1_048_500)
    assert "the step summary is full" in done.stderr
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "no" / "folder.md"))
    done = invoke("run", rows(tmp_path, RIGHT), "-m", "exact_match")
    assert done.exit_code == 0
    assert "could not be written (GITHUB_STEP_SUMMARY): No such file" in done.stderr
