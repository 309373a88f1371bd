import json
import os
import pty
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress

from tests.cli.command import RAGSTONE, environment, invoke, real

from ragstone import __version__
from ragstone.cli import COMMANDS
from ragstone.cli._group import Commands

HEAVY = ("aiohttp", "anyio", "asyncio", "numpy", "pandas", "pydantic", "rich")


def test_help_lists_commands_in_declared_order() -> None:
    shown = invoke("--help").output
    places = [shown.index(f"\n  {name} ") for name in COMMANDS]
    assert places == sorted(places)


def test_help_imports_nothing_heavy() -> None:
    script = (
        "import sys, json\n"
        "from ragstone.cli import ragstone\n"
        "try:\n    ragstone(['--help'])\nexcept SystemExit:\n    pass\n"
        "print(json.dumps(sorted({name.partition('.')[0] for name in sys.modules})))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], env=environment(), capture_output=True, text=True, check=True
    )
    assert not set(HEAVY) & set(json.loads(done.stdout.splitlines()[-1]))


def test_every_listed_command_has_its_name_and_help() -> None:
    group = Commands(commands_by_use=COMMANDS)
    for name in COMMANDS:
        command = group.get_command(None, name)  # type: ignore[arg-type]
        assert command is not None
        assert command.name == name
        assert command.help


def test_version() -> None:
    assert real("--version").stdout == f"ragstone {__version__}\n"


def test_without_a_command_it_shows_help() -> None:
    done = real()
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("Usage: ragstone")


def test_output_is_ascii_on_an_ascii_terminal() -> None:
    ours, theirs = pty.openpty()
    command = subprocess.Popen(
        [RAGSTONE, "metrics"], stdout=theirs, env=environment(PYTHONIOENCODING="ascii", COLUMNS="60")
    )
    os.close(theirs)
    shown = b"".join(_pieces(ours))
    assert command.wait() == 0
    assert b"faithfulness" in shown
    assert shown.isascii()


def _pieces(terminal: int) -> Iterator[bytes]:
    """Yield what is written to `terminal` until its last writer ends, which Linux reports as an error."""
    with os.fdopen(terminal, "rb", buffering=0) as reader, suppress(OSError):
        while piece := reader.read(65_536):
            yield piece
