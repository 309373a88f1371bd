"""Without an SDK nothing is loaded, nothing is wrapped, nothing leaves."""

import subprocess
import sys

import pytest

GUARD = """
import socket, sys
def refuse(*arguments): raise AssertionError(f"something leaves: {arguments}")
socket.socket.connect = socket.socket.connect_ex = socket.getaddrinfo = refuse
"""
RUN = """
from ragstone import evaluate
text = "The museum opens at nine."
report = evaluate([{"input": "When?", "actual_output": text, "retrieval_context": [text]}], "faithfulness")
assert report.results[0][0].success
"""


def python(code: str) -> str:
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    return run.stdout


def test_opentelemetry_is_not_imported_by_a_run() -> None:
    python(GUARD + RUN + "assert not [name for name in sys.modules if name.startswith('opentelemetry')]")


def test_observe_returns_the_judge_unwrapped_without_an_sdk() -> None:
    pytest.importorskip("opentelemetry")
    code = "from opentelemetry import trace, metrics\n" + GUARD + RUN
    code += "from ragstone.judges import get_judge\nfrom ragstone.telemetry import observe\n"
    code += "judge = get_judge()\nassert observe(judge) == (judge, [])\n"
    python(code)


def test_observe_uses_tracer_provider_from_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("opentelemetry.sdk")
    monkeypatch.setenv("OTEL_PYTHON_TRACER_PROVIDER", "sdk_tracer_provider")
    code = "from ragstone.judges import get_judge\nfrom ragstone.telemetry import observe\n"
    python(code + "assert len(observe(get_judge()).listeners) == 1")
