from pathlib import Path

import pytest
from tests.cli.command import RIGHT, WRONG, invoke, rows


def test_stored_run_is_resumed_with_identical_output(tmp_path: Path) -> None:
    data, store = rows(tmp_path, RIGHT, WRONG), str(tmp_path / "runs.sqlite3")
    first = invoke(
        "run", data, "-m", "exact_match", "--store", store, "--output", str(tmp_path / "first.jsonl")
    )
    assert first.exit_code == 1
    second = invoke(
        "run", data, "--resume", "last", "--store", store, "--output", str(tmp_path / "second.jsonl")
    )
    assert second.exit_code == 1, second.stderr
    assert (tmp_path / "first.jsonl").read_bytes() == (tmp_path / "second.jsonl").read_bytes()
    unknown = invoke("run", data, "--resume", "nobody", "--store", store)
    assert unknown.exit_code == 2
    assert "There is no run 'nobody'" in unknown.stderr


def test_an_estimate_asks_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    done = invoke("run", rows(tmp_path, RIGHT), "-m", "answer_relevancy", "--judge", "openai", "--estimate")
    assert done.exit_code == 0
    assert "1 to 2 calls" in done.stdout


def test_offline_run_fails_with_not_cached_on_empty_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RAGSTONE_CACHE", str(tmp_path / "answers.sqlite3"))
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    done = invoke("run", rows(tmp_path, RIGHT), "-m", "answer_relevancy", "--judge", "openai", "--offline")
    assert done.exit_code == 3
    assert "NotCached" in done.stdout


@pytest.mark.parametrize("option", ["--rpm", "--tpm", "--max-cost"])
def test_limits_of_zero_exit_2(tmp_path: Path, option: str) -> None:
    assert invoke("run", rows(tmp_path, RIGHT), option, "0").exit_code == 2


def test_retry_failed_needs_resume(tmp_path: Path) -> None:
    done = invoke("run", rows(tmp_path, RIGHT), "-m", "exact_match", "--retry-failed")
    assert done.exit_code == 2
    assert "name the run with resume=…" in done.stderr


def test_ray_options_are_ignored_by_the_local_engine(tmp_path: Path) -> None:
    done = invoke(
        "run", rows(tmp_path, RIGHT), "-m", "exact_match", "--engine", "local", "--ray-workers", "2"
    )
    assert done.exit_code == 0  # what is for Ray is of no interest here
    unknown = invoke("run", rows(tmp_path, RIGHT), "--engine", "spark")
    assert unknown.exit_code == 2
    assert "'spark'" in unknown.stderr
