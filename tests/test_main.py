"""The entry point of the command: quick to start, and calm when it is interrupted or cannot write."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.testing.for_each import for_each

LIGHT = "{'numpy', 'anyio', 'rich', 'sqlalchemy', 'aiohttp', 'ragstone.metrics'}"
LOADED = f"import sys; print([name for name in {LIGHT} if name in sys.modules])"


def python(code: str, *arguments: str, folder: Path | None = None) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "XDG_DATA_HOME": str(folder)} if folder else None
    return subprocess.run(
        [sys.executable, "-c", code, *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
        env=environment,
    )


def test_importing_evaluate_imports_nothing_heavy() -> None:
    done = python(f"from ragstone import evaluate, Limits, TestCase; {LOADED}")
    assert done.stdout == "[]\n", done.stderr


def test_the_help_imports_nothing_heavy() -> None:
    code = (
        "import sys; sys.argv = ['ragstone', '--help']\n"
        "from ragstone.cli import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        f"{LOADED.replace('print(', 'print(file=sys.stderr, *')}\n"
    )
    assert python(code).stderr.strip() == ""


def test_metric_without_judge_loads_no_prompts_or_text_analysis(tmp_path: Path) -> None:
    data = tmp_path / "one.jsonl"
    data.write_text(json.dumps({"input": "a", "actual_output": "b", "expected_output": "b"}) + "\n")
    code = (
        "import sys; sys.argv = ['ragstone', *sys.argv[1:]]\n"
        "from ragstone.cli import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "unused = ('ragstone.prompts.judge_', 'ragstone.text.tokens', 'ragstone.text.prose',\n"
        "          'ragstone.datasets.langchain', 'ragstone.datasets.haystack',\n"
        "          'aiohttp', 'ragstone.embeddings.static', 'jinja2')\n"
        "print([name for name in sys.modules if name.startswith(unused)], file=sys.stderr)\n"
    )
    done = python(code, "run", str(data), "-m", "exact_match", "--quiet", folder=tmp_path)
    assert done.stderr == "[]\n"


INTERRUPTED = (
    "import os, runpy, signal, sys\n"
    "at, started = sys.argv.pop(1), sys.argv.pop(1)\n"
    "count = 0\n"
    "def interrupt(event, given):\n"
    "    global count\n"
    "    if event == 'import' and 'ragstone.cli' in sys.modules:\n"
    "        count += 1\n"
    "    if event == 'import' and at in (given[0], str(count)):\n"
    "        count += 1\n"
    "        os.kill(os.getpid(), signal.SIGINT)\n"
    "if started == 'script':\n"
    "    from ragstone.__main__ import main\n"
    "    sys.addaudithook(interrupt)\n"
    "    main()\n"
    "else:\n"
    "    sys.addaudithook(interrupt)\n"
    "    runpy.run_module('ragstone', run_name='__main__', alter_sys=True)\n"
)
"""Runs the command, and presses Ctrl-C when a module is imported: the one named, or the n-th once the command runs."""

MODULES = (
    "ragstone.cli",
    "click",
    "ragstone.cli._evaluation",
    "pydantic",
    "numpy",
    "numpy._core._multiarray_umath",
    "anyio",
)
NUMBERS = ("1", "60", "200", "600")
INTERRUPTIONS = [
    *((at, "script") for at in (*MODULES, *NUMBERS)),
    *((at, "module") for at in ("ragstone.cli", "click", "numpy._core._multiarray_umath", "1")),
]


@pytest.mark.skipif(os.name != "posix", reason="signals as POSIX has them")
@for_each("at, started", INTERRUPTIONS)
def test_ctrl_c_during_imports_shows_no_traceback(tmp_path: Path, at: str, started: str) -> None:
    data = tmp_path / "one.jsonl"
    data.write_text(json.dumps({"input": "a", "actual_output": "b", "retrieval_context": ["b"]}) + "\n")
    done = python(
        INTERRUPTED, at, started, "run", str(data), "--judge", "local", "--no-store", folder=tmp_path
    )
    assert done.returncode in (-signal.SIGINT, 130)
    assert "Traceback" not in done.stderr
    assert "ignored" not in done.stderr
    assert "fault" not in done.stderr


def test_entry_point_imports_only_itself_and_lazy() -> None:
    code = "import sys; before = set(sys.modules); import ragstone.__main__; print(sorted({*sys.modules} - before))"
    assert python(code).stdout == "['ragstone', 'ragstone.__main__', 'ragstone.lazy']\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_full_disk_at_standard_output_exits_with_74() -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "ragstone", "metrics"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            timeout=100,
        )
    assert done.returncode == 74
    assert "standard output could not be written: No space left on device" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.skipif(os.name != "posix", reason="a shell closes a stream")
def test_closed_standard_output_exits_with_0() -> None:
    done = subprocess.run(
        ["sh", "-c", f"{sys.executable} -m ragstone metrics >&-"],
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
    )
    assert (done.returncode, done.stderr) == (0, "")
