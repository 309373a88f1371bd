"""A command that receives traces, as a process of its own."""

import json
import os
import re
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from signal import SIGINT
from typing import Any
from urllib.error import URLError

from benchmarks.watch.load import body_of

_COMMAND = (sys.executable, "-P", "-c", "from ragstone.cli import main; main()")
_START_SECONDS = 300


class ReceivingProcess:
    """A process whose receiver is ready.

    Attributes:
        pid: its id.
        port: port of its receiver on loopback.
    """

    def __init__(self, process: "subprocess.Popen[bytes]", port: int, log: Path) -> None:
        self.pid, self.port = process.pid, port
        self._log = log

    def told(self, words: str) -> int:
        """Return how many lines on its standard error have these words."""
        return sum(words in line for line in self._log.read_text(encoding="utf-8").splitlines())

    def wait_for(self, words: str, seconds: float = 300) -> bool:
        """Wait until a line has these words; tell whether one came."""
        end = time.monotonic() + seconds
        while not self.told(words) and time.monotonic() < end:
            time.sleep(0.2)
        return bool(self.told(words))

    def send(self, number: int) -> bool:
        """Send a trace of that number; tell whether it was acknowledged."""
        return self.post(body_of(number), {"content-type": "application/json"}) == 200

    def post(self, body: bytes, headers: dict[str, str], timeout: float = 300) -> int:
        """Send a request; return the status of its answer, 0 without one."""
        message = urllib.request.Request(f"http://127.0.0.1:{self.port}/v1/traces", body, headers)
        try:
            with urllib.request.urlopen(message, timeout=timeout) as answer:  # noqa: S310
                return answer.status
        except URLError as error:
            return getattr(error, "code", 0)
        except OSError:
            return 0

    def peak_megabytes(self) -> float:
        """Return the most memory that it had."""
        return self._status("VmHWM") / 1000

    def cpu_seconds(self) -> float:
        """Return the processor time that it took."""
        fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def _status(self, name: str) -> int:
        lines = Path(f"/proc/{self.pid}/status").read_text().splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith(name))


@contextmanager
def receiving(folder: Path, *arguments: str) -> Iterator[ReceivingProcess]:
    """Start a command with `--otlp` on a free port, and end it with Ctrl-C."""
    log = folder / "told"
    environment: dict[str, Any] = {**os.environ, "XDG_DATA_HOME": str(folder)}
    with log.open("wb") as file:
        process = subprocess.Popen(
            [*_COMMAND, *arguments, "--otlp", "127.0.0.1:0"], stdout=file, stderr=file, env=environment
        )
    end = time.monotonic() + _START_SECONDS
    while (found := re.search(r"received at http://127.0.0.1:(\d+)", log.read_text())) is None:
        if process.poll() is not None or time.monotonic() > end:
            raise RuntimeError(f"{arguments}: {log.read_text()}")
        time.sleep(0.1)
    try:
        yield ReceivingProcess(process, int(found[1]), log)
    finally:
        process.send_signal(SIGINT)
        process.wait(_START_SECONDS)


def as_json(value: object) -> bytes:
    """Return a value as JSON."""
    return json.dumps(value).encode()
