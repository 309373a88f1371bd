import asyncio

import pytest
from tests.metrics.words import decisions

from ragstone import TestCase
from ragstone.engine.context import MetricContext
from ragstone.engine.measurement import measure
from ragstone.engine.scheduler import PromptScheduler
from ragstone.judges import ScriptedJudge
from ragstone.metrics import RagasScore
from ragstone.metrics.base.selection import preset_metrics
from ragstone.prompts import (
    AnswerQuestions,
    AttributeStatements,
    ExtractClaims,
    ExtractStatements,
    ExtractTruths,
    GenerateQuestions,
    JudgeAgreement,
    JudgeClaims,
    JudgePassages,
    JudgeStatements,
    JudgeUsefulness,
    LocateClaims,
    RateAccuracy,
    RateAnswer,
    RatePassage,
    RateStatement,
    ReviewCase,
)

CASE = TestCase(
    input="q?", actual_output="ACTUAL", expected_output="EXPECTED", retrieval_context=["one", "two"]
)
RATING = {"reason": "r", "score": 3}
REVIEW = {
    "unanswered": [],
    "faults": [],
    "deciding": [1],
    "answer": "acceptable",
    "context": "sufficient",
    "rank": 1,
}
RELEVANT = {"verdicts": [{"passage": n, "statement": "s", "reason": None, "verdict": "yes"} for n in (1, 2)]}


def complete_judge() -> ScriptedJudge:
    judge = ScriptedJudge().respond(r"(?s)EXPECTED.*every factual claim", {"claims": ["e"]})
    judge.respond(ExtractClaims, {"claims": ["c"]}).respond(ExtractTruths, {"truths": ["t"]})
    judge.respond(ExtractStatements, {"statements": ["s"]}).respond(JudgeStatements, decisions("yes"))
    judge.respond(JudgeClaims, decisions("yes")).respond(JudgeAgreement, decisions("yes", "yes"))
    judge.respond(JudgeUsefulness, decisions("yes", "yes")).respond(JudgePassages, RELEVANT)
    judge.respond(
        AttributeStatements,
        {"verdicts": [{"statement": "s", "reason": None, "verdict": "yes", "passage": 1}]},
    )
    judge.respond(GenerateQuestions, {"questions": ["q?"] * 3, "noncommittal": False})
    judge.respond(LocateClaims, {"verdicts": [{"reason": None, "passages": [1]}]})
    judge.respond(RatePassage, RATING).respond(RateAnswer, RATING).respond(RateStatement, RATING)
    judge.respond(RateAccuracy, {"reason": "r", "score": 4}).respond(ReviewCase, REVIEW)
    return judge.respond(AnswerQuestions, decisions("yes"))


def test_the_harmonic_mean_of_four() -> None:
    parts = {"a": 1.0, "b": 0.5, "c": 1.0, "d": 0.5}
    score = RagasScore().score(parts)
    assert score.value == pytest.approx(4 / (1 + 2 + 1 + 2))
    assert score.metadata["weakest"] == "b"
    assert RagasScore().score({**parts, "d": 0.0}).value == 0.0


def test_it_measures_its_parts_in_five_calls() -> None:
    result = RagasScore().measure(CASE, complete_judge())
    assert result.score == pytest.approx(1, abs=1e-6)
    assert result.usage.calls == 5


def counted(*presets: str) -> tuple[ScriptedJudge, list[int]]:
    """Measure the presets in one run; return the judge, and the calls that each metric paid for."""
    judge = complete_judge()

    async def work() -> list[int]:
        scheduler = PromptScheduler(judge)
        calls = []
        for metric in [metric for name in presets for metric in preset_metrics(name)]:
            ctx = MetricContext(scheduler)
            await measure(metric, CASE, ctx)
            calls.append(ctx.usage.calls)
        return calls

    return judge, asyncio.run(work())


def test_presets_in_one_run_share_their_calls() -> None:
    names = ("review", "rag", "ragas", "triad", "ragchecker", "deepeval")
    judge, calls = counted(*names)
    alone = [sum(counted(name)[1]) for name in names]
    assert alone == [1, 9, 5, 5, 6, 9]
    assert len(judge.prompts) == sum(calls)
    assert sum("every factual claim" in prompt and "| ACTUAL" in prompt for prompt in judge.prompts) == 1
    assert sum(calls[:2]) == 1, "the review is asked once"
    assert sum(calls[:10]) == 9, "beside the preset rag it costs nothing"
    assert calls[14] == 0, "the ragas score asks nothing that was not asked"
