"""Against the real library: a chain with a retriever, a model that says what it is told, and an agent's messages."""

from typing import Any
from uuid import uuid4

import pytest

pytest.importorskip("langchain_core")

from langchain_core.documents import Document
from langchain_core.language_models.fake_chat_models import FakeListChatModel
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from langchain_core.output_parsers import StrOutputParser
from langchain_core.prompts import ChatPromptTemplate
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables import RunnableLambda, RunnablePassthrough
from langchain_core.tools import tool
from langchain_core.tracers.run_collector import RunCollectorCallbackHandler

from ragstone import evaluate
from ragstone.datasets import BadRow, from_langchain, load_dataset, read_dataset
from ragstone.errors import BadDataset, UnknownName

QUESTION = "What is the capital of France?"
PARIS = Document("Paris is the capital of France.", id="d1", metadata={"source": "france.md"})
LYON = Document("Lyon is a city in France.", id="d2")


class Shelf(BaseRetriever):
    """Returns what stands on it, whatever the question."""

    documents: tuple[Document, ...] = (PARIS, LYON)

    def _get_relevant_documents(self, *_: Any, **__: Any) -> list[Document]:
        return list(self.documents)


MODEL = FakeListChatModel(responses=["Paris."])
PROMPT = ChatPromptTemplate.from_template("{context}\n{question}")
CHAIN = (
    {
        "context": Shelf() | (lambda found: "\n".join(item.page_content for item in found)),
        "question": RunnablePassthrough(),
    }
    | PROMPT
    | MODEL
    | StrOutputParser()
)


def traced(chain: Any, asked: Any, **config: Any) -> Any:
    collector = RunCollectorCallbackHandler()
    chain.invoke(asked, config={"callbacks": [collector], **config})
    return collector.traced_runs[-1]


def test_run_gives_input_output_and_retrieved_documents() -> None:
    run = traced(CHAIN, QUESTION, run_name="rag", tags=["nightly"], metadata={"user": 7})
    case = from_langchain(run, expected_output="Paris")
    assert (case.input, case.actual_output, case.expected_output) == (QUESTION, "Paris.", "Paris")
    assert case.retrieval_context == (PARIS.page_content, LYON.page_content)
    assert case.retrieved_ids == ("d1", "d2")
    assert case.metadata["retrieval_context_details"] == [
        {"id": "d1", "metadata": {"source": "france.md"}},
        {"id": "d2"},
    ]
    assert (case.metadata["run_id"], case.metadata["run_name"], case.metadata["user"]) == (
        str(run.id),
        "rag",
        7,
    )
    assert case.tags == ("nightly",)


def test_evaluate_reads_runs_as_they_are() -> None:
    runs = [traced(CHAIN, QUESTION), traced(CHAIN, "And of Italy?")]
    report = evaluate(runs, ["faithfulness", "contextual_relevancy"])
    assert [case.input for case in report.cases] == [QUESTION, "And of Italy?"]
    assert all(result.error is None for _, result in report.flat())
    assert load_dataset(runs[0])[0].actual_output == "Paris."


def test_chain_output_with_context_documents_is_read() -> None:
    chain = {"context": Shelf(), "question": RunnablePassthrough()} | RunnablePassthrough.assign(
        answer=PROMPT | MODEL
    )
    output = chain.invoke(QUESTION)
    case = from_langchain(output)
    assert (case.input, case.actual_output) == (QUESTION, "Paris.")
    assert case.retrieved_ids == ("d1", "d2")
    assert load_dataset([output])[0] == case
    run = from_langchain(
        traced(chain, QUESTION)
    )  # the documents of the output, not once more those of the retriever
    assert run.retrieval_context == case.retrieval_context


def test_legacy_chain_keys_are_fields_and_others_metadata() -> None:
    case = from_langchain({"query": "Q", "result": "A", "source_documents": [PARIS], "turns_used": 2})
    assert (case.input, case.actual_output, case.retrieved_ids) == ("Q", "A", ("d1",))
    assert case.metadata["turns_used"] == 2


def test_document_without_id_leaves_retrieved_ids_unset() -> None:
    case = from_langchain(Shelf(documents=(PARIS, Document("Bare."))).invoke("q"), input=QUESTION)
    assert case.retrieved_ids is None
    assert case.retrieval_context == (PARIS.page_content, "Bare.")
    assert case.actual_output is None


AGENT = [
    HumanMessage("Hello"),
    AIMessage("Hello. What can I do?"),
    HumanMessage(QUESTION),
    AIMessage("", tool_calls=[{"name": "search", "args": {"q": "France"}, "id": "c1"}]),
    ToolMessage("Found one.", tool_call_id="c1", artifact=[PARIS]),
    AIMessage([{"type": "text", "text": "It is "}, {"type": "text", "text": "Paris."}]),
]


def test_an_agents_messages() -> None:
    for output in ({"messages": AGENT}, AGENT):
        case = from_langchain(output)
        assert (case.input, case.actual_output) == (QUESTION, "It is Paris.")
        (call,) = case.get("tools_called")
        assert (call.name, call.input_parameters, call.output) == ("search", {"q": "France"}, "Found one.")
        assert case.retrieved_ids == ("d1",)
        assert [turn.role for turn in case.turns or ()] == ["user", "assistant", "user", "assistant"]
    assert load_dataset({"messages": AGENT})[0].actual_output == "It is Paris."


def test_a_run_of_an_agent_with_tools() -> None:
    @tool
    def add(a: int, b: int) -> int:
        """Add."""
        return a + b

    @RunnableLambda
    def agent(state: Any) -> Any:
        return {"messages": [*state["messages"], AIMessage(f"It is {add.invoke({'a': 1, 'b': 2})}.")]}

    case = from_langchain(traced(agent, {"messages": [HumanMessage("1 + 2?")]}))
    assert (case.input, case.actual_output) == ("1 + 2?", "It is 3.")
    (call,) = case.get("tools_called")
    assert (call.name, call.input_parameters, call.output) == ("add", {"a": 1, "b": 2}, 3)


def test_input_is_read_from_every_message_format() -> None:
    @RunnableLambda
    def answer(_: Any) -> str:
        return "Paris."

    for asked in (
        {"messages": [("user", QUESTION)]},
        {"messages": [{"role": "user", "content": QUESTION}]},
        {"input": {"messages": [QUESTION]}},
        {"question": QUESTION, "language": "en"},
        {"whatever": QUESTION, "k": 3},
        [HumanMessage(QUESTION)],
        PROMPT.invoke({"context": "", "question": QUESTION}),
    ):
        assert from_langchain(traced(answer, asked)).input.strip() == QUESTION
    assert (
        from_langchain(traced(answer, {"question": QUESTION, "language": "en"})).metadata["language"] == "en"
    )


def test_model_run_and_failed_run_are_read() -> None:
    assert from_langchain(traced(MODEL, QUESTION)).actual_output == "Paris."
    collector = RunCollectorCallbackHandler()

    @RunnableLambda
    def broken(_: Any) -> Any:
        raise RuntimeError("no index")

    with pytest.raises(RuntimeError):
        broken.invoke(QUESTION, config={"callbacks": [collector]})
    case = from_langchain(collector.traced_runs[0])
    assert (case.input, case.actual_output) == (QUESTION, None)
    assert "no index" in case.metadata["run_error"]


def test_langsmith_example_id_becomes_the_case_id() -> None:
    run = traced(CHAIN, QUESTION)
    run.reference_example_id = uuid4()
    assert from_langchain(run).id == str(run.reference_example_id)
    assert from_langchain(run, id="mine").id == "mine"


def test_structured_langchain_answer() -> None:
    @RunnableLambda
    def answer(_: Any) -> Any:
        return {"city": "Paris"}

    case = from_langchain(traced(answer, QUESTION))
    assert (case.actual_output, case.metadata["city"]) == (None, "Paris")
    assert from_langchain({"question": "Q", "answer": {"city": "Paris"}}).actual_output == "{'city': 'Paris'}"


def test_missing_input_and_misspelt_field_raise() -> None:
    with pytest.raises(
        BadDataset, match=r"does not contain the question. Write from_langchain\(output, input='…'\)"
    ):
        from_langchain(AIMessage("Paris."))
    assert from_langchain(AIMessage("Paris."), input=QUESTION).actual_output == "Paris."
    with pytest.raises(UnknownName, match="Did you mean 'expected_output'"):
        from_langchain("Paris.", input=QUESTION, expected_ouput="Paris")
    (row,) = read_dataset([AIMessage("Paris.")])
    assert isinstance(row, BadRow)


def test_retriever_that_found_nothing_gives_an_empty_context() -> None:
    output = {"question": QUESTION, "context": [], "answer": "Paris."}
    assert from_langchain(output, input=QUESTION).retrieval_context == ()
    chain = {"context": Shelf(documents=()) | str, "question": RunnablePassthrough()} | PROMPT | MODEL
    assert from_langchain(traced(chain, QUESTION)).retrieval_context == ()
