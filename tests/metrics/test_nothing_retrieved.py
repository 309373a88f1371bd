"""Test cases whose retriever found nothing: `retrieval_context` is an empty list."""

import pytest
from tests.testing.for_each import for_each

from ragstone import TestCase
from ragstone.errors import NotApplicable
from ragstone.judges import ScriptedJudge
from ragstone.metrics import Faithfulness, Groundedness, Hallucination, Metric, parse
from ragstone.metrics.base.catalog import BUILT_IN
from ragstone.prompts import ExtractClaims, ExtractStatements, RateStatement

NOTHING = TestCase(
    input="When does the harbour office close?",
    actual_output="It closes at eleven.",
    expected_output="It closes at five.",
    context=["The office closes at five."],
    retrieval_context=[],
    retrieved_ids=[],
    relevant_ids=["d9"],
)
RETRIEVER_METRICS = [
    "contextual_recall",
    "contextual_precision",
    "contextual_relevancy",
    "context_utilization",
    "context_relevance",
    "joint_context_relevance",
    "context_entity_recall",
    "rag_checker(figure='context_precision')",
    *("recall", "precision", "hit_rate", "mrr", "ndcg", "average_precision", "recall@5"),
]


@for_each("spec", RETRIEVER_METRICS)
def test_retriever_metric_is_zero_without_asking(spec: str) -> None:
    judge = ScriptedJudge()
    result = parse(spec).measure(NOTHING, judge)
    assert (result.score, result.success, result.usage.calls) == (0.0, False, 0)


@pytest.mark.parametrize("penalize", [False, True])
@for_each("evidence", ["truths", "context"])
def test_no_claim_is_faithful(evidence: str, penalize: bool) -> None:  # noqa: FBT001  (a parameter)
    judge = ScriptedJudge().respond(ExtractClaims, {"claims": ["It closes at eleven."]})
    metric = parse(f"faithfulness(evidence={evidence!r}, penalize_ambiguous_claims={penalize})")
    result = metric.measure(NOTHING, judge)
    assert result.score == 0
    assert "0 of 1 claims are supported" in str(result.reason)
    assert "nothing was retrieved" in str(result.reason)


def test_output_without_claims_is_faithful() -> None:
    judge = ScriptedJudge().respond(ExtractClaims, {"claims": []})
    assert Faithfulness().measure(NOTHING, judge).score == 1


@for_each("rating, score", [(1, 0.0), (2, 0.0), (3, 1.0)])
def test_only_a_refusal_is_grounded(rating: int, score: float) -> None:
    judge = ScriptedJudge().respond(ExtractStatements, {"statements": ["It closes at eleven."]})
    judge.respond(RateStatement, {"score": rating, "reason": "Read."})
    assert Groundedness().measure(NOTHING, judge).score == score


def test_claim_figures_of_rag_checker_need_no_passages() -> None:
    judge = ScriptedJudge().respond(ExtractClaims, {"claims": ["It closes at five."]})
    result = parse("rag_checker(figure='claim_recall')").measure(NOTHING, judge)
    assert (result.score, result.usage.calls) == (0, 1)


def test_nothing_to_contradict_is_skipped() -> None:
    case = NOTHING.model_copy(update={"context": None})
    with pytest.raises(NotApplicable, match="nothing to contradict"):
        Hallucination().measure(case, ScriptedJudge())


def test_absent_context_is_missing_for_every_metric_that_needs_it() -> None:
    case = NOTHING.model_copy(update={"retrieval_context": None, "context": None})
    for name in BUILT_IN:
        try:
            metric: Metric = parse(name)
        except Exception:  # noqa: BLE001, S112  (an option is required)
            continue
        if "retrieval_context" in metric.fields_needed:
            assert "retrieval_context" in case.missing(metric.fields_needed)
