"""The example plug-in, installed: what it brings to each family is found by name."""

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


def test_plugin_tests_pass(run: Run) -> None:
    done = run(
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:asyncio",
        "-p",
        "no:langsmith_plugin",
        "-c",
        "/dev/null",
        "-W",
        "error",
        str(PACKAGE / "tests"),
    )
    assert "5 passed" in done.stdout, done.stdout


def test_plugin_metrics_are_found_by_name(run: Run, tmp_path: Path) -> None:
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


def test_plugin_judge_dataset_and_report_are_used(run: Run, tmp_path: Path) -> None:
    (tmp_path / "export.txt").write_text(
        "Q: Where is my parcel?\nA: Dear guest, thank you for asking: it is on its way.\nP: Sent on Monday.\n\n"
        "Q: And now?\nA: Wait.\n"
    )
    command = ("run", "tickets:export.txt", "-m", "politeness", "--judge", "courtesy", "-o", "summary.chat")
    done = run(*ragstone(*command, "-q", "-o", "-"))
    assert done.returncode == 1, done.stderr
    results = [json.loads(line) for line in done.stdout.splitlines()]
    found = [(result["case_id"], result["score"], result["judge"]) for result in results]
    assert found == [("ticket-1", 0.9, "courtesy"), ("ticket-2", 0.5, "courtesy")]
    assert (tmp_path / "summary.chat").read_text() == "Politeness: 0.70 (n = 2, not measured = 0)\n"
    other = run(*ragstone("run", "tickets:export.txt", "-m", "answer_relevancy", "--judge", "courtesy", "-q"))
    assert other.returncode == 3


def test_plugin_embedder_is_used_by_semantic_similarity(run: Run, tmp_path: Path) -> None:
    (tmp_path / "cases.jsonl").write_text(
        '{"input": "Which part?", "actual_output": "AB-12", "expected_output": "12 ba"}\n'
    )
    done = run(
        *ragstone("run", "cases.jsonl", "-m", "semantic_similarity(embedder='letters')", "-q", "-o", "-")
    )
    result = json.loads(done.stdout)
    assert (result["score"], result["metadata"]["by"]) == (pytest.approx(1.0), "letters")


def test_unknown_report_suffix_or_dataset_is_refused_with_suggestions(run: Run, tmp_path: Path) -> None:
    (tmp_path / "cases.jsonl").write_text('{"input": "q", "actual_output": "a"}\n')
    suffix = run(*ragstone("run", "cases.jsonl", "-m", "brevity", "-o", "out.chatt"))
    assert "Use one of .csv" in suffix.stderr
    assert ".chat" in suffix.stderr
    missing = run(*ragstone("run", "ticket:export.txt", "-m", "brevity"))
    assert missing.returncode == 2
    assert "ticket:export.txt" in missing.stderr


def test_plugin_provider_is_used_as_judge(run: Run, tmp_path: Path) -> None:
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
