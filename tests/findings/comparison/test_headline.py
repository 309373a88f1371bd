"""What changed between two runs, in one sentence."""

from collections.abc import Sequence

from tests.findings.sample import result, run

from ragstone import Report, TestCase
from ragstone.findings.comparison import compare
from ragstone.findings.comparison.figures import change_parts, change_sentence

_METRICS = ("Faithfulness", "ContextualRecall", "Hallucination")


def _report(scores: Sequence[Sequence[float | None]]) -> Report:
    cases = [TestCase(input=f"question {number}", id=f"{number}") for number in range(len(scores))]
    results = [
        [result(case, score, metric=metric) for metric, score in zip(_METRICS, row, strict=False)]
        for case, row in zip(cases, scores, strict=True)
    ]
    return Report(run=run(name="v"), cases=cases, results=results)


def test_sentence_names_what_moved_and_that_nothing_else_did() -> None:
    before = _report([(0.9, 0.8, 0.5)] * 30)
    after = _report([(0.6, 0.8, 0.5)] * 30)
    assert change_sentence("v6", compare(before, after)) == (
        "Against v6 (30 in common): Faithfulness fell by 0.30, nothing else moved."
    )
    (moved, rest) = change_parts(compare(before, after))
    assert (moved.spec, moved.moved, rest.moved) == ("faithfulness", "worse", "")


def test_worse_stands_before_better() -> None:
    before, after = _report([(0.5, 0.9)] * 30), _report([(0.8, 0.6)] * 30)
    parts = change_parts(compare(before, after))
    assert [part.text for part in parts] == ["ContextualRecall fell by 0.30", "Faithfulness rose by 0.30"]


def test_few_cases_are_called_too_few() -> None:
    before, after = _report([(0.5, 0.5)] * 3), _report([(0.9, 0.5)] * 3)
    (part,) = change_parts(compare(before, after))
    assert part.text.startswith("3 cases are too few to show any difference")


def test_lost_scores_leave_open_what_moved() -> None:
    before = _report([(0.5, 0.5)] * 30)
    after = _report([(0.5, 0.5)] * 15 + [(None, None)] * 15)
    (part,) = change_parts(compare(before, after))
    assert part.text == "whether anything moved depends on undecided or unmeasured cases"
