"""A judge or a metric that swallows its cancellation: the run reports a time-out, measures the rest, and ends."""

import asyncio
import time
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import pytest

from ragstone import TestCase, evaluate
from ragstone.engine import cancellation
from ragstone.metrics import Metric
from ragstone.prompts import Prompt

CASES = [TestCase(input=f"q{number}", actual_output="a") for number in range(3)]
# Python says on standard error that it discards a coroutine which swallows that it is closed.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")

POLITE, STUBBORN = [asyncio.CancelledError], [BaseException]
swallowed: Sequence[type[BaseException]] = POLITE


async def swallow() -> None:
    """Swallow what is to end the coroutine, for a minute; without that bound a failing test would never end."""
    until = time.monotonic() + 60
    while time.monotonic() < until:
        with suppress(*swallowed):
            await asyncio.sleep(0.01)


class SwallowingMetric(Metric):
    """Never ends for the first case."""

    needs = ("input",)

    async def assess(self, case: TestCase, ctx: object) -> float:
        """Return 1."""
        del ctx
        if case.input == "q0":
            await swallow()
        return 1.0


class SwallowingJudge:
    """Never answers."""

    name = "swallowing"

    async def ask(self, prompt: Prompt[Any]) -> None:
        """Swallow."""
        del prompt
        await swallow()


@pytest.fixture(autouse=True, params=[POLITE, STUBBORN], ids=["CancelledError", "BaseException"])
def _swallowed(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cancellation, "GRACE", 0.05)
    monkeypatch.setitem(globals(), "swallowed", request.param)


def test_a_metric_that_swallows_its_cancellation_times_out_and_the_others_go_on() -> None:
    report = evaluate(CASES, [SwallowingMetric()], judge="local", measurement_timeout=0.2)
    first, *others = (result for _, result in report.flat())
    assert first.error_type == "TimedOut"
    assert [result.score for result in others] == [1.0, 1.0]


def test_a_judge_that_swallows_its_cancellation_does_not_keep_the_run_from_ending() -> None:
    report = evaluate(CASES, ["answer_relevancy"], judge=SwallowingJudge(), measurement_timeout=0.2)
    assert [result.error_type for _, result in report.flat()] == ["TimedOut"] * 3


@pytest.mark.anyio
async def test_cancelling_a_waiter_of_outcome_does_not_cancel_the_task() -> None:
    release = asyncio.Event()

    async def work() -> str:
        await release.wait()
        return "done"

    async def wait() -> str:
        return await cancellation.outcome_of(task)

    task = asyncio.create_task(work())
    waiters = [asyncio.create_task(wait()) for _ in range(3)]
    await asyncio.sleep(0)
    waiters[0].cancel()
    release.set()
    first, *others = await asyncio.gather(*waiters, return_exceptions=True)
    assert isinstance(first, asyncio.CancelledError)
    assert others == ["done", "done"]
    assert await cancellation.outcome_of(task) == "done"


@pytest.mark.anyio
async def test_outcome_passes_on_exceptions_and_cancellation_of_the_task() -> None:
    async def fail() -> None:
        raise ValueError("no")

    task = asyncio.create_task(fail())
    dropped = cancellation.outcome_of(task)
    dropped.cancel()
    with pytest.raises(ValueError, match="no"):
        await cancellation.outcome_of(task)
    ended = asyncio.create_task(asyncio.sleep(60))
    outcome = cancellation.outcome_of(ended)
    ended.cancel()
    with pytest.raises(asyncio.CancelledError):
        await outcome
    assert ended.cancelled()
