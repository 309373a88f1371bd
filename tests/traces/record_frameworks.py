"""Record what real instrumentations of LangChain and LlamaIndex write around one application, as OTLP/JSON fixtures.

Run in an environment of its own, which the tests do not need:

    python -m venv recorder
    recorder/bin/pip install langchain-core langchain-openai llama-index-core llama-index-llms-openai-like \
        openinference-instrumentation-langchain opentelemetry-instrumentation-langchain \
        openinference-instrumentation-llama-index opentelemetry-instrumentation-llamaindex \
        opentelemetry-sdk opentelemetry-exporter-otlp-proto-common
    recorder/bin/python tests/traces/record_frameworks.py

The application, a chain of LangChain or a query engine of LlamaIndex, retrieves three passages, puts two of them into
its prompt, and lets the model answer. The model is a server on loopback.
"""

# ruff: noqa: ARG002, FLY002, PLC0415, T201  (a script: each framework is imported in a process of its own)
# pyright: basic, reportMissingImports=false

import json
import os
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

FIXTURES = Path(__file__).parent / "fixtures"
QUESTION = "How long is the warranty of the lamp?"
ANSWER = "The lamp has a warranty of two years."
PASSAGES = {
    "d1": "Warranty: every lamp is covered for two years from the day of purchase.",
    "d2": "Returns are free within thirty days, in the box that the lamp came in.",
    "d3": "The shop in Harbour Street opens at nine and closes at six on weekdays.",
}
RECORDINGS = (
    "langchain_openinference",
    "langchain_openllmetry",
    "llamaindex_openinference",
    "llamaindex_openllmetry",
)
"""Framework and instrumentation of each fixture."""


class FakeModel(BaseHTTPRequestHandler):
    """A model that always says the same."""

    def do_POST(self) -> None:
        """Answer a chat completion."""
        self.rfile.read(int(self.headers["content-length"]))
        message = {"role": "assistant", "content": ANSWER}
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        usage = {"prompt_tokens": 70, "completion_tokens": 8, "total_tokens": 78}
        told = {"id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": "m-1"}
        body = json.dumps({**told, "choices": [choice], "usage": usage}).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Say nothing."""


def langchain(url: str) -> str:
    """Answer by a chain of LangChain."""
    from langchain_core.documents import Document
    from langchain_core.output_parsers import StrOutputParser
    from langchain_core.prompts import ChatPromptTemplate
    from langchain_core.retrievers import BaseRetriever
    from langchain_core.runnables import RunnableLambda, RunnablePassthrough
    from langchain_openai import ChatOpenAI

    class LampRetriever(BaseRetriever):
        def _get_relevant_documents(self, query: str, *, run_manager: Any) -> list[Any]:
            return [
                Document(page_content=text, id=key, metadata={"source": key})
                for key, text in PASSAGES.items()
            ]

    def two(found: list[Any]) -> str:
        return "\n\n".join([found[1].page_content, found[0].page_content])

    told = ChatPromptTemplate.from_messages(
        [("system", "Answer from these passages.\n\n{context}"), ("user", "{question}")]
    )
    model = ChatOpenAI(base_url=f"{url}/v1", api_key="none", model="m-1")
    inputs = {"context": LampRetriever() | RunnableLambda(two), "question": RunnablePassthrough()}
    chain = (inputs | told | model | StrOutputParser()).with_config(run_name="ask")
    return chain.invoke(QUESTION)


def llamaindex(url: str) -> str:
    """Answer by a query engine of LlamaIndex."""
    from llama_index.core import Settings
    from llama_index.core.base.base_retriever import BaseRetriever
    from llama_index.core.postprocessor.types import BaseNodePostprocessor
    from llama_index.core.query_engine import RetrieverQueryEngine
    from llama_index.core.schema import NodeWithScore, TextNode
    from llama_index.llms.openai_like import OpenAILike

    class LampRetriever(BaseRetriever):
        def _retrieve(self, query_bundle: Any) -> list[Any]:
            scores = (0.9, 0.8, 0.5)
            nodes = [TextNode(text=text, id_=key) for key, text in PASSAGES.items()]
            return [NodeWithScore(node=node, score=score) for node, score in zip(nodes, scores, strict=True)]

    class FirstTwo(BaseNodePostprocessor):
        def _postprocess_nodes(self, nodes: list[Any], query_bundle: Any = None) -> list[Any]:
            return [nodes[1], nodes[0]]

    Settings.llm = OpenAILike(
        model="m-1", api_base=f"{url}/v1", api_key="none", is_chat_model=True, context_window=4096
    )
    engine = RetrieverQueryEngine.from_args(LampRetriever(), node_postprocessors=[FirstTwo()])
    return str(engine.query(QUESTION))


def instrumentor(name: str) -> Any:
    """Return the instrumentation of a recording."""
    if name == "langchain_openinference":
        from openinference.instrumentation.langchain import LangChainInstrumentor

        return LangChainInstrumentor()
    if name == "langchain_openllmetry":
        from opentelemetry.instrumentation.langchain import LangchainInstrumentor

        return LangchainInstrumentor()
    if name == "llamaindex_openinference":
        from openinference.instrumentation.llama_index import LlamaIndexInstrumentor

        return LlamaIndexInstrumentor()
    from opentelemetry.instrumentation.llamaindex import LlamaIndexInstrumentor

    return LlamaIndexInstrumentor()


def record(name: str) -> None:
    """Record one fixture, in this process."""
    from opentelemetry.exporter.otlp.proto.common.trace_encoder import encode_spans
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import SimpleSpanProcessor
    from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
    from record_instrumentations import encoded

    spans = InMemorySpanExporter()
    traces = TracerProvider(resource=Resource({"service.name": "lamp-shop", "service.version": "1.4"}))
    traces.add_span_processor(SimpleSpanProcessor(spans))
    instrumentor(name).instrument(tracer_provider=traces)
    server = ThreadingHTTPServer(("127.0.0.1", 0), FakeModel)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_port}"
    answer = (langchain if name.startswith("langchain") else llamaindex)(url)
    server.shutdown()
    assert answer == ANSWER, answer
    traces.force_flush()
    text = json.dumps(encoded(encode_spans(spans.get_finished_spans()))).replace(url, "http://127.0.0.1:1")
    (FIXTURES / f"recorded_{name}.jsonl").write_text(f"{text}\n")
    print(name, len(spans.get_finished_spans()), "spans", len(text), "characters")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        record(sys.argv[1])
    else:
        for each in RECORDINGS:
            subprocess.run(
                [sys.executable, __file__, each],
                check=True,
                env={**os.environ, "TRACELOOP_TELEMETRY": "false"},
            )
