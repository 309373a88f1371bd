"""What a command may import: counted by modules in a process of its own, not by seconds."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src"
COMMAND = """
import json, sys
sys.argv = ["ragstone", *sys.argv[1:]]
from ragstone.cli import main
try:
    main()
finally:
    print(json.dumps(sorted(sys.modules)), file=sys.stderr)
"""

NEVER = {
    "aiohttp": "asks a server",
    "fastapi": "serves the page",
    "ragstone.embeddings.static": "reads the words of the embedded judge",
    "sqlalchemy.orm": "nobody uses it",
    "opentelemetry": "traces where an SDK is set up",
    "pandas": "makes a data frame",
    "ray": "runs on a cluster",
    "ragstone.providers.batches.scheduler": "asks in batches",
    "ragstone.dashboard": "serves the page",
    "ragstone.stats.judge_card": "tests a judge",
}
"""Modules that none of these commands needs, and what they are for."""

NO_RUN = ("anyio", "numpy", "ragstone.judges", "ragstone.metrics", "ragstone.prompts", "ragstone.providers")
SHOWN = ("rich", "numpy", "ragstone.stats")
COMMANDS = {
    "--help": (*NO_RUN, *SHOWN, "asyncio", "pydantic", "sqlalchemy", "ragstone.config", "ragstone.api"),
    "runs": (
        *NO_RUN,
        "ragstone.stats.compare",
        "ragstone.case",
        "ragstone.result",
        "ragstone.api",
        "ragstone.runner",
        "ragstone.store.read.annotations",
        "ragstone.store.read.case_table",
        "tomllib",
    ),
    "run cases.jsonl -m exact_match --store first.sqlite3": (
        "numpy",  # needed only to compare the run with one before it
        "rich.progress",
        "ragstone.stats.repeats",
        "ragstone.stats.estimate",
    ),
    "run cases.jsonl -m exact_match --quiet": (
        *SHOWN,
        "ragstone.prompts.judge_claims",
        "ragstone.metrics.faithfulness",
        "ragstone.judges.llm",
        "ragstone.judges.cached",
        "ragstone.datasets.traces",
        "tomllib",
    ),
    "run cases.jsonl -m exact_match --quiet --no-store": (*SHOWN, "sqlalchemy"),
}
"""What each command does without, besides."""


def modules(folder: Path, command: str) -> set[str]:
    """Return the modules that a command has imported when it ends."""
    done = subprocess.run(
        [sys.executable, "-c", COMMAND, *command.split()],
        cwd=folder,
        env={"PATH": os.environ["PATH"], "HOME": str(folder), "PYTHONPATH": str(SOURCE)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return {*json.loads(done.stderr.splitlines()[-1])}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("imports")
    row = {"input": "q", "actual_output": "a", "expected_output": "a"}
    (path / "cases.jsonl").write_text(json.dumps(row))
    modules(path, "run cases.jsonl -m exact_match --quiet")  # so that `runs` has something to list
    return path


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_imports_only_what_it_needs(folder: Path, command: str) -> None:
    found = modules(folder, command)
    assert sorted(found & {*NEVER, *COMMANDS[command]}) == []
