"""The result of a sweep from runs in memory: what is pending, which settings are efficient, which is the cheapest."""

import re
from dataclasses import replace

import pytest
from tests.findings.sample import result, run

from ragstone.case import TestCase
from ragstone.findings import Report
from ragstone.findings.sweep import SweepReport, SweptRun, race_progress, sweep_report
from ragstone.run import SweepPlan

QUESTIONS = 60
SETTINGS = (("top_k=1",), ("top_k=5",), ("top_k=10",))


def plan(**fields: object) -> SweepPlan:
    given = {"name": "tries", "settings": SETTINGS, "rungs": (30, 60), "error": 0.05}
    return SweepPlan.model_validate({**given, **fields})


def swept(
    right: int, *, questions: int = QUESTIONS, cost: float | None = 0.01, latency: float = 100.0
) -> SweptRun:
    """A run in which `right` of ten questions are answered."""
    metadata = [
        {"latency_ms": latency + number % 7, **({} if cost is None else {"cost": cost})}
        for number in range(questions)
    ]
    cases = [
        TestCase(input=f"Question {number}?", id=f"q{number}", metadata=about)
        for number, about in enumerate(metadata)
    ]
    rows = [[result(case, float(number % 10 < right))] for number, case in enumerate(cases)]
    begun = run(app="my_app:answer", metrics=("faithfulness",), labels={"faithfulness": "Faithfulness"})
    return SweptRun(Report(run=begun, cases=cases, results=rows), questions)


def efficient(report: SweepReport) -> list[bool]:
    return [cell.efficient for cell in report.cells]


def test_settings_are_pending_until_their_questions_of_the_rung_are_measured() -> None:
    assert race_progress(plan(), [None, None, None]).pending == (0, 1, 2)
    first = [swept(2, questions=30), swept(9, questions=30), None]
    assert race_progress(plan(), first).pending == (2,)
    second = race_progress(plan(), [*first[:2], swept(9, questions=30)])
    assert (second.rung, second.pending, second.states) == (1, (1, 2), ("dropped", "left", "left"))
    assert race_progress(plan(), [first[0], swept(9), swept(9)]).pending == ()


def test_dropped_setting_is_compared_over_the_questions_of_its_last_rung() -> None:
    report = sweep_report(plan(), [swept(2, questions=30), swept(9), swept(9)])
    assert [cell.questions for cell in report.cells] == [30, 60, 60]
    assert report.cells[0].difference is not None
    assert report.cells[0].difference.difference == pytest.approx(-0.7)
    assert (report.answers, report.all_answers, report.judge_calls) == (150, 180, 450)


def test_setting_that_no_other_is_shown_to_beat_is_efficient() -> None:
    report = sweep_report(
        plan(), [swept(2, questions=30, cost=0.001), swept(9, cost=0.01), swept(9, cost=0.04)]
    )
    assert efficient(report) == [True, True, False]
    slow = sweep_report(
        plan(), [swept(2, questions=30, cost=0.01), swept(9, cost=0.01), swept(9, cost=0.04, latency=50.0)]
    )
    assert efficient(slow) == [False, True, True]


def test_cheapest_is_decided_by_latency_where_no_cost_is_known() -> None:
    runs = [swept(2, questions=30, cost=None), swept(9, cost=None), swept(9, cost=None, latency=50.0)]
    report = sweep_report(plan(), runs)
    assert (report.cheapest, report.cheapest_by) == (2, "latency")
    assert "The fastest of them is top\\_k=10, faster by 49 %" in report.to_markdown()


def test_page_draws_each_compared_setting_against_cost_and_latency_and_the_terminal_none() -> None:
    report = sweep_report(plan(), [swept(2, questions=30), swept(9), swept(9, cost=0.04)])
    page = report.to_html()
    assert len(re.findall(r'class="point ', page)) == 6
    assert "Quality against cost and latency" in page
    assert "Quality against" not in report.to_markdown()


def test_stopped_sweep_says_what_is_left_so_far() -> None:
    report = sweep_report(
        plan(), [swept(2, questions=30), swept(9, questions=30), swept(9, questions=30)], "budget"
    )
    assert (report.complete, report.exit_code) == (False, 3)
    text = report.to_markdown()
    assert "The sweep is not finished (budget): after 1 of 2 rungs 2 of 3 settings are left." in text
    assert "for the full grid." in text
    assert " saved" not in text
    nothing = sweep_report(plan(), [None, None, None])
    assert "Nothing could be compared." in nothing.to_markdown()
    assert nothing.to_json()


def test_setting_that_does_not_measure_the_objective_is_not_dropped() -> None:
    unmeasured = swept(9)
    unmeasured = SweptRun(replace(unmeasured.report, results=[[] for _ in range(QUESTIONS)]), QUESTIONS)
    report = sweep_report(plan(), [unmeasured, swept(2, questions=30), swept(9)])
    assert [cell.state for cell in report.cells] == ["left", "dropped", "left"]
    assert report.cells[0].score is None
    nothing = sweep_report(plan(objective="bleu"), [swept(2), swept(9), swept(9)])
    assert (nothing.leader, nothing.exit_code) == (None, 3)
    assert "Nothing could be compared" in nothing.to_markdown()


def test_settings_of_which_no_score_is_decided_are_not_compared() -> None:
    """Equal bounds of all are no proof that the settings are equal."""
    first = swept(9, questions=30)
    rows = [[result(case, None, low=0.0, high=1.0)] for case in first.report.cases]
    unknown = SweptRun(replace(first.report, results=rows), 30)
    report = sweep_report(plan(), [unknown, unknown, unknown])
    assert (report.leader, report.exit_code, report.complete) == (None, 3, True)
    assert "Nothing could be compared." in report.to_markdown()
    assert sweep_report(plan(), [unknown, first, unknown]).leader == 1
