import json
import subprocess
import sys

from tests.cli.command import environment, forked, invoke, real

from ragstone import __version__
from ragstone.cli import COMMANDS
from ragstone.cli._group import Commands

HEAVY = ("aiohttp", "anyio", "asyncio", "numpy", "pandas", "pydantic", "rich")


def test_help_names_every_command_in_the_order_of_need() -> None:
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


def test_what_the_group_says_of_a_command_is_true_of_the_command() -> None:
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


def test_what_a_stream_cannot_encode_is_escaped() -> None:
    done = forked("metrics", PYTHONIOENCODING="ascii", COLUMNS="60")
    assert done.returncode == 0
    assert done.stdout.isascii()
