"""The benchmark's judge server as a separate process: start, counts, settings, stop."""

import json
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Json = Any
ROOT = Path(__file__).resolve().parent.parent


@dataclass(frozen=True)
class Launched:
    """A running judge server."""

    origin: str

    @property
    def base_url(self) -> str:
        """The base URL that a client uses in place of the vendor's."""
        return f"{self.origin}/v1"

    def stats(self) -> dict[str, Any]:
        """Return the counts since the last reset."""
        return self._send("GET", "/stats")

    def reset(self) -> None:
        """Reset the counts."""
        self._send("POST", "/reset")

    def configure(self, **settings: Json) -> dict[str, Any]:
        """Change settings and reset the counts."""
        return self._send("POST", "/config", settings)

    def _send(self, method: str, path: str, body: Json = None) -> dict[str, Any]:
        data = json.dumps(body).encode() if body is not None else None
        request = urllib.request.Request(self.origin + path, data=data, method=method)  # noqa: S310 - our own loopback address
        with urllib.request.urlopen(request, timeout=10) as response:  # noqa: S310 - likewise
            return json.load(response)


@contextmanager
def launched(**settings: Json) -> Iterator[Launched]:
    """Run the judge on a free port of loopback with these settings."""
    flags = [f"--{name.replace('_', '-')}={value}" for name, value in settings.items()]
    command = [sys.executable, "-m", "benchmarks.server", *flags]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        try:
            origin = process.stdout.readline().strip() if process.stdout else ""
            if not origin:
                raise RuntimeError(f"the judge did not start: {' '.join(command)}")
            yield Launched(origin)
        finally:
            process.terminate()
            process.wait(10)
