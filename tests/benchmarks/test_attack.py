"""`make attack` tries what it says, and finds what is planted."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from benchmarks.attack.areas import AREAS
from tests.cli.command import SOURCE, environment

PLANTED = """
import json, socket, sys
from pathlib import Path
from benchmarks.attack.watch import Watch

watch = Watch(Path(sys.argv[1]))
watch.start()
attempts = {
    "nothing": lambda: None,
    "a file of its own": lambda: Path(sys.argv[1], "own").write_text(""),
    "no JSON": lambda: json.loads("{"),
    "memory": lambda: len(b"x" * 400_000_000),
    "another folder": lambda: Path(sys.argv[2], "other").write_text(""),
    "another machine": lambda: socket.create_connection(("192.0.2.1", 9), timeout=1),
    "a planted file": lambda: Path("/planted-by-attack/secret").exists() or open("/planted-by-attack/secret"),
}
for name in sys.argv[3:]:
    print(f"{name}: {watch.problem((name, attempts[name]))}")
"""


def run(*arguments: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *map(str, arguments)],
        cwd=SOURCE.parent,
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )


def test_attack_areas_total_sixty_thousand_inputs() -> None:
    assert sum(AREAS.values()) >= 60_000


@pytest.mark.slow
def test_a_sample_of_each_attack_area_finds_nothing() -> None:
    done = run("-m", "benchmarks.attack", "--share", "0.002", "--seed", "7", "--processes", "1")
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.findall(r"^(\w+) +\d+ inputs", done.stdout, re.MULTILINE) == list(AREAS)


def test_what_an_input_may_not_do_is_a_finding(tmp_path: Path) -> None:
    own, other = tmp_path / "own", tmp_path / "other"
    own.mkdir()
    other.mkdir()
    names = (
        "nothing",
        "a file of its own",
        "no JSON",
        "memory",
        "another folder",
        "another machine",
        "a planted file",
    )
    done = run("-c", PLANTED, own, other, *names)
    found = dict(line.split(": ", 1) for line in done.stdout.splitlines())
    assert (found["nothing"], found["a file of its own"]) == ("", ""), done.stderr
    assert found["no JSON"].startswith("JSONDecodeError: ")
    assert re.fullmatch(r"took (3[5-9]|4[0-4])\d MB", found["memory"])
    assert found["another folder"] == f"wrote {other}/other"
    assert found["another machine"] == "connected to 192.0.2.1"
    assert found["a planted file"].startswith("opened /planted-by-attack/secret")
    assert not list(other.iterdir())
