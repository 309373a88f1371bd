from io import StringIO

from benchmarks.causes.perfect_judge import PerfectJudge
from benchmarks.causes.world import toy_cases

from ragstone import TestCase, evaluate
from ragstone.findings.diagnosis import explain
from ragstone.findings.diagnosis.documents import case_labels
from ragstone.show.render.console import plain_console, show


def test_the_labels_of_a_test_case() -> None:
    case = TestCase(
        input="How many days can I work from home?",
        tags=["hr"],
        retrieval_context=["a", "b"],
        metadata={"document": "handbook.pdf", "release": 2.1, "language": "en", "notes": "x"},
    )
    other = TestCase(input="東京はどこですか")
    (labels, plain) = case_labels([case, other])
    assert set(labels) == {
        ("tag", "hr"),
        ("document", "handbook.pdf"),
        ("release", "2.1"),
        ("language", "en"),
        ("question word", "how many"),
        ("question", "medium"),
        ("script", "latin"),
        ("passages", "2"),
    }
    assert {("question word", "none"), ("script", "not latin"), ("question", "short")} == set(plain)


def test_failing_slice_is_shown_in_every_rendering() -> None:
    cases = [
        case.model_copy(
            update={"tags": (), "metadata": {"release": "2.0" if case.tags == ("sound",) else "2.1"}}
        )
        for case in toy_cases(24)
        if case.tags in {("sound",), ("value swapped",)}
    ]
    found = explain(evaluate(cases, preset="diagnosis", judge=PerfectJudge()))
    assert found.slices is not None
    assert found.slices.found[0].labels == (("release", "2.1"),)
    file = StringIO()
    show(found.document(), plain_console(file, width=120))
    for text in (file.getvalue(), found.to_markdown()):
        assert "release 2.1" in text
        assert "24 of 24 missed (100 %), elsewhere 0 %: +100 points" in text
    assert '"release"' in found.to_json()


def test_no_failing_slice_is_reported() -> None:
    cases = [case.model_copy(update={"tags": ("all",)}) for case in toy_cases(6)]
    found = explain(evaluate(cases, preset="diagnosis", judge=PerfectJudge()))
    assert "No slice" in found.to_markdown()
    grouped = explain(found.report, cluster="document")
    assert grouped.slices is None
    assert "not searched for when test cases are grouped" in grouped.to_markdown()
