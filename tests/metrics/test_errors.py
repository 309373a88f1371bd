from ragstone import TestCase, evaluate
from ragstone.metrics import Errors, ExactMatch


def test_failure_of_the_application_scores_one() -> None:
    failed = TestCase(input="q", metadata={"application_error": "no answer within 20 s"})
    traced = TestCase(input="q", actual_output="a", metadata={"error": "rate limited"})
    fine = TestCase(input="q", actual_output="a")
    found = [Errors().measure(case) for case in (failed, traced, fine)]
    assert [(result.score, result.status) for result in found] == [
        (1.0, "missed"),
        (1.0, "missed"),
        (0.0, "passed"),
    ]
    assert found[0].reason == "The application failed: no answer within 20 s"


def test_error_rate_of_a_run_counts_what_other_metrics_leave_out() -> None:
    def app(question: str) -> str:
        if question in {"2", "5"}:
            raise RuntimeError("down")
        return question

    rows = [{"input": str(number), "expected_output": str(number)} for number in range(8)]
    report = evaluate(rows, [Errors(), ExactMatch()], app=app)
    assert report.summary()["Errors"].mean == 0.25
    assert report.summary()["ExactMatch"].mean == 1.0
    assert report.summary()["ExactMatch"].not_measured == 2
