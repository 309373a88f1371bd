"""A recorded run is replayed where there is no network at all: the same bytes, durations aside."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from benchmarks.cases import cases
from benchmarks.launch import launched

COMMAND = str(Path(sys.executable).with_name("ragstone"))
FIT = "g_eval(name='Fit', criteria='Does the answer fit the question?')"


def without_network() -> list[str]:
    """Return the words that begin a command in a network namespace of its own, which has not even loopback up."""
    words = ["unshare", "--net"] if os.geteuid() == 0 else ["unshare", "--user", "--map-root-user", "--net"]
    if shutil.which("unshare") is None:
        pytest.skip("NOT SHOWN that a recorded run needs no network: there is no unshare on this machine")
    tried = subprocess.run([*words, "true"], capture_output=True, text=True, check=False)
    if tried.returncode:
        pytest.skip(f"NOT SHOWN that a recorded run needs no network: {tried.stderr.strip()}")
    return words


def run(folder: Path, name: str, *words: str, before: tuple[str, ...] = (), **variables: str) -> bytes:
    """Run the command; return what it wrote as JSON lines, without durations."""
    out = folder / f"{name}.jsonl"
    command = [*before, COMMAND, "run", str(folder / "cases.jsonl"), "--preset", "rag", "-m", FIT]
    environment = {key: value for key, value in os.environ.items() if not key.startswith("OPENAI_")}
    done = subprocess.run(
        [*command, "--judge", "openai:fake", "--output", str(out), *words],
        env=environment | variables | {"RAGSTONE_CACHE": str(folder / "answers.sqlite3")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode in (0, 1), done.stdout + done.stderr
    lines = [json.loads(line) for line in out.read_bytes().splitlines()]
    assert all(line.pop("latency_ms") >= 0 for line in lines)
    return "\n".join(json.dumps(line) for line in lines).encode()


def test_a_recorded_run_is_replayed_without_a_network_and_without_a_key(tmp_path: Path) -> None:
    before = tuple(without_network())
    data = [case.model_dump_json(exclude_defaults=True) for case in cases(12)]
    (tmp_path / "cases.jsonl").write_text("\n".join(data))
    with launched(latency_ms=5.0, jitter_ms=20.0) as server:
        recorded = run(
            tmp_path, "recorded", "--cache", OPENAI_BASE_URL=server.base_url, OPENAI_API_KEY="sk-loopback"
        )
        asked = server.stats()["calls"]
        replayed = run(tmp_path, "replayed", "--offline", before=before, OPENAI_BASE_URL=server.base_url)
        assert server.stats()["calls"] == asked > 12 * 6
    assert recorded.count(b"\n") == 12 * 9 - 1
    assert replayed == recorded
    assert b'"calls": 1' in recorded  # what it took in its time is part of the bytes
