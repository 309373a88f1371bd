from dataclasses import replace
from typing import Any

from tests.findings.sample import fixed_report, result

from ragstone.case import TestCase
from ragstone.cli._planted_flaws import flaw_report
from ragstone.findings import Report
from ragstone.result import Result


def planted(flaw: str | None, metric: str | None = None, **metadata: Any) -> TestCase:
    return TestCase(
        input=f"{flaw} {metric}",
        metadata={"flaw": flaw, "metric": metric, "detail": "d", "also": [], **metadata},
    )


def scored(case: TestCase, score: float | None, spec: str = "faithfulness", **fields: Any) -> Result:
    success = score is not None and score >= 0.9
    return result(case, score, spec=spec, success=success, **fields)


def report_of_cases(*pairs: tuple[TestCase, list[Result]]) -> Report:
    return replace(
        fixed_report(), cases=[case for case, _ in pairs], results=[results for _, results in pairs]
    )


def test_flaw_is_found_when_its_metric_fails() -> None:
    seen, missed = planted("wrong_number", "faithfulness"), planted("negated", "faithfulness")
    found = flaw_report(report_of_cases((seen, [scored(seen, 0.5)]), (missed, [scored(missed, 1.0)])))
    assert [(flaw.kind, flaw.outcome) for flaw in found.flaws] == [
        ("wrong number", "found"),
        ("negated", "not found"),
    ]


def test_flaw_is_not_found_when_unmeasured() -> None:
    case = planted("negated", "faithfulness")
    for results in ([scored(case, None, error="TimedOut: late")], []):
        assert flaw_report(report_of_cases((case, results))).flaws[0].outcome == "not found"


def test_flaw_is_undecided_when_the_judge_cannot_tell() -> None:
    case = planted("negated", "faithfulness")
    result = scored(case, None, low=0.0, high=1.0)
    assert flaw_report(report_of_cases((case, [result]))).flaws[0].outcome == "undecided"


def test_flaw_is_found_by_a_low_score_of_a_metric_without_threshold() -> None:
    low, high = planted("noise", "contextual_relevancy"), planted("noise", "contextual_relevancy", tag=1)
    scores = [
        (case, [scored(case, score, spec="contextual_relevancy", threshold=None)])
        for case, score in ((low, 0.2), (high, 0.7))
    ]
    assert [flaw.outcome for flaw in flaw_report(report_of_cases(*scores)).flaws] == ["found", "not found"]


def test_other_metrics_that_detect_the_flaw_are_listed() -> None:
    case = planted("negated", "faithfulness", also=["hallucination"])
    other = scored(case, 0.1, spec="hallucination")
    assert flaw_report(report_of_cases((case, [scored(case, 1.0), other]))).flaws[0].others == (other,)


def test_a_sound_case_that_fails_without_cause_is_a_false_alarm() -> None:
    quiet, alarmed, excused = planted(None), planted(None, tag=1), planted(None, also=["faithfulness"])
    found = flaw_report(
        report_of_cases(
            (quiet, [scored(quiet, 1.0)]),
            (alarmed, [scored(alarmed, 0.1)]),
            (excused, [scored(excused, 0.1)]),
        )
    )
    assert (found.sound, [case for case, _ in found.alarms]) == (3, [alarmed])
