"""Settings reach the application as keywords or JSON, are kept with the run, and are the same when it is resumed."""

import asyncio
import sys
from typing import Any

import pytest
from tests.testing.for_each import for_each

from ragstone import evaluate
from ragstone.applications import Application, parse_settings, setting_text
from ragstone.case import TestCase
from ragstone.errors import BadOption

QUESTION = TestCase(input="How many?")


def counting(question: str, top_k: int, *, retriever: str = "bm25") -> str:
    return f"{question} {top_k + 1} {retriever}"


def test_settings_are_keywords_of_a_function() -> None:
    application = Application(counting, settings=parse_settings(["top_k=4", "retriever=dense"]))
    assert asyncio.run(application.ask(QUESTION)).actual_output == "How many? 5 dense"


def test_settings_are_a_part_of_the_json_line_of_a_command() -> None:
    program = "import json; print(json.dumps({'answer': json.dumps(json.loads(input()))}))"
    application = Application(f'{sys.executable} -c "{program}"', settings={"top_k": 4})
    asked = asyncio.run(application.ask(QUESTION)).actual_output
    assert asked == '{"input": "How many?", "settings": {"top_k": 4}}'


def test_setting_that_the_function_does_not_take_is_refused_before_any_call() -> None:
    with pytest.raises(
        BadOption, match=r"unexpected keyword argument 'beam'.* answer\(question, top_k=None, beam=None\)"
    ):
        Application(counting, settings={"top_k": 3, "beam": 2})


@for_each("value", [5, 0.5, True, None, "bm25", "5", "true", "a=b, c", "NaN", ["a", 1], ""])
def test_setting_is_read_from_its_text(value: Any) -> None:
    assert parse_settings([setting_text("name", value)]) == {"name": value}


@for_each("texts", [["top_k"], ["2x=3"], ["a=1", "a=2"]])
def test_text_that_is_no_setting_is_refused(texts: list[str]) -> None:
    with pytest.raises(BadOption, match=r"app_settings: "):
        parse_settings(texts)


def test_run_keeps_its_settings_and_is_resumed_with_them(store_url: str) -> None:
    rows, options = [{"input": "How many?", "expected_output": "2"}], {"app": counting, "store": store_url}
    first = evaluate(rows, "exact_match", app_settings=("top_k=4",), **options)
    assert first.run.plan.app_settings == ("top_k=4",)
    again = evaluate(rows, "exact_match", resume=first.run.id, **options)
    assert [case.actual_output for case in again.cases] == ["How many? 5 bm25"]
    with pytest.raises(BadOption, match=r"started with other settings \(top_k=4\)"):
        evaluate(rows, "exact_match", resume=first.run.id, app_settings=("top_k=5",), **options)


def test_rate_admits_a_call_after_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    monkeypatch.setattr(asyncio, "sleep", sleep)
    application = Application(str.upper, rpm=10)

    async def ask() -> None:
        for _ in range(3):
            await application.ask(QUESTION)

    asyncio.run(ask())
    # The clock stands still between the calls, and the bucket holds one call and is refilled by nine in a minute.
    assert slept == pytest.approx([0.0, 60 / 9, 120 / 9], abs=0.5)
