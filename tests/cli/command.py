"""The command as people run it: in this process for most tests, as a process where that matters.

`forked` runs it as a process whose imports are done already; `real` starts Python, for tests of the start itself.
"""

import inspect
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result
from tests.testing import forked as processes

from ragstone.cli import ragstone

RAGSTONE = str(Path(sys.executable).with_name("ragstone"))
SOURCE = Path(__file__).parents[2] / "src"

RIGHT = {"input": "Capital of France?", "actual_output": "Paris", "expected_output": "Paris"}
WRONG = {**RIGHT, "actual_output": "Rome"}
BARE = {"input": "Capital of France?", "actual_output": "Paris"}

# Click 8.1 mixes the two streams unless told otherwise; later versions keep them apart, and know no such option.
APART: dict[str, Any] = (
    {"mix_stderr": False} if "mix_stderr" in inspect.signature(CliRunner).parameters else {}
)


def invoke(*arguments: object, **options: Any) -> Result:
    return CliRunner(**APART).invoke(
        ragstone, [str(argument) for argument in arguments], prog_name="ragstone", **options
    )


def environment(**variables: str) -> dict[str, str]:
    path = os.pathsep.join(part for part in (str(SOURCE), os.environ.get("PYTHONPATH", "")) if part)
    return {**os.environ, "PYTHONPATH": path, "COLUMNS": "100", **variables}


def real(
    *arguments: object, cwd: str | Path | None = None, **variables: str
) -> subprocess.CompletedProcess[str]:
    command = [RAGSTONE, *map(str, arguments)]
    return subprocess.run(
        command, env=environment(**variables), cwd=cwd, capture_output=True, text=True, check=False
    )


def forked(
    *arguments: object, cwd: str | Path | None = None, **variables: str
) -> subprocess.CompletedProcess[str]:
    return processes.run([RAGSTONE, *map(str, arguments)], cwd=cwd, env=environment(**variables))


def started(*arguments: object, cwd: str | Path | None = None, **variables: str) -> processes.ForkedProcess:
    """Begin the command as a process whose imports are done already; its streams are piped."""
    return processes.ForkedProcess(
        [RAGSTONE, *map(str, arguments)],
        cwd=cwd,
        env=environment(**variables),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def rows(folder: Path, *cases: object, name: str = "cases.jsonl") -> Path:
    path = folder / name
    path.write_text("".join(f"{case if isinstance(case, str) else json.dumps(case)}\n" for case in cases))
    return path
