import asyncio

from tests.metrics.words import decisions

from ragstone import TestCase
from ragstone.engine.context import MetricContext
from ragstone.engine.scheduler import PromptScheduler
from ragstone.judges import ScriptedJudge
from ragstone.metrics.shared.claim_matrix import ClaimMatrix, ClaimQuery, TextClaims, build_claim_matrix
from ragstone.prompts import ExtractClaims, JudgeClaims, LocateClaims

CASE = TestCase(input="q", actual_output="ACTUAL", expected_output="EXPECTED", retrieval_context=["p1", "p2"])
ALL = ClaimQuery(claims=True, by_other=True, by_passage=True)


def scripted_judge() -> ScriptedJudge:
    judge = ScriptedJudge().respond(r"(?s)ACTUAL.*every factual claim", {"claims": ["r1", "r2"]})
    judge.respond(r"(?s)EXPECTED.*every factual claim", {"claims": ["a1"]})
    judge.respond(r"(?s)1\| EXPECTED.*Decide for each claim", decisions("yes", "idk"))
    judge.respond(r"(?s)1\| ACTUAL.*Decide for each claim", decisions("no"))
    judge.respond(
        r"(?s)1\| r1", {"verdicts": [{"reason": None, "passages": [1]}, {"reason": None, "passages": []}]}
    )
    return judge.respond(r"(?s)1\| a1", {"verdicts": [{"reason": None, "passages": [2, 1]}]})


def build_matrix(judge: ScriptedJudge, actual: ClaimQuery, expected: ClaimQuery) -> ClaimMatrix:
    async def work() -> ClaimMatrix:
        return await build_claim_matrix(MetricContext(PromptScheduler(judge)), CASE, actual, expected)

    return asyncio.run(work())


def test_the_whole_matrix_takes_six_calls() -> None:
    judge = scripted_judge()
    assert build_matrix(judge, ALL, ALL) == ClaimMatrix(
        actual=TextClaims(
            claims=("r1", "r2"), by_other=(True, False), by_passage=(frozenset({1}), frozenset())
        ),
        expected=TextClaims(claims=("a1",), by_other=(False,), by_passage=(frozenset({1, 2}),)),
        passages=2,
    )
    assert len(judge.prompts) == 6


def test_claim_query_limits_the_judge_calls() -> None:
    judge = scripted_judge()
    assert build_matrix(judge, ClaimQuery(claims=True, by_other=True), ClaimQuery()).expected == TextClaims()
    assert len(judge.prompts) == 2


def test_a_relevant_passage_supports_an_expected_claim() -> None:
    matrix = ClaimMatrix(
        expected=TextClaims(claims=("a", "b"), by_passage=(frozenset({1}), frozenset({3}))), passages=3
    )
    assert matrix.relevant == {1, 3}


def test_claim_prompts_are_importable_from_prompts() -> None:
    assert {ExtractClaims, JudgeClaims, LocateClaims}
