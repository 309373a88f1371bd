from ragstone import TestCase
from ragstone.event import Event
from ragstone.metrics import AnswerRelevancy, ExactMatch
from ragstone.runner.tasks import tasks


def test_tasks_are_ordered_by_case_then_metric() -> None:
    heard: list[Event] = []
    cases = [TestCase(input="a"), TestCase(input="b")]
    found = list(tasks(cases, [ExactMatch(), AnswerRelevancy()], heard.append))
    assert [(task.case_index, task.metric_index, task.case.input) for task in found] == [
        (0, 0, "a"),
        (0, 1, "a"),
        (1, 0, "b"),
        (1, 1, "b"),
    ]
    assert heard == []
