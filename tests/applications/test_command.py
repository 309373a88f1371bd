"""An application that is a command: a line of JSON in, a line of JSON out."""

import sys
import time
from pathlib import Path
from typing import Any

import anyio
import pytest

from ragstone import TestCase
from ragstone.applications import Application
from ragstone.errors import BadOption


def program(folder: Path, text: str) -> str:
    path = folder / "program.py"
    path.write_text(f"import json, os, sys, time\nasked = json.loads(input())\n{text}\n")
    return f"{sys.executable} {path}"


def ask(command: str, **options: Any) -> TestCase:
    return anyio.run(Application(command, **options).ask, TestCase(input="Wann, früher?"))


def test_last_line_is_the_answer(tmp_path: Path) -> None:
    command = program(
        tmp_path, "print('loading')\nprint(json.dumps({'answer': asked['input'], 'contexts': ['a']}))"
    )
    found = ask(command)
    assert (found.actual_output, found.retrieval_context) == ("Wann, früher?", ("a",))
    assert Application(command).name == command


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("sys.exit('no index')", "ended with 1: no index"),
        ("print('done')", "is not JSON but begins with 'done'"),
        ("pass", "is not JSON but is empty"),
    ],
)
def test_failure_is_an_error_of_its_question(tmp_path: Path, text: str, problem: str) -> None:
    assert problem in ask(program(tmp_path, text)).metadata["application_error"]


def test_command_that_takes_too_long_is_ended_with_its_children(tmp_path: Path) -> None:
    pid = tmp_path / "pid"
    command = program(
        tmp_path, f"os.fork()\nopen({str(pid)!r}, 'a').write(f'{{os.getpid()}}\\n')\ntime.sleep(60)"
    )
    assert "no answer within 2 s" in ask(command, timeout=2).metadata["application_error"]
    left = [int(line) for line in pid.read_text().split()]
    deadline = time.monotonic() + 30
    while any(map(_runs, left)) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert len(left) == 2
    assert not any(map(_runs, left))


def test_command_that_floods_its_output_is_ended_in_time(tmp_path: Path) -> None:
    """What is left in the pipe must not keep the run waiting."""
    text = "chunk = b'x' * 100_000\nwhile True:\n    os.write(1, chunk)\n    time.sleep(0.01)"
    assert "no answer within 1 s" in ask(program(tmp_path, text), timeout=1).metadata["application_error"]


def test_command_that_writes_too_much_is_an_error_of_its_question(tmp_path: Path) -> None:
    found = ask(program(tmp_path, "while True:\n    os.write(1, b'x' * 1_000_000)"))
    assert "it wrote more than 16 MiB" in found.metadata["application_error"]


def test_child_that_outlives_its_command_is_ended_too(tmp_path: Path) -> None:
    """It keeps the output open, so that the command seems to write on."""
    pid = tmp_path / "pid"
    text = f"child = os.fork()\nif child:\n    open({str(pid)!r}, 'w').write(str(child))\nelse:\n    time.sleep(60)"
    assert "no answer within 1 s" in ask(program(tmp_path, text), timeout=1).metadata["application_error"]
    deadline = time.monotonic() + 30
    while _runs(int(pid.read_text())) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not _runs(int(pid.read_text()))


def _runs(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().split()[2] != "Z"
    except FileNotFoundError:
        return False


def test_a_program_that_does_not_exist_is_refused() -> None:
    with pytest.raises(BadOption, match=r"there is no program 'no-such-program'"):
        Application("no-such-program --fast")
