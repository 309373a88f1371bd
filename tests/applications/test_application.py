"""How an application is found, called and read."""

import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import anyio
import pytest
from tests.testing.for_each import for_each

from ragstone import TestCase
from ragstone.applications import Application
from ragstone.errors import ApplicationError, BadOption

PASSAGES = ("The tower was built in 1889.", "It is made of iron.")


def ask(
    function: Callable[..., Any] | str, contexts: Sequence[str] | None = None, **options: Any
) -> TestCase:
    application = Application(function, **options)
    try:
        return anyio.run(partial(application.answer, "When?", contexts))
    finally:
        application.close()


def returning(value: Any) -> Callable[..., Any]:
    def answer(question: str, contexts: list[str] | None = None) -> Any:
        del question, contexts
        return value

    return answer


def test_an_empty_list_says_that_nothing_was_retrieved() -> None:
    assert ask(returning({"answer": "1889.", "contexts": []})).retrieval_context == ()


@for_each(
    "value",
    [
        {"answer": "1889.", "contexts": list(PASSAGES)},
        {"actual_output": "1889.", "retrieval_context": PASSAGES},
        {"response": "1889.", "retrieved_contexts": list(PASSAGES), "question": "another"},
        ("1889.", list(PASSAGES)),
        TestCase(input="When?", actual_output="1889.", retrieval_context=PASSAGES),
    ],
)
def test_return_value_is_read_as_a_test_case(value: Any) -> None:
    found = ask(returning(value))
    assert (found.actual_output, found.retrieval_context) == ("1889.", PASSAGES)


def test_answer_without_passages_needs_given_contexts() -> None:
    assert ask(returning("1889."), PASSAGES).retrieval_context == PASSAGES
    with pytest.raises(ApplicationError, match="returned no passages"):
        ask(returning("1889."))


@for_each(
    "value, problem",
    [
        ({"contexts": ["a"]}, "no answer"),
        ({"answer": "  ", "contexts": ["a"]}, "no answer"),
        (7, "it returned int"),
        (None, "it returned NoneType"),
        ({"answer": "a", "contexts": "one text"}, "cannot be read"),
        ({"answer": "a", "cost": float("inf")}, "its cost is inf: return US dollars"),
        ({"answer": "a", "cost": 10**400}, "its cost is 1000"),
        ({"answer": "a", "cost": 10**5000}, "its return value cannot be read: ValueError"),
    ],
)
def test_unusable_return_value_raises_application_error(value: Any, problem: str) -> None:
    with pytest.raises(ApplicationError, match=problem):
        ask(returning(value))


def test_count_that_is_no_count_is_not_kept() -> None:
    usage = {"input_tokens": 10**400, "output_tokens": 7}
    found = ask(returning({"answer": "a", "contexts": [], "usage": usage, "model": "gpt-4o"}))
    assert found.metadata["tokens"] == {"output": 7}


def test_returned_passages_must_be_the_given_contexts() -> None:
    """Otherwise an application that ignores `contexts` would pass for one that was served by an oracle."""
    with pytest.raises(ApplicationError, match="answered from other passages"):
        ask(returning({"answer": "1889.", "contexts": ["Another passage."]}), PASSAGES)


def test_async_and_callable_objects() -> None:
    async def answer(question: str, *, contexts: list[str] | None = None) -> tuple[str, list[str]]:
        await anyio.sleep(0.001)
        return f"{question} 1889.", contexts or ["a"]

    class Rag:
        async def __call__(self, question: str, contexts: list[str] | None = None) -> tuple[str, list[str]]:
            return await answer(question, contexts=contexts)

    assert ask(answer).actual_output == "When? 1889."
    assert ask(Rag(), PASSAGES).retrieval_context == PASSAGES


def test_a_call_that_raises_or_takes_too_long() -> None:
    def broken(question: str, contexts: list[str] | None = None) -> str:
        del question, contexts
        raise KeyError("index")

    def slow(question: str, contexts: list[str] | None = None) -> str:
        del question, contexts
        time.sleep(0.5)
        return "late"

    with pytest.raises(ApplicationError, match="KeyError: 'index'"):
        ask(broken)
    with pytest.raises(ApplicationError, match=r"no answer within 0\.05 s"):
        ask(slow, timeout=0.05)


@for_each(
    "path, problem",
    [
        ("toy", "write module:function"),
        ("toy:", "write module:function"),
        ("no_such_module_here:answer", "No module named"),
        ("json:no_such_function", "has no attribute"),
        ("json:__name__", "is not a function but str"),
    ],
)
def test_an_application_that_cannot_be_called_is_refused_before_any_call(path: str, problem: str) -> None:
    with pytest.raises(BadOption, match=problem):
        Application(path)


def test_an_application_that_is_served_by_an_oracle_must_take_passages() -> None:
    def answer(question: str) -> str:
        return question

    assert Application(answer).name.endswith("answer")
    with pytest.raises(BadOption, match=r"write def answer\(question, contexts=None\)"):
        Application(answer, with_contexts=True)


def test_answers_are_cached_by_question_passages_and_module_source(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = tmp_path / "answers.db"
    module = tmp_path / "kept_app.py"
    source = "def answer(question, contexts=None):\n    return 'one', contexts or ['a']\n"
    module.write_text(source)
    monkeypatch.syspath_prepend(tmp_path)

    def calls(contexts: Sequence[str] | None = None, **options: Any) -> tuple[int, int]:
        application = Application("kept_app:answer", cache=cache, **options)
        anyio.run(partial(application.answer, "When?", contexts))
        application.close()
        return application.called, application.cached

    assert calls() == (1, 0)
    assert calls() == (0, 1)
    assert calls(PASSAGES) == (1, 0)
    assert calls(offline=True) == (0, 1)
    with pytest.raises(ApplicationError, match="offline forbids calls"):
        calls(["other"], offline=True)
    module.write_text(f"{source}# changed\n")
    assert calls() == (1, 0)
