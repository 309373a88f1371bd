"""A pull request in a local repository, by the steps of the action itself: only `pip install` is left out."""

import json
import subprocess
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from tests.cli.command import SOURCE, environment
from tests.cli.github import NUMBER, REPOSITORY, TOKEN, GitHub, github
from tests.testing import forked

yaml = pytest.importorskip("yaml", reason="reads action.yml; comes with the documentation tools")
ROOT = SOURCE.parent
ACTION = yaml.safe_load((ROOT / "action.yml").read_text())
EXAMPLE = ROOT / "examples" / "worse_retriever.py"
CASES = 12
"""Test cases of the demo that are judged: enough for a loss of the best passage to be told from chance."""


class PullRequest:
    """A clone with the demo as its dataset and the variables of a job."""

    def __init__(self, folder: Path, server: GitHub) -> None:
        self.folder, self.work = folder, folder / "clone"
        self.work.mkdir()
        programs = folder / "programs"
        programs.mkdir()
        forked.write_clients(programs)
        self.event = folder / "event.json"
        self.event.write_text(json.dumps({"pull_request": {"number": NUMBER}}))
        self.variables = {
            **environment(),
            "PATH": f"{programs}:{Path(sys.executable).parent}:{environment()['PATH']}",
            "GITHUB_ACTION_PATH": str(ROOT),
            "GITHUB_API_URL": server.url,
            "GITHUB_EVENT_PATH": str(self.event),
            "GITHUB_REPOSITORY": REPOSITORY,
            "GITHUB_STEP_SUMMARY": str(folder / "summary.md"),
            "RUNNER_TEMP": str(folder),
            "GIT_AUTHOR_NAME": "Ann", "GIT_AUTHOR_EMAIL": "ann@example.org",
            "GIT_COMMITTER_NAME": "Ann", "GIT_COMMITTER_EMAIL": "ann@example.org",
        }  # fmt: skip
        self.git("init", "--quiet", "--initial-branch", "main")

    def git(self, *arguments: str) -> None:
        subprocess.run(["git", *arguments], cwd=self.work, env=self.variables, check=True)

    def commit(self, message: str) -> None:
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", message)

    def act(self, against: str = "") -> int:
        """Run the steps after the installation; return the exit code of the last."""
        inputs = {
            "DATASET": "demo.jsonl",
            "NAME": "",
            "ARGUMENTS": "-m contextual_precision --no-store",
            "AGAINST": against,
            "GITHUB_TOKEN": TOKEN,
        }
        steps = {step["name"]: step for step in ACTION["runs"]["steps"]}
        output = self.folder / "output"
        output.write_text("")
        for name in ("Gate", "Comment", "Decide"):
            done = subprocess.run(
                ["bash", "-e", "-o", "pipefail", "-c", steps[name]["run"]],
                cwd=self.work,
                env={**self.variables, **inputs, "GITHUB_OUTPUT": str(output), "CODE": self._code(output)},
                check=False,
            )
            if name != "Decide":
                assert done.returncode == 0, name
        return done.returncode

    @staticmethod
    def _code(output: Path) -> str:
        return output.read_text().strip().removeprefix("code=") or "0"


def first_cases(dataset: Path) -> str:
    return "".join(dataset.read_text(encoding="utf-8").splitlines(keepends=True)[:CASES])


@pytest.fixture
def demo() -> str:
    return first_cases(SOURCE / "ragstone" / "datasets" / "data" / "demo.jsonl")


def test_one_comment_is_written_and_replaced(tmp_path: Path, demo: str) -> None:
    with github() as server:
        request = PullRequest(tmp_path, server)
        (request.work / "demo.jsonl").write_text(demo)
        assert request.act() == 3  # no baseline yet, and no comment about nothing
        assert not server.comments
        command = ["ragstone", "gate", "demo.jsonl", "-m", "contextual_precision", "--no-store", "--update"]
        subprocess.run(command, cwd=request.work, env=request.variables, check=True)
        request.commit("answers and their baseline")
        request.git("switch", "--quiet", "--create", "worse-retriever")
        dataset = request.work / "demo.jsonl"
        assert forked.run([str(EXAMPLE), str(dataset)], env=environment()).returncode == 0
        dataset.write_text(first_cases(dataset), encoding="utf-8")
        request.commit("another retriever")
        quoted = "<!-- ragstone:gate:demo -->\nquoted by a person"
        person = {"type": "User"}
        server.comments.extend({"id": number, "body": quoted, "user": person} for number in range(100))
        assert request.act() == 1
        assert len(server.comments) == 101
        assert str(server.comments[-1]["body"]).startswith(
            "<!-- ragstone:gate:demo -->\n## ✗ Gate: demo, red"
        )
        assert "ContextualPrecision got worse." in str(server.comments[-1]["body"])
        dataset.write_text(demo, encoding="utf-8")
        assert request.act() == 0
        assert len(server.comments) == 101
        assert str(server.comments[-1]["body"]).startswith(
            "<!-- ragstone:gate:demo -->\n## ✓ Gate: demo, green"
        )
        assert "Gate: demo, red" in (tmp_path / "summary.md").read_text()
        assert not server.faults


def test_a_baseline_that_the_pull_request_edits_is_not_used(tmp_path: Path, demo: str) -> None:
    with github() as server:
        request = PullRequest(tmp_path, server)
        dataset = request.work / "demo.jsonl"
        dataset.write_text(demo)
        command = ["ragstone", "gate", "demo.jsonl", "-m", "contextual_precision", "--no-store", "--update"]
        subprocess.run(command, cwd=request.work, env=request.variables, check=True)
        request.commit("answers and their baseline")
        request.git("remote", "add", "origin", str(request.work))
        request.git("switch", "--quiet", "--create", "worse-retriever")
        assert forked.run([str(EXAMPLE), str(dataset)], env=environment()).returncode == 0
        dataset.write_text(first_cases(dataset), encoding="utf-8")
        subprocess.run(command, cwd=request.work, env=request.variables, check=False)
        request.commit("another retriever, and its baseline")
        assert request.act() == 0
        assert request.act(against="main") == 1
        assert "The baseline differs in the current folder" in str(server.comments[-1]["body"])
        assert ACTION["inputs"]["against"]["default"] == "${{ github.base_ref }}"


def test_a_token_that_may_not_write_changes_no_exit_code(tmp_path: Path, demo: str) -> None:
    with github(forbids=True) as server:
        request = PullRequest(tmp_path, server)
        (request.work / "demo.jsonl").write_text(demo)
        command = ["ragstone", "gate", "demo.jsonl", "-m", "contextual_precision", "--no-store", "--update"]
        subprocess.run(command, cwd=request.work, env=request.variables, check=True)
        assert request.act() == 0
        assert not server.comments
        assert "Gate: demo, green" in (tmp_path / "summary.md").read_text()


def step(name: str) -> str:
    return next(one["run"] for one in ACTION["runs"]["steps"] if one["name"] == name)


def test_the_installation_imports_nothing_of_the_checkout(tmp_path: Path) -> None:
    checkout, temporary = tmp_path / "checkout", tmp_path / "temporary"
    for folder in (checkout, temporary):
        folder.mkdir()
        for name in ("pip", "runpy", "pickle", "encodings"):
            (folder / f"{name}.py").write_text("raise SystemExit('RAN')\n")
    path = f"{Path(sys.executable).parent}:{environment()['PATH']}"
    variables = {
        **environment(),
        "PATH": path,
        "RUNNER_TEMP": str(temporary),
        "VERSION": "pip",
        "PIP_NO_INDEX": "1",
    }
    command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step("Install")]
    done = subprocess.run(command, cwd=checkout, env=variables, capture_output=True, text=True, check=False)
    assert (done.returncode, "RAN" in done.stdout + done.stderr) == (0, False), done.stderr


ANSWERS = {
    "an account that is deleted": (200, b'[{"user": null, "body": "x", "id": 1}]'),
    "a comment without a body": (200, b'[{"user": {"type": "Bot"}, "body": null, "id": 1}]'),
    "a failure": (502, b"bad gateway"),
    "a page": (200, b"<html>"),
    "a message": (200, b'{"message": "x"}'),
    "numbers": (200, b"[1, 2]"),
    "a cut answer": (200, b'[{"user"'),
    "nothing": (204, b""),
}


@pytest.mark.parametrize("answer", ANSWERS.values(), ids=ANSWERS)
def test_no_answer_of_github_fails_the_comment_step(tmp_path: Path, answer: tuple[int, bytes]) -> None:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(answer[0])
            self.send_header("Content-Length", str(len(answer[1])))
            self.end_headers()
            self.wfile.write(answer[1])

        do_POST = do_PATCH = do_GET  # noqa: N815  (the names that the server looks for)

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        done = comment(tmp_path, f"http://127.0.0.1:{server.server_port}")
        server.shutdown()
    assert done.returncode == 0, done.stderr
    assert TOKEN not in done.stdout + done.stderr


def test_a_server_that_is_not_there_fails_no_comment_step(tmp_path: Path) -> None:
    done = comment(tmp_path, "http://127.0.0.1:9")
    assert (done.returncode, "::warning::The comment was not written" in done.stdout) == (0, True), (
        done.stderr
    )
    assert comment(tmp_path, "http://127.0.0.1:9", event="{}").returncode == 0


def comment(
    folder: Path, url: str, event: str = '{"pull_request": {"number": 7}}'
) -> subprocess.CompletedProcess[str]:
    (folder / "gate.md").write_text("<!-- ragstone:gate:a -->\nhello\n")
    (folder / "event.json").write_text(event)
    own = {"GITHUB_TOKEN": TOKEN, "GITHUB_REPOSITORY": REPOSITORY, "GITHUB_API_URL": url}
    variables = environment(**own, GITHUB_EVENT_PATH=str(folder / "event.json"))
    command = [sys.executable, "-I", str(ROOT / "action" / "post_comment.py"), str(folder / "gate.md")]
    return subprocess.run(command, env=variables, capture_output=True, text=True, check=False)
