from dataclasses import replace
from pathlib import Path

from tests.findings.sample import case, fixed_report, result

from ragstone.findings.view.report_view import report_view
from ragstone.judges.local.accuracy import everyday_accuracy


def test_worst_lists_failing_cases_in_order() -> None:
    found = report_view(fixed_report())
    assert [item.number for item in found.worst] == [3, 4]
    assert [item.number for item in found.cases][:4] == [3, 4, 5, 6]
    assert len(found.cases) == 12


def test_counts_add_up() -> None:
    found = report_view(fixed_report())
    assert found.counts == {"passed": 24, "missed": 2, "not_measured": 2, "skipped": 8}
    assert found.passed is None


def test_verdict_lists_failures_errors_and_rejected_rows() -> None:
    report = fixed_report()
    assert report_view(report).verdict == (
        "2 of 26 scores miss their threshold, 2 results not measured, 1 row could not be read."
    )
    assert "stopped early" in report_view(replace(report, complete=False)).verdict


def test_the_verdict_of_a_good_run() -> None:
    report = fixed_report()
    good = replace(report, rejected=[], cases=[case(1)], results=[[result(case(1), 1.0)]])
    assert (report_view(good).verdict, report_view(good).passed) == ("Everything passed.", True)
    bad = replace(good, results=[[result(case(1), 0.1)]])
    assert (report_view(bad).verdict, report_view(bad).passed) == (
        "1 of 1 score misses its threshold.",
        False,
    )
    skipped = replace(good, results=[[result(case(1), None, skipped=True)]])
    assert report_view(skipped).verdict == "Everything was skipped."
    assert report_view(replace(good, cases=[], results=[])).verdict == "Nothing was measured."


def test_a_report_by_the_embedded_judge_quotes_its_accuracy_in_every_rendering(tmp_path: Path) -> None:
    report = fixed_report()
    plan = report.run.plan.model_copy(update={"judge": "local"})
    local = replace(report, run=report.run.model_copy(update={"plan": plan}))
    sentence = everyday_accuracy().sentence()
    assert report_view(local).judge_accuracy == sentence
    head = sentence.partition(" (")[0]
    for name in ("r.html", "r.md", "r.json"):
        local.save(tmp_path / name)
        assert head in (tmp_path / name).read_text(encoding="utf-8")
        report.save(tmp_path / name)
        assert head not in (tmp_path / name).read_text(encoding="utf-8")
    assert head in " ".join(str(local).split())
    assert report_view(report).judge_accuracy is None
    examined = report.run.plan.model_copy(update={"exam": "In its exam, it flagged all."})
    other = replace(report, run=report.run.model_copy(update={"plan": examined}))
    assert report_view(other).judge_accuracy == "In its exam, it flagged all."


def test_few_passed_cases_get_a_note_on_uncertainty() -> None:
    item = case(1)
    few = replace(fixed_report(), cases=[item] * 8, results=[[result(item, 1.0)]] * 8)
    assert report_view(few).notes[-1] == (
        "Faithfulness: all of 8 cases passed, but so few prove little: up to 32 % of such cases may miss it (95 %)."
    )
    many = replace(few, cases=[item] * 40, results=[[result(item, 1.0)]] * 40)
    assert not any("prove little" in note for note in report_view(many).notes)
