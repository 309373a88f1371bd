"""A run is gone on with, and what ended in an error is measured again: the new result takes the old one's place."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.cli.command import RIGHT, invoke, rows
from tests.servers.faults import one_too_few
from tests.servers.fixtures import serving
from tests.servers.openai import OpenAIServer
from tests.servers.script import Script, every

from ragstone import evaluate
from ragstone.errors import BadOption
from ragstone.judges import LLMJudge
from ragstone.metrics import AnswerRelevancy, ExactMatch
from ragstone.providers import OpenAI

CASES = [
    {"input": f"q{number}", "actual_output": f"answer {number};", "expected_output": f"answer {number};"}
    for number in range(8)
]
METRICS = [AnswerRelevancy(), ExactMatch()]


def judge(server: OpenAIServer) -> LLMJudge:
    return LLMJudge(provider=OpenAI(api_key="sk-loopback", base_url=server.base_url), attempts=1)


def without_verdicts(*ill: int) -> OpenAIServer:
    """A server whose verdicts on some test cases are missing; statements are answered."""
    server = OpenAIServer(
        Script(statements=lambda ask: [ask.user[ask.user.rindex("answer") :][:9]], verdicts=every("yes"))
    )
    for number in ill:
        server.faults.add(one_too_few(), matching=f"answer {number};")
    return server


def errors(report: Any) -> list[tuple[str, int]]:
    return [
        (case.input, result.metadata.get("attempts", 1))
        for case, result in report.flat()
        if result.error is not None
    ]


def test_retry_failed_measures_errors_again_and_counts_attempts(store_url: str) -> None:
    with serving(without_verdicts(2, 5)) as server:
        first = evaluate(CASES, METRICS, judge=judge(server), store=store_url, name="n")
        assert errors(first) == [("q2", 1), ("q5", 1)]
    with serving(without_verdicts(5)) as server:
        kept = evaluate(CASES, judge=judge(server), store=store_url, resume="n")
        assert errors(kept) == [("q2", 1), ("q5", 1)]
        assert not server.bodies  # an error is a result, unless told otherwise
        second = evaluate(CASES, judge=judge(server), store=store_url, resume="n", retry_failed=True)
        assert errors(second) == [("q5", 2)]
        assert len(server.bodies) == 2  # the statements were answered before, the verdicts were not
        third = evaluate(CASES, judge=judge(server), store=store_url, resume="n", retry_failed=True)
        assert errors(third) == [("q5", 3)]
    with serving(without_verdicts()) as server:
        whole = evaluate(CASES, judge=judge(server), store=store_url, resume="n", retry_failed=True)
        assert errors(whole) == []
        assert len(server.bodies) == 1
    tried = [result.metadata.get("attempts", 1) for results in whole.results for result in results]
    assert tried == [1, 1, 1, 1, 2, 1, 1, 1, 1, 1, 4, 1, 1, 1, 1, 1]
    assert [len(results) for results in whole.results] == [2] * len(CASES)
    assert whole.summary()["AnswerRelevancy"].not_measured == 0
    assert whole.complete


def test_retry_failed_option_of_the_command(tmp_path: Path) -> None:
    data, store = rows(tmp_path, RIGHT, {"input": "no answer"}), str(tmp_path / "runs.sqlite3")
    out = tmp_path / "out.jsonl"
    assert invoke("run", data, "-m", "exact_match", "--store", store).exit_code == 3
    again = invoke("run", data, "--resume", "last", "--retry-failed", "--store", store, "--output", str(out))
    assert again.exit_code == 3
    lines = [json.loads(line) for line in out.read_text().splitlines()]
    assert [line["metadata"].get("attempts") for line in lines] == [None, 2]


def test_retry_failed_without_resume_is_rejected() -> None:
    with pytest.raises(BadOption, match=r"name the run with resume=…"):
        evaluate(CASES, METRICS, retry_failed=True)
