"""LiteLLM's proxy in front of a llama-server, as a separate process: another server with both wire formats.

LiteLLM with its proxy takes 740 MB, so it is not installed with the tests: `RAGSTONE_LITELLM` names its executable.

    python3 -m venv ~/litellm && ~/litellm/bin/pip install 'litellm[proxy]==1.106.2'
    export RAGSTONE_LITELLM=~/litellm/bin/litellm
"""

import json
import os
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Self

from benchmarks.llama import LlamaServer, free_port

VARIABLE = "RAGSTONE_LITELLM"
KEY = "sk-loopback-proxy"
_START = 180.0


def missing() -> str | None:
    """Return the reason why the proxy cannot be started here, or None."""
    program = os.environ.get(VARIABLE)
    if not program:
        return f"LiteLLM's proxy is not here: {VARIABLE} names its executable"
    return None if Path(program).is_file() else f"{VARIABLE}={program} is no file"


class LiteLLMProxy:
    """LiteLLM's proxy with one model, `smollm2`, behind which a llama-server answers."""

    def __init__(self, server: LlamaServer) -> None:
        self._server = server
        self._folder = tempfile.TemporaryDirectory()
        self._log = tempfile.TemporaryFile()  # noqa: SIM115  (closed in `__exit__`)
        self._process: subprocess.Popen[bytes] | None = None
        self.port = free_port()
        self.origin = f"http://127.0.0.1:{self.port}"

    def __enter__(self) -> Self:
        """Start the process and wait until it answers."""
        behind = {"model": "openai/smollm2", "api_base": self._server.base_url, "api_key": "none"}
        config = {
            "model_list": [{"model_name": "smollm2", "litellm_params": behind}],
            "litellm_settings": {"telemetry": False, "num_retries": 0},
            "general_settings": {"master_key": KEY},
        }
        place = Path(self._folder.name) / "config.yaml"
        place.write_text(json.dumps(config), encoding="utf-8")  # JSON is YAML
        self._process = subprocess.Popen(
            [os.environ[VARIABLE], "--config", place, "--host", "127.0.0.1", "--port", str(self.port)],
            cwd=self._folder.name,
            env=os.environ | {"LITELLM_LOCAL_MODEL_COST_MAP": "True", "NO_PROXY": "127.0.0.1"},
            stdout=self._log,
            stderr=subprocess.STDOUT,
        )
        deadline = time.monotonic() + _START
        while not self._alive():
            if self._process.poll() is not None or time.monotonic() > deadline:
                self._log.seek(0)
                said = self._log.read().decode()[-2000:]
                self.__exit__()
                raise RuntimeError(f"LiteLLM's proxy did not start:\n{said}")
            time.sleep(0.5)
        return self

    def __exit__(self, *_: object) -> None:
        """End the process."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
        self._log.close()
        self._folder.cleanup()

    def _alive(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self.origin}/health/liveliness", timeout=2) as answer:  # noqa: S310  (loopback)
                return answer.status == 200
        except (OSError, urllib.error.URLError):
            return False
