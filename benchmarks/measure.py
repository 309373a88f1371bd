"""A program measured at the judge server: in a process of its own, by its own clock and by the server's counts."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.launch import ROOT, Launched


@dataclass(frozen=True)
class Setting:
    """How much is measured.

    Attributes:
        cases: test cases.
        rounds: how often each of two programs runs, in turn; medians are told.
        repeats: how often a start is timed.
        in_flight: most calls at once.
        large: test cases of a large run that asks nobody.
        million: whether a run of a million is measured too.
        peers: folder with the peers' environments.
    """

    cases: int = 200
    rounds: int = 3
    repeats: int = 9
    in_flight: int = 64
    large: int = 100_000
    million: bool = False
    peers: Path = Path(os.environ.get("RAGSTONE_PEERS", Path(tempfile.gettempdir()) / "ragstone-peers"))


@dataclass(frozen=True)
class Taken:
    """What one run of a program took.

    Attributes:
        imported: seconds of processor time until it was ready to begin.
        wall: seconds.
        cpu: seconds of the program's processor time.
        seen: the server's counts.
        scores: what came out.
    """

    imported: float
    wall: float
    cpu: float
    seen: dict[str, Any]
    scores: list[list[float | None]]

    @property
    def calls(self) -> int:
        """Calls of the model."""
        return self.seen["calls"]

    @property
    def calls_per_second(self) -> float:
        """Calls of the model in a second of wall time."""
        return self.calls / self.wall

    @property
    def cpu_per_call(self) -> float:
        """Seconds of the program's processor time a call."""
        return self.cpu / self.calls


def take(
    module: str,
    judge: Launched,
    rows: Path,
    *,
    in_flight: int,
    metrics: Sequence[str] = (),
    python: str | Path = sys.executable,
) -> Taken:
    """Run one measured program.

    Raises:
        RuntimeError: it failed; the message ends with the last lines it wrote.
    """
    command = [str(python), "-m", module, "--origin", judge.origin, "--rows", str(rows)]
    command += ["--in-flight", str(in_flight), *(["--metrics", *metrics] if metrics else [])]
    with tempfile.TemporaryDirectory() as folder:  # where a peer may leave what it writes about a run
        done = subprocess.run(
            command, cwd=folder, capture_output=True, text=True, check=False, env=environment(judge, folder)
        )
    if done.returncode:
        raise RuntimeError(f"{module} failed: {done.stderr[-2000:]}")
    said = json.loads(done.stdout)
    return Taken(said["imported"], said["wall"], said["cpu"], judge.stats(), said["scores"])


def write_rows(folder: str | Path, name: str, rows: Sequence[dict[str, Any]]) -> Path:
    """Write what a program is to work on; returns the file."""
    path = Path(folder, f"{name}.jsonl")
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), "utf-8")
    return path


def environment(judge: Launched | None = None, home: str | None = None) -> dict[str, str]:
    """Everything points at the judge server, if there is one; stores are the default; nobody sends statistics home."""
    paths = (str(ROOT / "src"), str(ROOT), os.environ.get("PYTHONPATH", ""))
    there = {"OPENAI_BASE_URL": judge.base_url, "OPENAI_API_KEY": "none"} if judge else {}
    own = {name: value for name, value in os.environ.items() if name != "RAGSTONE_STORE"}
    return own | {
        **({"HOME": home} if home else {}),
        "PYTHONPATH": os.pathsep.join(filter(None, paths)),
        **there,
        "DEEPEVAL_TELEMETRY_OPT_OUT": "YES",
        "DEEPEVAL_DISABLE_DOTENV": "1",
        "RAGAS_DO_NOT_TRACK": "true",
        "LANGCHAIN_TRACING_V2": "false",
        "RAY_USAGE_STATS_ENABLED": "0",
        "DO_NOT_TRACK": "1",
    }
