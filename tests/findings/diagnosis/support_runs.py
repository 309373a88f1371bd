"""Runs over questions to a shop's support, in which it is known why a test case fails."""

import random
from collections.abc import Callable

from benchmarks.causes.support_questions import TOPICS, support_case

from ragstone import Report, TestCase, evaluate


def run_of(cases: int, fails: Callable[[str, random.Random], bool]) -> Report:
    """A run in which a test case passes if its answer is what was expected, and fails if it is not."""
    rng = random.Random(1)
    found: list[TestCase] = []
    for _ in range(cases):
        topic = rng.choice(list(TOPICS))
        case = support_case(topic, rng)
        expected = "something else" if fails(topic, rng) else case.actual_output
        found.append(case.model_copy(update={"expected_output": expected}))
    return evaluate(found, "exact_match", progress=False)


def warranty_run() -> Report:
    """A run that fails mostly on the warranty: in seven of ten test cases, on other topics in one of twelve."""
    return run_of(160, lambda topic, rng: rng.random() < (0.7 if topic == "warranty" else 0.08))
