from ragstone import evaluate
from ragstone.findings.view.refusals import refusal_notes
from ragstone.findings.view.report_view import report_view
from ragstone.judges import ScriptedJudge
from ragstone.prompts import JudgeAbstention
from ragstone.result import Result


def row(question: str, answer: str, *, has_answer: bool) -> dict[str, object]:
    reference = {"expected_output": "Paris"} if has_answer else {}
    return {"input": question, "actual_output": answer, **reference, "metadata": {"answerable": has_answer}}


def judge() -> ScriptedJudge:
    said = {True: {"reason": "so", "verdict": "yes"}, False: {"reason": "so", "verdict": "no"}}
    return ScriptedJudge().respond("I do not know", said[True]).respond(JudgeAbstention, said[False])


def result(spec: str, score: float | None) -> Result:
    low, high = (0.0, 1.0) if score is None else (None, None)
    return Result(
        metric=spec, spec=spec, score=score, threshold=0.5, success=score is not None, low=low, high=high
    )


def test_refusal_note_matches_a_worked_example() -> None:
    """Of 6: 4 answered (2 right, 1 wrong, 1 without an answer), 2 declined (1 with an answer, 1 without)."""
    rows = [
        row("a", "Paris", has_answer=True),
        row("b", "Paris", has_answer=True),
        row("c", "Rome", has_answer=True),
        row("d", "I do not know", has_answer=True),
        row("e", "Oslo", has_answer=False),
        row("f", "I do not know", has_answer=False),
    ]
    report = evaluate(rows, ["abstention", "exact_match"], judge=judge(), on_missing="skip")
    (note,) = refusal_notes(report.results)
    assert note.startswith("Refusals, of 6 cases: answered (coverage) 67 % (")
    assert "wrong among the answered (risk) 50 % (" in note
    assert "declined what has no answer (carefulness) 50 % (" in note
    assert "declined what has one (over-refusal) 25 % (" in note
    assert "did the right thing (alignment) 50 % (" in note
    assert note in report_view(report).notes
    assert "over-refusal" in report.to_markdown()


def test_risk_is_a_lower_bound_without_correctness_metric() -> None:
    rows = [row("a", "Rome", has_answer=True), row("b", "Rome", has_answer=False)]
    report = evaluate(rows, "abstention", judge=judge())
    (note,) = refusal_notes(report.results)
    assert "(risk) 50 % (9 to 91 %), at least" in note


def test_risk_of_at_least_zero_is_left_out() -> None:
    report = evaluate([row("a", "Rome", has_answer=True)], "abstention", judge=judge())
    (note,) = refusal_notes(report.results)
    assert "risk" not in note


def test_an_undecided_metric_of_correctness_leaves_open_what_is_right() -> None:
    """Another metric by the same class, such as a figure of RAGChecker, does not stand in for it."""
    report = evaluate(
        [row("a", "Rome", has_answer=True), row("b", "Oslo", has_answer=False)], "abstention", judge=judge()
    )
    kinds = [("rag_checker", None), ("rag_checker(figure='claim_recall')", 1.0)]
    found = [[*results, *(result(spec, score) for spec, score in kinds)] for results in report.results]
    (note,) = refusal_notes(found)
    assert "(risk) 50 % (9 to 91 %), at least" in note


def test_no_refusal_note_without_abstention_metric() -> None:
    report = evaluate([row("a", "Rome", has_answer=True)], "exact_match")
    assert not list(refusal_notes(report.results))


def test_undecided_answer_is_neither_right_nor_wrong() -> None:
    rows = [
        row(name, answer, has_answer=True) for name, answer in (("a", "Paris"), ("b", "Rome"), ("c", "Oslo"))
    ]
    report = evaluate(rows, ["abstention", "exact_match"], judge=judge())
    results = [list(row) for row in report.results]
    results[1][1] = results[1][1].model_copy(update={"low": 0.0, "high": 1.0})
    (note,) = refusal_notes(results)
    assert "wrong among the answered (risk) 33 % (" in note
    assert "%), at least" in note
