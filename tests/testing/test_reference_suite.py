"""The reference's guide to its assertions, example by example, with a judge that says what the guide supposes.

The names of the tests are the guide's; where it prints what a failure looks like, ours is held against it line by line.
"""

from typing import Any

import pytest
from tests.testing.project import Project

from ragstone import TestCase
from ragstone.errors import ProviderError
from ragstone.judges import ScriptedJudge
from ragstone.metrics import (
    AnswerRelevancy,
    ContextualRecall,
    ExactMatch,
    Faithfulness,
    GEval,
    Hallucination,
)
from ragstone.prompts import (
    AttributeStatements,
    DeriveSteps,
    ExtractClaims,
    ExtractStatements,
    ExtractTruths,
    FillForm,
    JudgeAgreement,
    JudgeClaims,
    JudgeStatements,
    JudgeUsefulness,
)
from ragstone.testing import NotMeasured, assert_evaluation, assert_fails, assert_passes, assert_score

BOTH_WAYS = {"yes": None, "idk": None, "no": "Not so"}


def verdicts(*words: str, **more: Any) -> dict[str, Any]:
    return {"verdicts": [{"reason": BOTH_WAYS[word], "verdict": word, **more} for word in words]}


def saying(*words: str, contexts: int = 1) -> ScriptedJudge:
    """A judge that finds one claim or statement a word, decides each so, and each context like the first."""
    attributed = [
        {
            "statement": f"S{number}",
            "reason": BOTH_WAYS[word],
            "verdict": word,
            "passage": 1 if word == "yes" else None,
        }
        for number, word in enumerate(words, 1)
    ]
    return (
        ScriptedJudge()
        .respond(ExtractTruths, {"truths": ["Truth 1"]})
        .respond(ExtractClaims, {"claims": [f"Claim {number}" for number, _ in enumerate(words, 1)]})
        .respond(
            ExtractStatements, {"statements": [f"Statement {number}" for number, _ in enumerate(words, 1)]}
        )
        .respond(JudgeClaims, verdicts(*words))
        .respond(JudgeStatements, verdicts(*words))
        .respond(JudgeAgreement, verdicts(*words[:1] * contexts))
        .respond(JudgeUsefulness, verdicts(*words[:1] * contexts))
        .respond(AttributeStatements, {"verdicts": attributed})
        .respond(DeriveSteps, {"steps": ["Look whether it helps."]})
        .respond(FillForm, {"reason": "Fine.", "score": 8})
    )


def said(error: BaseException) -> list[str]:
    return str(error).splitlines()


CAPITAL = TestCase(
    input="What is the capital of France?",
    actual_output="Paris is the capital of France.",
    retrieval_context=["Paris is the capital city of France."],
)


def test_response_is_faithful_to_context() -> None:
    judge = saying("yes", "yes", "yes", "yes", "no")
    assert_passes(CAPITAL, Faithfulness, judge=judge)
    assert_passes(CAPITAL, Faithfulness, threshold=0.8, judge=judge)  # 0.8 is not below 0.8
    assert_passes(CAPITAL, Faithfulness, threshold=0.7, judge=judge)  # adapter: and model: are the judge here
    assert_passes(CAPITAL, GEval(name="Helpfulness", criteria="Is it helpful?"), threshold=0.7, judge=judge)


def test_failure_output_of_one_metric() -> None:
    with pytest.raises(AssertionError) as caught:
        assert_passes(CAPITAL, Faithfulness, judge=saying("yes", "yes", "no", "no", "no"))
    documented = [
        "Metric evaluation failed unexpectedly.",
        "",
        "Metric:    Faithfulness",
        "Score:     0.4 (40.0%)",
        "Threshold: 0.5 (50.0%)",
        "Status:    FAIL (expected PASS)",
    ]
    assert said(caught.value)[:6] == documented
    assert said(caught.value)[6].startswith("Reason:    2 of 5 claims are supported.")
    assert len(said(caught.value)) == 7


def test_hallucinated_response_is_detected() -> None:
    case = TestCase(
        input="What color is the sky?",
        actual_output="The sky is green with purple polka dots.",
        context=["The sky appears blue during the day due to light scattering."],
    )
    assert assert_fails(case, Hallucination, threshold=0.3, judge=saying("no")).score == 1.0


def test_response_has_at_least_70_percent_relevancy() -> None:
    case = TestCase(
        input="How do I learn Elixir?", actual_output="Read the official guides and practice with projects."
    )
    assert_score(case, AnswerRelevancy, min=0.7, judge=saying("yes", "yes", "yes", "no"))


def test_hallucination_score_is_low() -> None:
    case = TestCase(input="What is 2+2?", actual_output="4", context=["Basic arithmetic: 2+2=4"])
    assert_score(case, Hallucination, max=0.2, judge=saying("yes"))


def test_exact_match_returns_1() -> None:
    case = TestCase(input="What is the answer?", actual_output="42", expected_output="42")
    assert_score(case, ExactMatch, exact=1.0)


def test_score_is_within_expected_range() -> None:
    case = TestCase(
        input="Explain quantum physics", actual_output="Quantum physics studies subatomic particles..."
    )
    assert_score(case, AnswerRelevancy, min=0.6, max=0.9, judge=saying("yes", "yes", "yes", "no"))


def test_delta_tolerance() -> None:
    judge = saying("yes", "yes", "yes", "yes", "no")
    assert_score(CAPITAL, Faithfulness, exact=0.75, delta=0.05, judge=judge)
    with pytest.raises(AssertionError):
        assert_score(CAPITAL, Faithfulness, exact=0.7, delta=0.05, judge=judge)


BENEFITS = TestCase(
    input="What are the company benefits?",
    actual_output="Employees receive health insurance and 20 days PTO.",
    expected_output="Health insurance, dental, and 20 days paid time off.",
    retrieval_context=[
        "Section 3.1: All employees receive comprehensive health insurance.",
        "Section 3.2: Full-time employees get 20 days paid time off annually.",
    ],
)


def test_rag_response_passes_all_quality_checks() -> None:
    judge = saying("yes", "yes", "no")
    results = assert_evaluation(BENEFITS, [Faithfulness, AnswerRelevancy, ContextualRecall], judge=judge)
    assert len(results) == 3
    both = saying("yes", contexts=2)
    assert_evaluation(BENEFITS, [Faithfulness, Hallucination], threshold=0.7, judge=both)


def test_failure_output_of_several_metrics() -> None:
    judge = (
        ScriptedJudge()
        .respond(JudgeStatements, verdicts(*["yes"] * 3, *["no"] * 7))
        .respond(ExtractStatements, {"statements": [f"S{number}" for number in range(10)]})
        .respond(ExtractTruths, {"truths": ["T"]})
        .respond(ExtractClaims, {"claims": [f"C{number}" for number in range(5)]})
        .respond(JudgeClaims, verdicts("yes", "yes", "no", "no", "no"))
    )
    with pytest.raises(AssertionError) as caught:
        assert_evaluation(BENEFITS, [Faithfulness, AnswerRelevancy], judge=judge)
    lines = [
        line.partition("Reason:")[0].rstrip() if "Reason:" in line else line for line in said(caught.value)
    ]
    assert lines == [
        "Multiple metric evaluations failed.",
        "",
        "Failures:",
        "  Faithfulness:",
        "    Score:     0.4 (40.0%)",
        "    Threshold: 0.5 (50.0%)",
        "",
        "",
        "  AnswerRelevancy:",
        "    Score:     0.3 (30.0%)",
        "    Threshold: 0.5 (50.0%)",
        "",
    ]


def test_error_handling() -> None:
    with pytest.raises(NotMeasured) as missing:
        assert_passes(TestCase(input="Q", actual_output="A"), Faithfulness, judge=saying("yes"))
    assert said(missing.value) == [
        "Metric evaluation failed with error.",
        "",
        "Metric: Faithfulness",
        "Error:  Missing required parameters: retrieval_context",
        "",
        "Ensure your TestCase includes all required fields for this metric.",
    ]
    limited = ScriptedJudge().respond(".", ProviderError("429 Rate limit exceeded"))
    with pytest.raises(NotMeasured) as refused:
        assert_passes(CAPITAL, GEval(name="GEval", criteria="Is it helpful?"), judge=limited)
    assert said(refused.value)[:2] == ["Metric evaluation failed with error.", ""]
    assert said(refused.value)[2].startswith("Metric: GEval")
    assert "429" in said(refused.value)[3]
    assert "Rate limit exceeded" in said(refused.value)[3]


def test_mocked_evaluation_passes() -> None:
    """The guide's mock answers by a pattern in the prompt; so does the scripted judge."""
    judge = (
        ScriptedJudge()
        .respond("(?i)decide for each claim", verdicts("yes"))
        .respond("(?i)facts the passages state", {"truths": ["Truth 1"]})
        .respond("(?i)every factual claim", {"claims": ["Claim 1"]})
    )
    case = TestCase(input="Q", actual_output="A", retrieval_context=["Context"])
    for _ in range(2):  # setup, test, setup, test
        assert_passes(case, Faithfulness, judge=judge)
    judge.clear()
    assert judge.prompts == []


COMPLETE = """
import pytest
from ragstone import TestCase
from ragstone.metrics import *
from ragstone.testing import assert_evaluation, assert_passes, assert_score

pytestmark = pytest.mark.llm_evaluation


def build_test_case(input, output, context=None, expected=None):
    return TestCase(input=input, actual_output=output, retrieval_context=context, expected_output=expected)


class TestRAGQuality:
    def test_faithful_responses(self):
        case = build_test_case(
            "What is our return policy?",
            "You can return items within 30 days for a full refund.",
            ["Policy: Items may be returned within 30 days for full refund."],
        )
        result = assert_passes(case, Faithfulness, threshold=0.8)
        assert result.score >= 0.8

    def test_relevant_answers(self):
        case = build_test_case(
            "How do I reset my password?",
            "Click 'Forgot Password' on the login page and follow the email instructions.",
        )
        assert_score(case, AnswerRelevancy, min=0.7)

    def test_no_hallucinations(self):
        case = build_test_case(
            "What colors are available?",
            "The product comes in red, blue, and green.",
            ["Available colors: red, blue, green, yellow."],
        )
        assert_score(case, Hallucination, max=0.3)

    def test_comprehensive_rag_evaluation(self):
        case = build_test_case(
            "What are the shipping options?",
            "We offer standard (5-7 days) and express (2-3 days) shipping.",
            [
                "Shipping: Standard delivery takes 5-7 business days.",
                "Express shipping available for 2-3 day delivery.",
            ],
            "Standard shipping (5-7 days) and express shipping (2-3 days) are available.",
        )
        metrics = [Faithfulness, AnswerRelevancy, ContextualRecall, ContextualPrecision]
        assert len(assert_evaluation(case, metrics, threshold=0.7)) == 4
"""

CONFTEST = """
import pytest
from ragstone.judges import ScriptedJudge
from ragstone.prompts import *

YES = {"reason": None, "verdict": "yes"}

@pytest.fixture(autouse=True)
def judge(request):
    passages = 2 if "comprehensive" in request.node.name else 1
    return (
        ScriptedJudge()
        .respond(ExtractTruths, {"truths": ["Truth 1"]})
        .respond(ExtractClaims, {"claims": ["Claim 1"]})
        .respond(ExtractStatements, {"statements": ["Statement 1"]})
        .respond(AttributeStatements, {"verdicts": [{"statement": "S", "passage": 1, **YES}]})
        .respond(JudgeClaims, {"verdicts": [YES]})
        .respond(JudgeStatements, {"verdicts": [YES]})
        .respond(JudgeAgreement, {"verdicts": [YES]})
        .respond(JudgeUsefulness, {"verdicts": [YES] * passages})
    )
"""


def test_complete_example_with_marker_selection(project: Project) -> None:
    """`mix test`, `--only llm_evaluation`, `--exclude llm_evaluation`."""
    project.write("conftest.py", CONFTEST)
    project.write("test_rag.py", COMPLETE)
    project.write("test_own.py", "def test_own(): pass\n")
    for chosen, told in (
        ([], "5 passed"),
        (["-m", "llm_evaluation"], "4 passed, 1 deselected"),
        (["-m", "not llm_evaluation"], "1 passed, 4 deselected"),
    ):
        run = project.run(*chosen, "-q")
        assert told in run.stdout, run.stdout
    project.write("conftest.py", "")
    by_embedded_judge = project.run("-q", "--judge=local").stdout
    assert "1 failed, 4 passed" in by_embedded_judge
    assert "ContextualPrecision" in by_embedded_judge  # standard shipping alone, it says, does not help
