"""A server of few slots queues what it cannot work on: calls in flight are adapted to it, and nothing is lost."""

from benchmarks.real_model.queueing import AsksOnce, queueing_server
from tests.testing.for_each import for_each

from ragstone import TestCase, evaluate
from ragstone.judges import LLMJudge
from ragstone.providers import OpenAI

SECONDS_A_CALL, TIMEOUT = 0.3, 1.8
"""Long beside what a busy machine adds to a call: opening 64 connections takes it half a second and more."""


@for_each("concurrency, count", [(16, 32), (64, 64)])
def test_server_with_two_slots_answers_many_concurrent_calls(concurrency: int, count: int) -> None:
    cases = [TestCase(input="q", actual_output=f"text {number}") for number in range(count)]
    with queueing_server(2, SECONDS_A_CALL) as base_url:
        judge = LLMJudge(provider=OpenAI(base_url=base_url, api_key="sk-loopback"))
        report = evaluate(cases, [AsksOnce()], judge=judge, concurrency=concurrency, timeout=TIMEOUT)
    failed = [result.error for _, result in report.flat() if result.error]
    assert len(failed) <= 2, failed[:3]


def test_server_that_never_answers_ends_in_timed_out_results() -> None:
    cases = [TestCase(input="q", actual_output=f"text {number}") for number in range(4)]
    with queueing_server(0) as base_url:
        judge = LLMJudge(provider=OpenAI(base_url=base_url, api_key="sk-loopback"))
        report = evaluate(cases, [AsksOnce()], judge=judge, concurrency=4, timeout=TIMEOUT)
    assert {result.error_type for _, result in report.flat()} == {"TimedOut"}
