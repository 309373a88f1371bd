import json
from io import StringIO

import pytest
from benchmarks.causes.perfect_judge import PerfectJudge
from benchmarks.causes.world import toy_cases

import ragstone
from ragstone import Report, TestCase, compare, evaluate
from ragstone.findings.flips import ExplainedComparison, explain_flips
from ragstone.show.render.console import plain_console, show

SOUND = [case for case in toy_cases(6) if case.tags == ("sound",)]


def system(*lost: int) -> Report:
    """Return the run of a system that retrieves nothing of the handbook for some questions."""
    cases: list[TestCase] = []
    for number, case in enumerate(SOUND):
        named = {
            "id": f"q{number}",
            "metadata": {"document": "bridges.txt"},
            "retrieved_ids": ("bridges.txt#1",),
        }
        wrong = {
            "retrieval_context": ("The Nairn Bridge is 300 metres long.",),
            "retrieved_ids": ("nairn.txt#4",),
            "actual_output": "I do not know.",
        }
        cases.append(case.model_copy(update={**named, **(wrong if number in lost else {})}))
    return evaluate(cases, preset="diagnosis", judge=PerfectJudge())


@pytest.fixture(scope="module")
def found() -> ExplainedComparison:
    return explain_flips(compare(system(5), system(0, 1, 2, 3)))


def test_flips_are_grouped_by_cause_and_document(found: ExplainedComparison) -> None:
    assert found.verdict == "4 of 4 broke: missed in bridges.txt; in 4 of them it is no longer retrieved."
    assert [(group.cause, group.broke, group.count) for group in found.groups] == [
        ("missed", True, 4),
        ("missed", False, 1),
    ]
    assert [flip.case.id for flip in found.flipped] == ["q0", "q1", "q2", "q3", "q5"]


def test_flip_has_causes_and_changed_documents(found: ExplainedComparison) -> None:
    first, last = found.flipped[0], found.flipped[-1]
    assert (first.before, first.after, first.left, first.entered) == (
        "passed",
        "missed",
        ("bridges.txt",),
        ("nairn.txt",),
    )
    assert (last.before, last.after, last.broke) == ("missed", "passed", False)
    assert "was opened in" in first.evidence


def test_regressions_are_a_dataset_of_critical_cases(found: ExplainedComparison) -> None:
    cases = found.regressions()
    assert [case.id for case in cases] == ["q0", "q1", "q2", "q3"]
    assert all(case.tags == ("sound", "critical") for case in cases)


def test_flips_have_the_same_verdict_in_every_rendering(found: ExplainedComparison) -> None:
    document = json.loads(found.to_json())
    assert document["why"]["verdict"] == found.verdict
    assert len(document["why"]["flipped"]) == 5
    assert document["verdict"] == found.comparison.verdict
    assert found.verdict in found.to_markdown().replace("\\", "")
    file = StringIO()
    show(found.document(2), plain_console(file, width=120))
    assert found.verdict in file.getvalue()
    assert "and 3 others" in file.getvalue()


def test_equal_runs_have_no_flips() -> None:
    same = explain_flips(compare(system(1), system(1)))
    assert (same.flipped, same.verdict) == ((), "No test case broke.")
    assert "No test case flipped." in same.to_markdown()
    file = StringIO()
    show(same.document(None), plain_console(file))
    assert "No test case flipped." in file.getvalue()
    assert ragstone.explain_flips is explain_flips
