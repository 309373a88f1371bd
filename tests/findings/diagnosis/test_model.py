import json
from datetime import UTC, datetime
from io import StringIO
from pathlib import Path

import pytest
from benchmarks.causes.perfect_judge import PerfectJudge
from benchmarks.causes.world import SWITCHES, toy_cases
from tests.findings.sample import HOSTILE
from tests.testing.for_each import for_each

import ragstone
from ragstone import TestCase, evaluate
from ragstone.errors import BadOption, UnknownName
from ragstone.findings import Report
from ragstone.findings.diagnosis import Diagnosis, explain
from ragstone.judges import ScriptedJudge
from ragstone.result import Result
from ragstone.run import Plan, Run
from ragstone.show.render.console import plain_console, show


@pytest.fixture(scope="module")
def toy() -> Report:
    return evaluate(toy_cases(3), preset="diagnosis", judge=PerfectJudge())


def terminal(found: Diagnosis, width: int = 100) -> str:
    file = StringIO()
    show(found.document(), plain_console(file, width=width))
    return file.getvalue()


def test_each_case_has_one_cause_and_shares_add_up(toy: Report) -> None:
    found = explain(toy)
    assert len(found.cases) == len(toy) == 3 * len(SWITCHES)
    assert sum(share.count for share in found.shares) == len(found.missed) == 3 * (len(SWITCHES) - 1)
    assert sum(share.share.value or 0 for share in found.shares) + (found.passed.value or 0) == pytest.approx(
        1
    )
    assert sum(found.by_owner.values()) == len(found.missed)
    for share in found.shares:
        assert share.share.interval is not None
        assert share.share.interval.low < (share.share.value or 0) < share.share.interval.high
        assert [case.case.metadata["planted"] for case in found.of_cause(share.cause.name)] == [
            share.cause.name
        ] * 3


def test_worth_of_each_cause(toy: Report) -> None:
    """3 of 39 pass; 21 were served: 3 sound, 18 with a fault of the generator. So 1 in 7 of what is mended passes."""
    found = explain(toy)
    assert found.generator_rate == pytest.approx(3 / 21)
    worth = {share.cause.name: (share.worth, share.worth_most) for share in found.shares}
    assert worth["not_found"] == pytest.approx(((3 + 3 / 7) / 39, 6 / 39))
    assert worth["invented"] == pytest.approx((6 / 39, 6 / 39))


def test_refusals_are_counted(toy: Report) -> None:
    figures = explain(toy).abstention
    assert figures is not None
    assert figures.coverage.value == pytest.approx(36 / 39)
    assert figures.carefulness is not None
    assert figures.carefulness.value == 0
    assert figures.over_refusal is not None
    assert figures.over_refusal.value == pytest.approx(3 / 36)


def test_cluster_option_widens_diagnosis_intervals(toy: Report) -> None:
    grouped = [
        case.model_copy(update={"metadata": {**case.metadata, "topic": case.tags[0][:4]}})
        for case in toy.cases
    ]
    report = Report(run=toy.run, cases=grouped, results=toy.results)
    alone, together = (explain(report, cluster=key).passed.interval for key in (None, "topic"))
    assert alone is not None
    assert together is not None
    assert together.width > alone.width
    with pytest.raises(UnknownName, match="topik"):
        explain(report, cluster="topik")


def test_diagnosis_json_and_markdown_match_the_terminal(toy: Report, tmp_path: Path) -> None:
    found = explain(toy)
    document = json.loads(found.to_json())
    shown = terminal(found)
    for share in document["causes"]:
        assert share["name"] in shown
        assert f"### {share['name']}: {share['count']}" in found.to_markdown().replace("\\", "")
    assert document["missed"] == len(document["misses"]) == len(found.missed)
    assert document["misses"][0]["evidence"]["text"] in shown
    assert found.verdict in shown.replace("\n", " ")
    assert "That is an assumption, not a measurement." in found.to_markdown()
    toy.save(tmp_path / "toy.json")
    assert (
        explain(tmp_path / "toy.json").to_markdown().splitlines()[2:] == found.to_markdown().splitlines()[2:]
    )


def test_diagnosis_without_failures_has_no_causes() -> None:
    report = evaluate([TestCase(input="q", actual_output="a", expected_output="a")], "exact_match")
    found = explain(report)
    assert found.verdict == "No test case missed a threshold."
    assert not found.shares
    assert "No test case missed a threshold." in terminal(found)


def test_missing_metrics_are_named_in_the_notes() -> None:
    report = evaluate(
        [TestCase(input="q", actual_output="a", expected_output="b")], "answer_accuracy", judge="local"
    )
    notes = " ".join(explain(report).notes)
    assert "preset `diagnosis`" in notes
    assert "contextual_recall" in notes
    assert "embedded judge found" in notes


def test_judge_failure_has_cause_not_measured() -> None:
    case = TestCase(input="q", actual_output="a", expected_output="b", retrieval_context=["c"])
    found = explain(evaluate([case], "contextual_recall", judge=ScriptedJudge()))
    assert [share.cause.name for share in found.shares] == ["not_measured"]


def test_results_without_cases_are_refused(toy: Report, tmp_path: Path) -> None:
    toy.save(tmp_path / "toy.jsonl")
    with pytest.raises(BadOption, match="only results"):
        explain(tmp_path / "toy.jsonl")
    with pytest.raises(BadOption, match="no test case"):
        explain(Report(run=toy.run, cases=[], results=[]))


@pytest.mark.parametrize("width", [40, 120])
def test_hostile_text_is_neutralised_in_diagnosis_output(toy: Report, width: int) -> None:
    case = TestCase(input=HOSTILE, actual_output=HOSTILE, metadata={"x": HOSTILE})
    result = Result(metric=HOSTILE, spec="exact_match", score=0.0, reason=HOSTILE, case_id=case.id)
    plan = toy.run.plan.model_copy(update={"name": HOSTILE, "judge": HOSTILE})
    report = Report(run=toy.run.model_copy(update={"plan": plan}), cases=[case], results=[[result]])
    found = explain(report)
    assert not [
        character for character in terminal(found, width) if character != "\n" and ord(character) < 32
    ]
    assert "<script>" not in found.to_markdown()


def test_explain_is_exported_from_ragstone(toy: Report) -> None:
    assert ragstone.explain is explain
    assert repr(explain(toy)).startswith("<Diagnosis of 39 cases: 3 of 36 misses: ")


def _of_statuses(*results: Result) -> Report:
    cases = [TestCase(input=f"question {number}", actual_output="a") for number in range(len(results))]
    run = Run(
        id="r", plan=Plan(metrics=("faithfulness",), judge="j"), started=datetime(2026, 1, 1, tzinfo=UTC)
    )
    return Report(run=run, cases=cases, results=[[result] for result in results])


PASS = Result(metric="F", spec="faithfulness", score=1.0, success=True, threshold=0.5)
MISS = Result(metric="F", spec="faithfulness", score=0.0, threshold=0.5)
OPEN = Result(metric="F", spec="faithfulness", low=0.0, high=1.0, threshold=0.5)
ERROR = Result(metric="F", spec="faithfulness", error="TimedOut: late", threshold=0.5)


def test_undecided_cases_are_neither_misses_nor_passed() -> None:
    found = explain(_of_statuses(PASS, MISS, OPEN, OPEN, ERROR))
    assert [case.outcome for case in found.cases] == [
        "passed",
        "other",
        "undecided",
        "undecided",
        "not_measured",
    ]
    assert found.passed.value == pytest.approx(1 / 5)
    assert [case.place for case in found.missed] == [1]
    assert (found.decided, found.passed_of_decided) == (3, pytest.approx(1 / 3))
    assert found.verdict == "1 of 1 miss: other (unknown); 2 cases undecided; 1 case not measured."
    assert {share.cause.name: share.worth_most for share in found.shares} == {
        "other": pytest.approx(2 / 3),
        "not_measured": pytest.approx(2 / 3),
    }
    text = terminal(found)
    assert "20 % passed" in text
    assert "2 cases undecided" in text
    assert "Now 33 % of the decided cases pass." in text
    assert "✗ 1 of 1 miss" in text


@for_each(
    "results, verdict, mark",
    [
        ((PASS, OPEN), "No test case missed a threshold; 1 case undecided.", "?"),
        ((PASS, ERROR), "No test case missed a threshold; 1 case not measured.", "⚠"),
        ((ERROR, ERROR), "Nothing was measured.", "⚠"),
        ((PASS, PASS), "No test case missed a threshold.", "✓"),
    ],
)
def test_the_verdict_of_a_run_without_a_miss(results: tuple[Result, ...], verdict: str, mark: str) -> None:
    found = explain(_of_statuses(*results))
    assert found.verdict == verdict
    assert terminal(found).splitlines()[-1] == f"{mark} {verdict}"
    assert found.measured_nothing is (verdict == "Nothing was measured.")
