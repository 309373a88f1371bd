"""Whether the answer of an arm passed, from the results of its metrics."""

from collections import Counter

from tests.testing.for_each import for_each

from ragstone.oracle.experiment import _passed
from ragstone.result import Result

RESULTS = {
    "passed": Result(metric="F1", score=1.0, success=True),
    "missed": Result(metric="F1", score=0.0),
    "undecided": Result(metric="F1", score=0.5, low=0.0, high=1.0),
    "not_measured": Result(metric="F1", error="TimedOut: late", error_type="TimedOut"),
    "skipped": Result(metric="F1", skipped=True),
}


@for_each(
    "statuses, passed",
    [
        (("passed", "skipped"), True),
        (("passed", "missed"), False),
        (("missed", "undecided"), False),
        (("passed", "undecided"), None),
        (("missed", "not_measured"), None),
        (("skipped",), None),
    ],
)
def test_undecided_arm_has_neither_passed_nor_missed(statuses: tuple[str, ...], passed: object) -> None:
    problems: Counter[str] = Counter()
    assert _passed([RESULTS[status] for status in statuses], problems) is passed
    assert sum(problems.values()) == statuses.count("not_measured")
