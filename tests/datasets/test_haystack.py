"""Against the real library: a pipeline with a real retriever and a generator that says what it is told."""

import os
from typing import Any

import pytest

os.environ.setdefault(
    "HAYSTACK_TELEMETRY_ENABLED", "False"
)  # read when it is imported: it reports home otherwise
pytest.importorskip("haystack")

from haystack import Document, Pipeline, component
from haystack.components.builders import AnswerBuilder, ChatPromptBuilder
from haystack.components.retrievers.in_memory import InMemoryBM25Retriever
from haystack.dataclasses import ChatMessage, ExtractedAnswer, GeneratedAnswer, ToolCall
from haystack.document_stores.in_memory import InMemoryDocumentStore

from ragstone import evaluate
from ragstone.datasets import from_haystack, load_dataset, read_dataset
from ragstone.errors import BadDataset, UnknownName

QUESTION = "What is the capital of France?"
PARIS = Document(id="d1", content="Paris is the capital of France.", meta={"file": "france.md"})
LYON = Document(id="d2", content="Lyon is a city in France.")


@component
class Told:
    """A generator that answers what it is told to."""

    @component.output_types(replies=list[ChatMessage])
    def run(self, messages: list[ChatMessage]) -> dict[str, Any]:
        return {"replies": [ChatMessage.from_assistant(f"Paris. ({len(messages)})", meta={"model": "told"})]}


@component
class Ranker:
    """A component that returns documents too."""

    @component.output_types(documents=list[Document])
    def run(self, documents: list[Document]) -> dict[str, Any]:
        return {"documents": documents[:1]}


def pipeline(*, ranked: bool = False, answers: bool = False) -> Pipeline:
    store = InMemoryDocumentStore()
    store.write_documents([PARIS, LYON])
    made = Pipeline()
    made.add_component("retriever", InMemoryBM25Retriever(store))
    template = [
        ChatMessage.from_user("{% for item in documents %}{{ item.content }}{% endfor %} {{ question }}")
    ]
    made.add_component("prompt", ChatPromptBuilder(template=template, required_variables="*"))
    made.add_component("model", Told())
    made.connect("prompt.prompt", "model.messages")
    source = "retriever.documents"
    if ranked:
        made.add_component("ranker", Ranker())
        made.connect(source, "ranker.documents")
        source = "ranker.documents"
    made.connect(source, "prompt.documents")
    if answers:
        made.add_component("answers", AnswerBuilder())
        made.connect("model.replies", "answers.replies")
        made.connect(source, "answers.documents")
    return made


def run(*, ranked: bool = False, answers: bool = False) -> dict[str, Any]:
    asked: dict[str, Any] = {"retriever": {"query": QUESTION}, "prompt": {"question": QUESTION}}
    if answers:
        asked["answers"] = {"query": QUESTION}
    kept = {"retriever", *(["ranker"] if ranked else [])} if not answers else set()
    return pipeline(ranked=ranked, answers=answers).run(asked, include_outputs_from=kept)


def test_pipeline_output_with_answer_builder_is_read() -> None:
    output = run(answers=True)
    case = from_haystack(output, expected_output="Paris")
    assert (case.input, case.actual_output, case.expected_output) == (QUESTION, "Paris. (1)", "Paris")
    assert case.retrieval_context == (PARIS.content, LYON.content)
    assert case.retrieved_ids == ("d1", "d2")
    first, second = case.metadata["retrieval_context_details"]
    assert first["metadata"]["file"] == "france.md"
    assert first["score"] > second["score"]
    assert case.metadata["model"] == "told"
    report = evaluate(output, ["faithfulness", "contextual_relevancy"])
    assert [result.error for _, result in report.flat()] == [None, None]
    assert load_dataset([output])[0].actual_output == "Paris. (1)"


def test_pipeline_output_without_answer_builder_needs_input() -> None:
    output = run()
    case = from_haystack(output, input=QUESTION)
    assert (case.actual_output, case.retrieved_ids) == ("Paris. (1)", ("d1", "d2"))
    assert case.metadata["model"] == "told"
    with pytest.raises(BadDataset, match=r"Write from_haystack\(output, input='…'\)"):
        from_haystack(output)
    assert "input: Field required" in str(next(read_dataset(output)))


def test_documents_option_selects_among_several_components() -> None:
    output = run(ranked=True)
    with pytest.raises(
        BadDataset, match=r"'(retriever|ranker)', '\w+' each returned documents. Name the one"
    ):
        from_haystack(output, input=QUESTION)
    assert from_haystack(output, documents="ranker", input=QUESTION).retrieved_ids == ("d1",)
    with pytest.raises(BadDataset, match="the component 'reader' returned no documents"):
        from_haystack(output, documents="reader", input=QUESTION)
    assert "each returned documents" in str(next(read_dataset([output])))


def test_generated_and_extracted_answers_are_read() -> None:
    generated = from_haystack(GeneratedAnswer(data="Paris.", query=QUESTION, documents=[PARIS]))
    assert (generated.input, generated.actual_output, generated.retrieved_ids) == (
        QUESTION,
        "Paris.",
        ("d1",),
    )
    found = ExtractedAnswer(query=QUESTION, score=0.9, data="Paris", document=PARIS)
    none = ExtractedAnswer(query=QUESTION, score=0.1, data=None)
    case = from_haystack({"reader": {"answers": [none, found, found]}})
    assert (case.actual_output, case.retrieved_ids, case.metadata["score"]) == ("Paris", ("d1",), 0.9)
    assert case.metadata["answers"] == ["Paris", "Paris"]
    assert load_dataset(found)[0].actual_output == "Paris"


def test_agent_messages_give_tool_calls() -> None:
    call = ToolCall(id="c1", tool_name="search", arguments={"q": "France"})
    messages = [
        ChatMessage.from_user(QUESTION),
        ChatMessage.from_assistant(tool_calls=[call]),
        ChatMessage.from_tool("Found.", origin=call),
        ChatMessage.from_assistant("Paris."),
    ]
    case = from_haystack({"agent": {"messages": messages, "last_message": messages[-1]}})
    assert (case.input, case.actual_output) == (QUESTION, "Paris.")
    (called,) = case.get("tools_called")
    assert (called.name, called.input_parameters, called.output) == ("search", {"q": "France"}, "Found.")


def test_text_replies_single_component_and_misspelt_field() -> None:
    assert from_haystack({"llm": {"replies": ["Paris."]}}, input=QUESTION).actual_output == "Paris."
    retrieved = InMemoryBM25Retriever(InMemoryDocumentStore()).run(query=QUESTION)
    assert from_haystack({**retrieved, "documents": [PARIS]}, input=QUESTION).retrieved_ids == ("d1",)
    with pytest.raises(UnknownName, match="Did you mean 'expected_output'"):
        from_haystack({"llm": {"replies": ["Paris."]}}, input=QUESTION, expected_ouput="Paris")
