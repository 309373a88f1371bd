import json
from pathlib import Path

import pytest

from ragstone import Report, TestCase, evaluate
from ragstone.findings.registry import write
from ragstone.findings.view.report_view import report_view
from ragstone.judges import ScriptedJudge
from ragstone.metrics import Hallucination
from ragstone.prompts import JudgeAgreement
from ragstone.show.render.console import plain_console, show
from ragstone.show.run_html import render

CASES = [
    TestCase(input=f"question {n}?", actual_output="An answer.", context=["A passage.", "Another."])
    for n in range(12)
]


def said(*words: str) -> dict[str, object]:
    return {"verdicts": [{"reason": None, "verdict": word} for word in words]}


@pytest.fixture
def report() -> Report:
    """Eleven cases judged alike every time, the first now this way, now that."""
    judge = ScriptedJudge().respond("question 0", [said("no", "no"), said("yes", "yes"), said("no", "yes")])
    for number in range(1, 12):
        judge.respond(rf"question {number}\?", said("yes", "yes"))
    return evaluate(
        [TestCase(input=c.input, actual_output=f"{c.input} An answer.", context=c.context) for c in CASES],
        Hallucination(threshold=0.4),
        judge=judge,
        repeats=3,
    )


def test_repeats_give_within_case_spread_and_unstable_cases(report: Report) -> None:
    found = report.repeats()["Hallucination"]
    assert len(found.cases) == 12
    assert found.unstable == (0,)
    assert found.within == pytest.approx(0.5 / 24)
    assert found.cases[0].mean == pytest.approx(0.5)
    assert found.cases[1].verdict == "pass"
    assert report.exit_code == 1


def test_a_run_without_repeats_has_none() -> None:
    judge = ScriptedJudge().respond(JudgeAgreement, said("yes", "yes"))
    once = evaluate(CASES, Hallucination(), judge=judge)
    assert once.repeats() == {}
    assert report_view(once).repeats == ()
    assert "REPEATS" not in once.to_markdown()


def test_undecided_case_across_repeats_exits_1() -> None:
    """Both means are 0.5, which is no more than 0.5, but the judge moves: it might as well have said more."""
    judge = ScriptedJudge().respond(
        JudgeAgreement, [said("no", "yes"), said("no", "yes"), said("yes", "yes"), said("no", "no")]
    )
    two = evaluate(
        [{"input": str(n), "actual_output": f"a{n}", "context": ["x", "y"]} for n in range(2)],
        Hallucination(),
        judge=judge,
        repeats=2,
        concurrency=1,
    )
    assert all(results[0].success for results in two.results)
    assert two.exit_code == 1
    (found,) = report_view(two).repeats
    assert found.undecided == 2
    assert "may pass or miss when measured again" in report_view(two).verdict


def test_every_rendering_names_the_unstable_case(report: Report, tmp_path: Path) -> None:
    with (tmp_path / "terminal.txt").open("w+", encoding="utf-8") as file:
        show(report.document(), plain_console(file, width=100))
        file.seek(0)
        terminal = file.read()
    for text in (terminal, report.to_markdown(), render(report)):
        assert "unstable" in text
        assert "question 0?" in text
        assert "the judge&#x27;s own spread" in text or "the judge's own spread" in text
    assert "REPEATS  each measured 3 times" in terminal
    write(report, tmp_path / "r.json")
    document = json.loads((tmp_path / "r.json").read_text())
    assert document["repeats"]["Hallucination"]["unstable"] == [report.cases[0].id]
    assert document["summary"]["Hallucination"]["groups"] == 12


def test_constant_judge_has_no_spread_or_advice() -> None:
    report = evaluate("demo", "faithfulness", repeats=2, limit=10)
    (found,) = report_view(report).repeats
    assert found.spread == "the judge gave the same score every time"
    assert found.advice is None
    assert found.wavering == ()


def test_the_advice_compares_cases_and_repeats(report: Report) -> None:
    (found,) = report_view(report).repeats
    assert found.advice is not None
    assert found.advice.startswith("twice the cases would narrow the interval by 29 %, twice the repeats by ")
