"""Measurement of a program against the judge server: a separate process, its own clock, and the server's counts."""

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
    """Size of the measurements.

    Attributes:
        cases: number of test cases.
        rounds: number of runs of each of two programs, in turn; medians are reported.
        repeats: number of timed starts.
        in_flight: most calls at once.
        large: number of test cases of a large run without a judge.
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
    """Cost of one run of a program.

    Attributes:
        imported: seconds of processor time until the imports were done.
        wall: seconds of wall time.
        cpu: seconds of the program's processor time.
        seen: the server's counts.
        scores: the resulting scores.
    """

    imported: float
    wall: float
    cpu: float
    seen: dict[str, Any]
    scores: list[list[float | None]]

    @property
    def calls(self) -> int:
        """Number of model calls."""
        return self.seen["calls"]

    @property
    def calls_per_second(self) -> float:
        """Model calls per second of wall time."""
        return self.calls / self.wall

    @property
    def cpu_per_call(self) -> float:
        """Seconds of the program's processor time per call."""
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
    with tempfile.TemporaryDirectory() as folder:  # for files that a peer writes during a run
        done = subprocess.run(
            command, cwd=folder, capture_output=True, text=True, check=False, env=environment(judge, folder)
        )
    if done.returncode:
        raise RuntimeError(f"{module} failed: {done.stderr[-2000:]}")
    said = json.loads(done.stdout)
    return Taken(said["imported"], said["wall"], said["cpu"], judge.stats(), said["scores"])


def write_rows(folder: str | Path, name: str, rows: Sequence[dict[str, Any]]) -> Path:
    """Write the input rows of a program; return the file."""
    path = Path(folder, f"{name}.jsonl")
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), "utf-8")
    return path


def environment(judge: Launched | None = None, home: str | None = None) -> dict[str, str]:
    """Return the environment: URLs of the judge server, if there is one; the default store; telemetry is disabled."""
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
