"""Against the real library: a query engine, a chat engine, an agent, with a model and vectors that need no server."""

import asyncio
from collections.abc import AsyncGenerator, Iterator

import pytest

pytest.importorskip("llama_index.core")

from llama_index.core import VectorStoreIndex
from llama_index.core.agent.workflow import AgentOutput
from llama_index.core.base.response.schema import AsyncStreamingResponse, PydanticResponse, Response
from llama_index.core.chat_engine.types import AgentChatResponse, ChatMode
from llama_index.core.embeddings import MockEmbedding
from llama_index.core.llms import ChatMessage, MockLLM
from llama_index.core.memory import ChatMemoryBuffer
from llama_index.core.schema import TextNode
from llama_index.core.tools import ToolOutput, ToolSelection
from pydantic import BaseModel

from ragstone import TestCase, evaluate
from ragstone.datasets import from_llama_index, read_dataset
from ragstone.errors import BadDataset

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")

QUESTION = "What is the capital of France?"
NODES = [
    TextNode(id_="n1", text="Paris is the capital of France.", metadata={"file": "france.md"}),
    TextNode(id_="n2", text="Lyon is a city in France."),
]
TEXTS = {node.text for node in NODES}


@pytest.fixture(autouse=True)
def _loop() -> Iterator[None]:
    """Give the library a loop to run in: of its own it makes one, and leaves it open."""
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    yield
    asyncio.set_event_loop(None)
    loop.close()


@pytest.fixture(scope="module")
def index() -> VectorStoreIndex:
    return VectorStoreIndex(NODES, embed_model=MockEmbedding(embed_dim=4))


@pytest.fixture(scope="module")
def model() -> MockLLM:
    return MockLLM(max_tokens=3)


def assert_retrieved_nodes(case: TestCase) -> None:
    """Check that the passages, their ids and what is known of them belong together."""
    assert set(case.retrieval_context or ()) == TEXTS
    details = case.metadata["retrieval_context_details"]
    assert tuple(item["id"] for item in details) == case.retrieved_ids
    assert all(isinstance(item["score"], float) for item in details)
    assert {"id": "n1", "metadata": {"file": "france.md"}} in [
        {name: value for name, value in item.items() if name != "score"} for item in details
    ]


def test_a_query_engines_response(index: VectorStoreIndex, model: MockLLM) -> None:
    response = index.as_query_engine(llm=model).query(QUESTION)
    case = from_llama_index(response, input=QUESTION, expected_output="Paris", metadata={"trial": 1})
    assert (case.input, case.actual_output, case.expected_output) == (QUESTION, "text text text", "Paris")
    assert_retrieved_nodes(case)
    assert case.metadata["trial"] == 1
    report = evaluate([case], ["contextual_relevancy"])
    assert [result.error for _, result in report.flat()] == [None]


def test_a_stream_is_read_to_its_end(index: VectorStoreIndex, model: MockLLM) -> None:
    engine = index.as_query_engine(llm=model, streaming=True)
    case = from_llama_index(engine.query(QUESTION), input=QUESTION)
    assert case.actual_output == "text text text"
    assert_retrieved_nodes(case)


def test_a_chat_engines_response(index: VectorStoreIndex, model: MockLLM) -> None:
    response = index.as_chat_engine(
        chat_mode=ChatMode.CONTEXT, llm=model, memory=ChatMemoryBuffer(token_limit=99)
    ).chat(QUESTION)
    case = from_llama_index(response, input=QUESTION)
    assert case.actual_output
    assert_retrieved_nodes(case)


def test_agent_responses_give_tool_calls() -> None:
    output = ToolOutput(
        tool_name="search", content="Found.", raw_input={"kwargs": {"q": "France"}}, raw_output=1
    )
    chat = from_llama_index(AgentChatResponse(response="Paris.", sources=[output]), input=QUESTION)
    calls = [ToolSelection(tool_name="search", tool_kwargs={"q": "France"}, tool_id="1")]
    answer = ChatMessage(role="assistant", content="Paris.")
    output_of_agent = AgentOutput(response=answer, current_agent_name="A", tool_calls=calls)
    agent = from_llama_index(output_of_agent, input=QUESTION)
    for case, result in ((chat, "Found."), (agent, None)):
        assert case.actual_output == "Paris."
        (call,) = case.get("tools_called")
        assert (call.name, call.input_parameters, call.output) == ("search", {"q": "France"}, result)


def test_retriever_result_is_read(index: VectorStoreIndex) -> None:
    case = from_llama_index(index.as_retriever().retrieve(QUESTION), input=QUESTION, relevant_ids=["n1"])
    assert_retrieved_nodes(case)
    assert case.relevant_ids == {"n1": 1}


def test_structured_and_empty_responses() -> None:
    class City(BaseModel):
        name: str

    assert (
        from_llama_index(PydanticResponse(City(name="Paris")), input="Q").actual_output == '{"name":"Paris"}'
    )
    assert from_llama_index(Response(None), input="Q").actual_output is None


def test_async_streaming_response_must_be_awaited_first() -> None:
    async def tokens() -> AsyncGenerator[str, None]:
        yield "Paris."

    async def check() -> TestCase:
        stream = AsyncStreamingResponse(tokens())
        with pytest.raises(BadDataset, match=r"Give `await response.get_response\(\)`"):
            from_llama_index(stream, input=QUESTION)
        return from_llama_index(await stream.get_response(), input=QUESTION)

    assert asyncio.run(check()).actual_output == "Paris."


def test_response_without_input_raises_bad_dataset() -> None:
    with pytest.raises(BadDataset, match=r"Write from_llama_index\(response, input='…'\)"):
        from_llama_index(Response("Paris."))
    assert "input: Field required" in str(next(read_dataset(Response("Paris."))))
