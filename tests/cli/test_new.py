"""`ragstone new metric`: what it writes works at once."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from ragstone.cli import ragstone


@pytest.mark.parametrize(
    ("options", "listed"),
    [((), "Two judge calls."), (("--no-judge",), "actual_output")],
    ids=["judged", "computed"],
)
def test_new_metric_passes_its_test_and_is_listed(
    options: tuple[str, ...], listed: str, tmp_path: Path
) -> None:
    made = CliRunner().invoke(ragstone, ["new", "metric", "kind_tone", "--folder", str(tmp_path), *options])
    assert made.exit_code == 0, made.output
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "kind_tone.md",
        "kind_tone.py",
        "test_kind_tone.py",
    ]
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join((str(tmp_path), os.environ.get("PYTHONPATH", ""))),
    }
    tested = subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-p",
            "no:cacheprovider",
            "-p",
            "no:asyncio",
            "-W",
            "error",
            str(tmp_path),
        ],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "3 passed" in tested.stdout, tested.stdout
    shown = subprocess.run(
        [sys.executable, "-c", "from ragstone.cli import main; main()", "metrics", "kind_tone:KindTone"],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert listed in shown.stdout, shown.stderr
    assert ("JudgeKindTone" in (tmp_path / "kind_tone.py").read_text()) is not bool(options)


@pytest.mark.parametrize("options", [(), ("--no-judge",)])
def test_new_metric_passes_ruff(options: tuple[str, ...], tmp_path: Path) -> None:
    CliRunner().invoke(ragstone, ["new", "metric", "tone", "--folder", str(tmp_path), *options])
    ruff = [
        str(Path(sys.executable).with_name("ruff")),
        "check",
        "--isolated",
        "--line-length",
        "120",
        "--select",
    ]
    checked = subprocess.run(
        [*ruff, "E,F,I,UP,B,SIM,RUF100", str(tmp_path)], capture_output=True, text=True, check=False
    )
    assert checked.returncode == 0, checked.stdout


@pytest.mark.parametrize("name", ["Kind", "kind-tone", "2fast", "class", "a__b", "../up"])
def test_invalid_module_names_are_refused(name: str, tmp_path: Path) -> None:
    refused = CliRunner().invoke(ragstone, ["new", "metric", name, "--folder", str(tmp_path)])
    assert refused.exit_code == 2
    assert "is not a module name" in refused.output
    assert not list(tmp_path.iterdir())


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    (tmp_path / "tone.md").write_text("mine")
    refused = CliRunner().invoke(ragstone, ["new", "metric", "tone", "--folder", str(tmp_path)])
    assert refused.exit_code == 2
    assert [path.name for path in tmp_path.iterdir()] == ["tone.md"]
