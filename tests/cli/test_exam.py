import json
from pathlib import Path
from typing import Any

import pytest
from tests.cli.command import RIGHT, forked, invoke
from tests.servers.fixtures import serving
from tests.servers.openai import OpenAIServer
from tests.servers.script import Ask, Script

from ragstone import load_dataset

CASES = list(load_dataset("exam"))


def reviewing(missed: frozenset[str] = frozenset()) -> Script:
    """A judge that knows the right review of every case of the exam, but passes answers with these flaws."""

    def case_of(ask: Ask) -> dict[str, Any]:
        case = next(case for case in CASES if all(line in ask.user for line in case.input.splitlines()))
        return case.metadata

    def answer(ask: Ask) -> str:
        known = case_of(ask)
        return "acceptable" if known.get("flaw") in missed else known["answer"]

    def unanswered(ask: Ask) -> list[str]:
        return [] if answer(ask) == "acceptable" else ["something"]

    return Script(
        unanswered=unanswered,
        faults=[],
        deciding=[],
        answer=answer,
        context=lambda ask: case_of(ask)["context"],
        rank=None,
    )


def examine(script: Script, folder: Path, monkeypatch: pytest.MonkeyPatch, *arguments: str) -> Any:
    with serving(OpenAIServer(script)) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
        monkeypatch.setenv("OPENAI_API_KEY", "sk-loopback")
        store = ("--store", folder / "runs.sqlite3")
        return invoke("exam", "--judge", "openai:reader", *store, "-q", *arguments)


def test_the_exam_is_balanced_and_its_quotes_are_in_the_answers() -> None:
    assert len(CASES) >= 120
    flawed = [case for case in CASES if case.metadata["answer"] == "not_acceptable"]
    assert len(flawed) == len(CASES) / 2
    assert all(case.metadata.get("flaw") for case in flawed)
    assert all(case.metadata.get("quote", "") in (case.actual_output or "") for case in CASES)
    assert sum(case.expected_output is None for case in CASES) == len(CASES) / 2
    beginning = [case.metadata["answer"] for case in CASES[:40]]
    assert 14 <= beginning.count("acceptable") <= 26


def test_a_judge_that_is_right_is_fit_to_decide_cases(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = tmp_path / "exam.json"
    done = examine(reviewing(), tmp_path, monkeypatch, "-o", str(written))
    assert done.exit_code == 0, done.output
    found = json.loads(written.read_text())
    assert found["fitness"] == "fit to decide cases"
    assert (found["answers"]["flawed_flagged"], found["answers"]["sound_flagged"]) == (72, 0)
    assert (found["contexts"]["flawed_flagged"], found["contexts"]["sound_flagged"]) == (36, 0)
    assert found["calls"] == len(CASES)


def test_flaws_that_a_judge_passes_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written = tmp_path / "exam.md"
    done = examine(reviewing(frozenset(("wrong_date",))), tmp_path, monkeypatch, "-o", str(written))
    assert done.exit_code == 0, done.output
    count = sum(case.metadata.get("flaw") == "wrong_date" for case in CASES)
    assert f"wrong date: {count} of {count} passed" in written.read_text()


def test_later_reports_quote_the_exam_and_others_say_that_there_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = tmp_path / "cases.jsonl"
    data.write_text(json.dumps(RIGHT | {"retrieval_context": ["Paris is the capital of France."]}) + "\n")

    def run() -> str:
        script = Script(
            unanswered=[], faults=[], deciding=[1], answer="acceptable", context="sufficient", rank=1
        )
        with serving(OpenAIServer(script)) as server:
            monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
            monkeypatch.setenv("OPENAI_API_KEY", "sk-loopback")
            options = ("-m", "answer_acceptance", "--store", tmp_path / "runs.sqlite3")
            return " ".join(invoke("run", data, "--judge", "openai:reader", *options).stdout.split())

    assert "No exam of openai:reader is known here" in run()
    examine(reviewing(), tmp_path, monkeypatch)
    assert (
        "In its exam, openai:reader flagged 72 of 72 flawed and 0 of 72 sound answers: fit to decide cases."
        in run()
    )


def test_the_embedded_judge_is_examined_with_its_biases(tmp_path: Path) -> None:
    done = forked("exam", "--limit", "4", "--biases", "--store", tmp_path / "runs.sqlite3")
    assert done.returncode == 0
    assert "EXAM  local" in done.stdout
    assert "agrees with itself" in done.stdout
    assert "not fit" in done.stdout


def test_wrong_options_exit_with_2() -> None:
    assert invoke("exam", "--timeout", "0").exit_code == 2
    assert invoke("exam", "--judge", "nobody").exit_code == 2
