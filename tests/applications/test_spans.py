"""An application that emits spans: its answers are joined with them, in this process and through a receiver."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import pytest
from aiohttp import web
from opentelemetry import trace
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator
from tests.servers._thread import ThreadedServer

from ragstone import TestCase, evaluate
from ragstone.applications.call import ApplicationCall
from ragstone.applications.command import CommandCaller
from ragstone.dashboard.otlp.intake import Intake
from ragstone.dashboard.otlp.server import Receiver
from ragstone.dashboard.security.credentials import Credentials
from ragstone.errors import BadOption
from ragstone.store.queue.trace_queue import open_queue

PASSAGES = {
    "opened": "The Harlow Bridge was opened in 1902.",
    "long": "The Harlow Bridge is 210 metres long.",
}
QUESTIONS = ["When was it opened?", "How long is it?", "Who built it?"]


def spans(provider: TracerProvider, question: str, context: Any = None) -> str:
    """Answer a question; only the spans say from which passages."""
    tracer = provider.get_tracer("tests")
    text = next((text for word, text in PASSAGES.items() if word in question), "")
    with tracer.start_as_current_span(
        "ask", context, attributes={"openinference.span.kind": "CHAIN", "input.value": question}
    ):
        with tracer.start_as_current_span("search") as search:
            search.set_attribute("openinference.span.kind", "RETRIEVER")
            if text:
                search.set_attribute("retrieval.documents.0.document.content", text)
                search.set_attribute("retrieval.documents.0.document.id", text.split()[-1])
        with tracer.start_as_current_span("model") as model:
            model.set_attribute("openinference.span.kind", "LLM")
            model.set_attribute("llm.token_count.prompt", 40)
            model.set_attribute("llm.token_count.completion", 4)
    return text or "I do not know."


def check(cases: list[TestCase]) -> None:
    opened, long, unknown = cases
    assert opened.retrieval_context == (PASSAGES["opened"],)
    assert long.retrieval_context == (PASSAGES["long"],)
    assert (opened.retrieved_ids, long.retrieved_ids) == (("1902.",), ("long.",))
    assert unknown.retrieval_context is None
    assert [case.metadata["tokens"] for case in cases] == [{"input": 40, "output": 4}] * 3
    traces = [case.metadata["traceparent"].split("-")[1] for case in cases]
    assert len(set(traces)) == 3
    assert [case.metadata["trace_id"] for case in cases] == traces


def test_function_is_joined_with_the_spans_of_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    provider = TracerProvider()
    monkeypatch.setattr(trace, "_TRACER_PROVIDER", provider)

    def answer(question: str) -> str:
        return spans(provider, question)

    async def answer_later(question: str) -> str:
        return spans(provider, question)

    for application in (answer, answer_later):
        report = evaluate(
            [{"input": question} for question in QUESTIONS], "faithfulness", app=application, app_traces=True
        )
        check([*report.cases])
        assert [results[0].status for results in report.results] == ["passed", "passed", "not_measured"]
    untraced = evaluate([{"input": QUESTIONS[0]}], "length(budget_words=9)", app=answer)
    assert "traceparent" not in untraced.cases[0].metadata


class Served:
    """An application behind HTTP, which continues the trace of each request and exports to a receiver."""

    def __init__(self, receiver: str) -> None:
        self.provider = TracerProvider()
        self.provider.add_span_processor(SimpleSpanProcessor(OTLPSpanExporter(f"{receiver}/v1/traces")))
        self.thread = ThreadedServer(self._app, "traced application")

    def _app(self) -> web.Application:
        app = web.Application()
        app.router.add_post("/ask", self._answer)
        return app

    async def _answer(self, request: web.Request) -> web.Response:
        question = (await request.json())["input"]
        context = TraceContextTextMapPropagator().extract(request.headers)
        if "silent" in question:
            return web.json_response({"answer": "Nothing."})
        return web.json_response({"answer": spans(self.provider, question, context)})


@pytest.fixture
def receiver(tmp_path: Path) -> Iterator[Receiver]:
    queue = open_queue(tmp_path / "runs.sqlite3")
    running = Receiver(Intake(queue), Credentials(), host="127.0.0.1", port=0).start()
    yield running
    running.stop()
    queue.close()


def test_url_is_joined_with_the_spans_that_a_receiver_puts_into_the_store(
    receiver: Receiver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ragstone.api._application.StoreSpans.patience", 3.0)
    served = Served(f"http://127.0.0.1:{receiver.port}")
    with served.thread:
        url = f"http://127.0.0.1:{served.thread.port}/ask"
        rows = [{"input": question} for question in [*QUESTIONS, "A silent one."]]
        report = evaluate(rows, "faithfulness", app=url, app_traces=True, store=tmp_path / "runs.sqlite3")
        with pytest.raises(BadOption, match="this run has no store"):
            evaluate(rows, "faithfulness", app=url, app_traces=True)
    served.provider.shutdown()
    check([*report.cases][:3])
    silent = report.cases[3]
    assert silent.metadata["trace_problem"] == "no span of the trace has come within 3 s of the answer"
    assert silent.retrieval_context is None


def test_command_gets_the_trace_context_as_a_variable() -> None:
    program = "import os, json; print(json.dumps(os.environ.get('TRACEPARENT')))"
    caller = CommandCaller(f'{sys.executable} -c "{program}"')
    assert anyio.run(caller.call, ApplicationCall("?", traceparent="00-a-b-01")) == "00-a-b-01"
    assert anyio.run(caller.call, ApplicationCall("?")) is None
