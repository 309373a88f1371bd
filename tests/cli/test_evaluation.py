import errno
from pathlib import Path
from typing import NoReturn

import pytest
from tests.cli.command import RIGHT, WRONG, invoke, rows

from ragstone.cli import _evaluation


def test_a_file_that_cannot_be_written_does_not_keep_the_others_from_being_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
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


def test_ctrl_c_before_the_run_began_is_just_an_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*arguments: object, **options: object) -> NoReturn:
        del arguments, options
        raise KeyboardInterrupt

    monkeypatch.setattr(_evaluation, "evaluate", interrupted)
    done = invoke("run", rows(tmp_path, WRONG), "-o", tmp_path / "a.md")
    assert (done.exit_code, done.stdout, done.stderr) == (130, "", "ragstone: stopped.\n")
    assert not (tmp_path / "a.md").exists()
