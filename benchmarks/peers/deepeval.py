"""DeepEval, tuned as far as its options allow: one shared HTTP client, no output, no cache.

By default it opens a connection for each call, which takes six times as long.
"""

import asyncio

import httpx2
from deepeval import evaluate
from deepeval.evaluate import AsyncConfig, CacheConfig, DisplayConfig
from deepeval.metrics import (
    AnswerRelevancyMetric,
    ContextualPrecisionMetric,
    ContextualRecallMetric,
    ContextualRelevancyMetric,
    FaithfulnessMetric,
    HallucinationMetric,
)
from deepeval.models import OpenAIModel
from deepeval.test_case import LLMTestCase

from benchmarks.client import Rows, Scores, Told, measured

METRICS = (
    ContextualPrecisionMetric,
    ContextualRecallMetric,
    ContextualRelevancyMetric,
    AnswerRelevancyMetric,
    FaithfulnessMetric,
    HallucinationMetric,
)


def work(rows: Rows, told: Told) -> Scores:
    client = httpx2.AsyncClient(timeout=300, limits=httpx2.Limits(max_connections=None), trust_env=False)
    judge = OpenAIModel(model="gpt-4o-mini", api_key="none", base_url=told.base_url, async_http_client=client)
    quiet = DisplayConfig(show_indicator=False, print_results=False, inspect_after_run=False)
    try:
        outcome = evaluate(
            [_case(row) for row in rows],
            [metric(model=judge) for metric in METRICS],
            async_config=AsyncConfig(max_concurrent=told.in_flight),
            display_config=quiet,
            cache_config=CacheConfig(write_cache=False),
        )
    finally:
        asyncio.get_event_loop_policy().get_event_loop().run_until_complete(client.aclose())
    found = {result.input: [data.score for data in result.metrics_data] for result in outcome.test_results}
    return [found[row["input"]] for row in rows]


def _case(row: dict) -> LLMTestCase:
    return LLMTestCase(
        input=row["input"],
        actual_output=row["actual_output"],
        expected_output=row["expected_output"],
        retrieval_context=row["retrieval_context"],
        context=row["retrieval_context"],
    )


if __name__ == "__main__":
    measured(work)
