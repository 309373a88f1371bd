import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from benchmarks.cases import cases
from benchmarks.launch import Launched, launched
from benchmarks.measure import take, write_rows
from benchmarks.recording import requests


@pytest.fixture(scope="module")
def judge() -> Iterator[Launched]:
    with launched() as running:
        yield running


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    return write_rows(tmp_path, "cases", [case.model_dump(exclude_defaults=True) for case in cases(3)])


def test_take_returns_scores_cpu_time_and_server_stats(judge: Launched, rows: Path) -> None:
    taken = take("benchmarks.clients.ragstone", judge, rows, in_flight=8)
    assert len(taken.scores) == 3
    assert all(score is None or 0 <= score <= 1 for row in taken.scores for score in row)
    assert taken.calls == 27  # the warm-up is not counted
    assert 0 < taken.seen["peak_connections"] <= 8
    assert taken.cpu_per_call == taken.cpu / 27 > 0


def test_metrics_can_be_chosen(judge: Launched, rows: Path) -> None:
    taken = take("benchmarks.clients.ragstone", judge, rows, in_flight=8, metrics=["hallucination"])
    assert [len(row) for row in taken.scores] == [1, 1, 1]
    assert taken.calls == 3


def test_aiohttp_client_sends_the_same_requests_as_ragstone(
    judge: Launched, rows: Path, tmp_path: Path
) -> None:
    ours = take("benchmarks.clients.ragstone", judge, rows, in_flight=8).seen
    bodies = write_rows(tmp_path, "bodies", requests(cases(3)))
    bare = take("benchmarks.clients.aiohttp", judge, bodies, in_flight=8).seen
    same = ("calls", "distinct_prompts", "prompt_tokens", "schema_tokens", "completion_tokens")
    assert {key: bare[key] for key in same} == {key: ours[key] for key in same}


def test_a_program_that_fails_says_why(judge: Launched, tmp_path: Path) -> None:
    broken = write_rows(tmp_path, "broken", [{"actual_output": "No question."}])
    with pytest.raises(RuntimeError, match="input"):
        take("benchmarks.clients.ragstone", judge, broken, in_flight=1)


def test_rows_are_written_as_json_lines(tmp_path: Path) -> None:
    path = write_rows(tmp_path, "rows", [{"a": "ü\n"}, {"b": [1]}])
    assert [json.loads(line) for line in path.read_text().splitlines()] == [{"a": "ü\n"}, {"b": [1]}]
