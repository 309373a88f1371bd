"""Questions that the tests of a session ask an application: ahead and once, measured together."""

from collections import Counter

from ragstone import TestCase
from ragstone.metrics import Length
from ragstone.testing.session_evaluator import SessionEvaluator
from ragstone.testing.session_state import CurrentTest

QUESTIONS = [TestCase(input=f"Question {number}?") for number in range(4)]
ASKED: Counter[str] = Counter()


def application(question: str) -> str:
    ASKED[question] += 1
    if "3" in question:
        raise LookupError(question)
    return f"Answer to {question}"


def test_answers_of_later_tests_are_asked_once_and_measured_with_the_first() -> None:
    ASKED.clear()
    current = CurrentTest(upcoming_cases=lambda case, _: [other for other in QUESTIONS if other != case])
    with SessionEvaluator() as evaluator:
        first, second = (evaluator.ask(application, case, lambda: QUESTIONS[1:]) for case in QUESTIONS[:2])
        upcoming = evaluator.upcoming(current.upcoming_cases, first, [Length(budget_words=9)])
        assert [case.actual_output for case in upcoming] == ["Answer to Question 1?", "Answer to Question 2?"]
        assert upcoming[0] is second
        made = [evaluator.ask(lambda question: question, case, lambda: QUESTIONS) for case in QUESTIONS[:1]]
        assert evaluator.upcoming(current.upcoming_cases, made[0], []) == []
        assert evaluator.upcoming(current.upcoming_cases, QUESTIONS[0], []) == QUESTIONS[1:]
    assert set(ASKED.values()) == {1}
    assert len(ASKED) == len(QUESTIONS)
