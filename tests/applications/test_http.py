"""An application behind a URL: what it is sent, how its replies are read, what each fault is called."""

from collections.abc import Iterator
from functools import partial
from typing import Any

import anyio
import pytest
from tests.applications.servers import ApplicationServer

from ragstone import TestCase
from ragstone.applications import Application
from ragstone.errors import ApplicationError


@pytest.fixture(scope="module")
def server() -> Iterator[ApplicationServer]:
    with ApplicationServer() as running:
        yield running


def ask(url: str, question: str = "When?", **options: Any) -> TestCase:
    return anyio.run(Application(url, **options).ask, TestCase(input=question, expected_output="1889"))


def test_question_is_posted_and_the_reply_becomes_the_answer(server: ApplicationServer) -> None:
    found = ask(server.url)
    assert server.bodies[-1] == {"input": "When?"}
    assert (found.actual_output, found.expected_output) == ("In 1889.", "1889")
    assert (found.retrieval_context, found.retrieved_ids) == (("The tower was built in 1889.",), ("d7",))
    assert (found.metadata["tokens"], found.metadata["cost"]) == ({"input": 200, "output": 10}, 0.002)
    assert found.metadata["latency_ms"] > 0


def test_passages_of_an_oracle_are_posted_too(server: ApplicationServer) -> None:
    anyio.run(partial(Application(server.url).answer, "When?", ["The tower was built in 1889."]))
    assert server.bodies[-1] == {"input": "When?", "contexts": ["The tower was built in 1889."]}


def test_conversation_is_posted_where_the_paths_say(server: ApplicationServer) -> None:
    script = [{"role": "user", "content": "Hello"}, {"role": "user", "content": "When?"}]
    case = TestCase.model_validate({"turns": script})
    anyio.run(Application(server.url).ask, case)
    said = [script[0], {"role": "assistant", "content": "In 1889."}, script[1]]
    assert server.bodies[-1] == {"input": "When?", "turns": said}
    paths = {"turns": "messages", "answer": "choices.0.message.content"}
    chat = Application(server.url.replace("/ask", "/chat"), paths=paths)
    anyio.run(chat.ask, case)
    assert [message["role"] for message in server.bodies[-1].pop("messages")] == ["user", "assistant", "user"]
    assert not server.bodies[-1]
    anyio.run(chat.ask, TestCase(input="When?"))
    assert server.bodies[-1] == {"messages": [script[1]]}


def test_paths_say_where_question_and_answer_are(server: ApplicationServer) -> None:
    paths = {
        "input": "messages.0.content",
        "answer": "choices.0.message.content",
        "contexts": "docs.*.body",
        "usage": "usage",
    }
    found = ask(server.url.replace("/ask", "/chat"), paths=paths)
    assert server.bodies[-1] == {"messages": [{"content": "When?"}]}
    assert found.actual_output == "You said When?"
    assert found.retrieval_context == ("first", "second")
    assert found.metadata["tokens"] == {"input": 3}
    wrong = ask(server.url, paths={"answer": "choices.0.text"})
    assert (
        wrong.metadata["application_error"]
        == "its reply has no 'choices.0.text', which --app-map names for actual_output"
    )


@pytest.mark.parametrize(
    ("question", "problem"),
    [
        ("html", "is not JSON but begins with '<!doctype html><h1>Sign in</h1>'"),
        ("broken", "Internal Server Error"),
        ("empty", "it returned no answer"),
        ("hang", "no answer within 0.2 s"),
    ],
)
def test_fault_is_an_error_of_its_question(server: ApplicationServer, question: str, problem: str) -> None:
    found = ask(server.url, question, timeout=0.2)
    assert problem in found.metadata["application_error"]
    assert (found.actual_output, found.retrieval_context) == (None, None)
    assert found.metadata["latency_ms"] > 0
    assert server.asked[question] == 1


def test_unreachable_server_and_hidden_query() -> None:
    url = "http://me:secret@127.0.0.1:9/ask?key=sk-secret"
    application = Application(url)
    assert application.name == "http://127.0.0.1:9/ask"
    with pytest.raises(ApplicationError, match="cannot be reached") as caught:
        anyio.run(application.answer, "When?")
    assert "secret" not in str(caught.value)
