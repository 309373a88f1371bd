"""Details: metrics that ask a judge are measured only where the review of a case flags its answer."""

import json
from typing import Any

import pytest
from tests.testing.for_each import for_each

from ragstone import Report, TestCase, evaluate
from ragstone.api import estimate
from ragstone.errors import BadOption
from ragstone.judges import Reply, ScriptedJudge
from ragstone.metrics.base.catalog import PRESETS
from ragstone.prompts import ExtractClaims, Prompt, ReviewCase
from ragstone.result import Usage
from ragstone.runner.estimate import EstimateRange, RunEstimate

METRICS = ["answer_acceptance", "context_sufficiency", "faithfulness", "exact_match"]
CLAIMS = {"claims": ["c"]}
SUPPORTED = {"verdicts": [{"item": 1, "passage": 1, "reason": "r", "verdict": "supported"}]}


class Reviewer:
    """Accepts, rejects or leaves open an answer as the answer itself says; finds every claim supported."""

    name = "reviewer"

    def __init__(self) -> None:
        self.asked: list[str] = []

    async def ask(self, prompt: Prompt[Any]) -> Reply[Any]:
        self.asked.append(type(prompt).__name__)
        return Reply(prompt.parse(json.dumps(self._said(prompt))), Usage(calls=1))

    @staticmethod
    def _said(prompt: Prompt[Any]) -> dict[str, Any]:
        if isinstance(prompt, ReviewCase):
            label = prompt.actual_output
            return {"answer": label, "context": "sufficient", "unanswered": [], "faults": [], "deciding": []}
        return CLAIMS if isinstance(prompt, ExtractClaims) else SUPPORTED


def cases(*labels: str) -> list[TestCase]:
    return [
        TestCase(input="q", actual_output=label, expected_output="e", retrieval_context=["p"])
        for label in labels
    ]


def measured(details: Any, judge: Any, **options: Any) -> Report:
    data = cases("acceptable", "not_acceptable", "cannot_tell")
    return evaluate(data, METRICS, judge=judge, details=details, store=False, **options)


@for_each("options", [{}, {"concurrency": 1}])
def test_flagged_details_are_measured_where_the_answer_is_not_accepted(options: Any) -> None:
    judge = Reviewer()
    report = measured("flagged", judge, **options)
    assert [result.status for result in report["Faithfulness"]] == ["skipped", "passed", "passed"]
    assert judge.asked.count("ReviewCase") == 3
    assert judge.asked.count("ExtractClaims") == 2
    assert all(result.is_measured for result in report["ExactMatch"])
    assert report["Faithfulness"][0].usage.calls == 0


def test_flagged_details_have_no_mean() -> None:
    report = measured("flagged", Reviewer())
    assert list(report.summary()) == ["AnswerAcceptance", "ContextSufficiency", "ExactMatch"]
    assert "Faithfulness" not in str(report)
    assert report.run.plan.flagged_only == ("faithfulness",)


def test_no_details_are_measured_or_all() -> None:
    assert measured("none", Reviewer()).run.plan.metrics == (
        "answer_acceptance",
        "context_sufficiency",
        "exact_match",
    )
    assert len(measured("all", Reviewer()).summary()) == 4


@for_each("details", ["none", "flagged"])
def test_details_need_the_review(details: Any) -> None:
    with pytest.raises(BadOption, match="needs the metric answer_acceptance"):
        evaluate(cases("a"), "faithfulness", judge=ScriptedJudge(), details=details, store=False)


def test_calls_of_the_presets_for_a_case() -> None:
    """One call for the review; at most eight more for the details of a flagged case."""

    def calls(preset: str, details: Any) -> RunEstimate:
        return estimate(cases("a"), preset=preset, judge="openai:gpt-4o-mini", details=details)

    assert calls("review", "all").calls == calls("rag", "none").calls == EstimateRange(1, 1)
    assert calls("rag", "flagged").calls == EstimateRange(1, 9)
    assert calls("rag", "all").calls.most == 9
    assert len(PRESETS["review"]) == 2
