"""Ragas' `evaluate`, tuned: no progress bar, HTTP clients of its own, the best number of workers.

More workers than its default of 16 make it slower without latency and no faster with it: its answer relevancy requests
embeddings inside the event loop and blocks it meanwhile.
"""

import httpx
from langchain_openai import ChatOpenAI, OpenAIEmbeddings
from ragas import EvaluationDataset, RunConfig, evaluate
from ragas.embeddings import LangchainEmbeddingsWrapper
from ragas.llms import LangchainLLMWrapper
from ragas.metrics import (
    ContextRelevance,
    Faithfulness,
    LLMContextPrecisionWithReference,
    LLMContextRecall,
    ResponseRelevancy,
)

from benchmarks.client import Rows, Scores, Told, measured

METRICS = (
    LLMContextPrecisionWithReference,
    LLMContextRecall,
    ContextRelevance,
    ResponseRelevancy,
    Faithfulness,
)


def work(rows: Rows, told: Told) -> Scores:
    every = {"base_url": told.base_url, "api_key": "none", "http_client": httpx.Client(timeout=300)}
    limits = httpx.Limits(max_connections=None)
    chat = ChatOpenAI(
        model="gpt-4o-mini", http_async_client=httpx.AsyncClient(timeout=300, limits=limits), **every
    )
    embeddings = OpenAIEmbeddings(model="text-embedding-3-small", check_embedding_ctx_length=False, **every)
    outcome = evaluate(
        EvaluationDataset.from_list([_sample(row) for row in rows]),
        metrics=[metric() for metric in METRICS],
        llm=LangchainLLMWrapper(chat),
        embeddings=LangchainEmbeddingsWrapper(embeddings),
        run_config=RunConfig(max_workers=told.in_flight, timeout=600),
        show_progress=False,
    )
    return [list(scores.values()) for scores in outcome.scores]


def _sample(row: dict) -> dict:
    return {
        "user_input": row["input"],
        "response": row["actual_output"],
        "reference": row["expected_output"],
        "retrieved_contexts": row["retrieval_context"],
    }


if __name__ == "__main__":
    measured(work)
