"""A run that reviewed its cases begins with them on every surface, and quotes what is wrong."""

from pathlib import Path
from typing import Any

import pytest

from ragstone import Report, TestCase, evaluate
from ragstone.findings.view.report_view import report_view
from ragstone.judges import ScriptedJudge
from ragstone.prompts import ExtractClaims, JudgeClaims, ReviewCase

SENTENCE = "2 of 4 answers do not hold; in 1 case the passages lack what is needed; 1 undecided."
METRICS = ["answer_acceptance", "context_sufficiency", "faithfulness"]


def review(answer: str, *quotes: str, context: str = "sufficient") -> dict[str, Any]:
    faults = [
        {"quote": quote, "kind": "wrong_number", "passage": 1, "reason": "It is 6 pm."} for quote in quotes
    ]
    return {
        "unanswered": [],
        "faults": faults,
        "deciding": [1],
        "answer": answer,
        "context": context,
        "rank": 1,
    }


@pytest.fixture(scope="module")
def report() -> Report:
    judge = ScriptedJudge().respond(
        ReviewCase,
        [
            review("acceptable", context="insufficient"),
            review("not_acceptable", "8 pm"),
            review("not_acceptable", "8 pm", "Sundays"),
            review("cannot_tell"),
        ],
    )
    judge.respond(ExtractClaims, {"claims": []}).respond(JudgeClaims, {"verdicts": []})
    cases = [
        TestCase(
            input=f"q{n}", actual_output="Until 8 pm, on Sundays too.", retrieval_context=["Until 6 pm."]
        )
        for n in range(4)
    ]
    return evaluate(cases, METRICS, judge=judge, concurrency=1, details="flagged", store=False)


def test_first_sentence_speaks_of_cases_in_every_format(report: Report, tmp_path: Path) -> None:
    for suffix in ("md", "html"):
        report.save(tmp_path / f"report.{suffix}")
        assert SENTENCE in (tmp_path / f"report.{suffix}").read_text(encoding="utf-8")
    assert SENTENCE in " ".join(str(report).split())


def test_answers_with_more_faults_come_first_and_lacking_contexts_last(report: Report) -> None:
    assert [item.number for item in report_view(report).worst] == [3, 2, 1]


def test_fault_is_marked_in_the_answer_of_the_html_report(report: Report, tmp_path: Path) -> None:
    report.save(tmp_path / "report.html")
    shown = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert 'title="fault: wrong number: It is 6 pm.">8 pm</mark>' in shown


def test_details_of_flagged_cases_are_shown_with_the_case_and_have_no_mean(report: Report) -> None:
    view = report_view(report)
    assert [metric.name for metric in view.metrics] == ["AnswerAcceptance", "ContextSufficiency"]
    assert [len(item.results) for item in view.cases] == [3] * 4
