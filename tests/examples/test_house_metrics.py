"""The example plug-in, installed: its metrics and its provider are found by name."""

import json
import os
import subprocess
import sys
import tomllib
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import pytest

PACKAGE = Path(__file__).parents[2] / "examples" / "house_metrics"
Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Run Python where the package is installed: its code and the entry points that its pyproject.toml names."""
    installed = tmp_path / "site" / "house_metrics-1.0.0.dist-info"
    installed.mkdir(parents=True)
    project = tomllib.loads((PACKAGE / "pyproject.toml").read_text())["project"]
    lines = [
        line
        for group, points in project["entry-points"].items()
        for line in (f"[{group}]", *(f"{name} = {place}" for name, place in points.items()))
    ]
    (installed / "METADATA").write_text("Metadata-Version: 2.1\nName: house-metrics\nVersion: 1.0.0\n")
    (installed / "entry_points.txt").write_text("\n".join(lines))
    path = os.pathsep.join((str(installed.parent), str(PACKAGE / "src"), os.environ.get("PYTHONPATH", "")))

    def python(*arguments: str) -> "subprocess.CompletedProcess[str]":
        environment = {**os.environ, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"}
        return subprocess.run(
            [sys.executable, *arguments],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )

    return python


def ragstone(*arguments: str) -> tuple[str, ...]:
    return "-c", "from ragstone.cli import main; main()", *arguments


def test_its_own_tests_pass(run: Run) -> None:
    done = run(
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "-c",
        "/dev/null",
        "-W",
        "error",
        str(PACKAGE / "tests"),
    )
    assert "4 passed" in done.stdout, done.stdout


def test_its_metrics_are_found_by_name(run: Run, tmp_path: Path) -> None:
    (tmp_path / "cases.jsonl").write_text('{"input": "q", "actual_output": "one two three four"}\n')
    done = run(
        *ragstone("run", "cases.jsonl", "-m", "brevity(max_words=2)", "-m", "verbosity", "-q", "-o", "-")
    )
    assert done.returncode == 0, done.stderr
    results = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(result["metric"], result["score"]) for result in results] == [
        ("Brevity", 0.5),
        ("Verbosity", 0.02),
    ]
    assert all(result["success"] for result in results)
    misspelt = run(*ragstone("run", "cases.jsonl", "-m", "brevty"))
    assert "Did you mean 'brevity'?" in misspelt.stderr


def test_its_provider_judges(run: Run, tmp_path: Path) -> None:
    class House(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            assert set(asked["schema"]["properties"]) == {"reason", "rating"}
            body = json.dumps({"text": json.dumps({"reason": "Courteous.", "rating": 9})}).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), House) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        (tmp_path / "cases.jsonl").write_text('{"input": "q", "actual_output": "Dear guest, welcome."}\n')
        (tmp_path / "ragstone.toml").write_text(
            f'judge = "mine"\n[judges.mine]\njudge = "house"\nbase_url = "http://127.0.0.1:{server.server_port}/answer"\n'
        )
        done = run(*ragstone("run", "cases.jsonl", "-m", "politeness", "-q", "-o", "-"))
        server.shutdown()
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)
    assert (result["score"], result["judge"], result["reason"]) == (0.9, "house:house-model", "Courteous.")
