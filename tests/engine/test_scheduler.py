import asyncio
from contextlib import suppress
from typing import Any

import pytest

from ragstone.engine.scheduler import PromptScheduler
from ragstone.errors import AccessRefused, ProviderError
from ragstone.event import Event, JudgeCalled
from ragstone.judges import Reply
from ragstone.judges.limits import RateBounds
from ragstone.prompts import Claims, DeriveSteps, ExtractClaims, Prompt, Steps
from ragstone.result import Usage

pytestmark = pytest.mark.anyio


class SlowJudge:
    """Takes a turn of the loop to answer; counts calls and how many were in flight."""

    name = "slow"

    def __init__(self, failures: list[Exception] | None = None) -> None:
        self.calls = self.flying = self.peak = 0
        self.failures = failures or []

    async def ask(self, prompt: Prompt[Any]) -> Reply[Any]:
        self.calls += 1
        self.flying += 1
        self.peak = max(self.peak, self.flying)
        await asyncio.sleep(0.01)
        self.flying -= 1
        if self.failures:
            raise self.failures.pop(0)
        if isinstance(prompt, DeriveSteps):
            return Reply(Steps(steps=("s",)), Usage(calls=1))
        return Reply(Claims(claims=("c",)), Usage(calls=1), cost=0.5)


def claims(number: int) -> ExtractClaims:
    return ExtractClaims(text=f"text {number}")


async def test_equal_prompts_are_asked_once_in_flight_and_after() -> None:
    judge = SlowJudge()
    scheduler = PromptScheduler(judge)
    given = await asyncio.gather(*(scheduler.ask(claims(1)) for _ in range(5)))
    assert (await scheduler.ask(claims(1))).shared
    assert judge.calls == 1
    assert [item.shared for item in given] == [False, True, True, True, True]


async def test_calls_in_flight_are_bounded() -> None:
    judge = SlowJudge()
    scheduler = PromptScheduler(judge, bounds=RateBounds(concurrency=3))
    await asyncio.gather(*(scheduler.ask(claims(number)) for number in range(20)))
    assert judge.peak == 3
    assert judge.calls == 20


async def test_a_failure_is_shared_by_those_who_wait_and_then_forgotten() -> None:
    judge = SlowJudge([ProviderError("down")])
    scheduler = PromptScheduler(judge)
    outcomes = await asyncio.gather(*(scheduler.ask(claims(1)) for _ in range(3)), return_exceptions=True)
    assert all(isinstance(outcome, ProviderError) for outcome in outcomes)
    assert (await scheduler.ask(claims(1))).reply.answer == Claims(claims=("c",))
    assert judge.calls == 2


async def test_no_call_is_made_after_access_refused() -> None:
    judge = SlowJudge([AccessRefused("wrong key", status=401)])
    scheduler = PromptScheduler(judge, bounds=RateBounds(concurrency=1))
    outcomes = await asyncio.gather(
        *(scheduler.ask(claims(number)) for number in range(50)), return_exceptions=True
    )
    assert all(isinstance(outcome, AccessRefused) for outcome in outcomes)
    assert judge.calls == 1


async def test_cancelled_asker_does_not_cancel_a_shared_call() -> None:
    judge = SlowJudge()
    scheduler = PromptScheduler(judge)
    first = asyncio.create_task(scheduler.ask(claims(1)))
    await asyncio.sleep(0)
    second = asyncio.create_task(scheduler.ask(claims(1)))
    await asyncio.sleep(0)
    first.cancel()
    assert (await second).reply.answer == Claims(claims=("c",))
    assert judge.calls == 1


async def test_old_answers_are_forgotten_but_not_those_a_run_shares(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ragstone.engine.scheduler._MAX_CACHED", 3)
    judge = SlowJudge()
    scheduler = PromptScheduler(judge)
    steps = DeriveSteps(criteria="c", parameters=("input",))
    await scheduler.ask(steps)
    for number in range(10):
        await scheduler.ask(claims(number))
    assert len(scheduler._recent) == 3
    assert (await scheduler.ask(steps)).shared
    assert not (await scheduler.ask(claims(0))).shared


async def test_every_call_emits_judge_called() -> None:
    heard: list[Event] = []
    scheduler = PromptScheduler(SlowJudge([ProviderError("down")]), emit=heard.append)
    with pytest.raises(ProviderError):
        await scheduler.ask(claims(1))
    await scheduler.ask(claims(1))
    failed, answered = heard
    assert isinstance(failed, JudgeCalled)
    assert isinstance(answered, JudgeCalled)
    assert (failed.prompt, failed.error) == ("ExtractClaims", "ProviderError: down")
    assert (answered.error, answered.usage, answered.cost) == (None, Usage(calls=1), 0.5)


async def test_close_cancels_abandoned_calls() -> None:
    scheduler = PromptScheduler(SlowJudge())
    task = asyncio.create_task(scheduler.ask(claims(1)))
    await asyncio.sleep(0)
    task.cancel()
    await scheduler.close()
    assert all(
        in_flight.task is not None and in_flight.task.done() for in_flight in scheduler._recent.values()
    )


async def test_a_judge_of_the_users_own_may_return_the_bare_answer() -> None:
    class Bare:
        name = "bare"

        async def ask(self, prompt: Prompt[Any]) -> Claims:
            del prompt
            return Claims(claims=("c",))

    given = await PromptScheduler(Bare()).ask(claims(1))  # type: ignore[arg-type]
    assert given.reply.answer == Claims(claims=("c",))
    assert given.reply.cost is None


async def test_a_judge_that_swallows_cancellation_does_not_outlive_the_run(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("ragstone.engine.cancellation.GRACE", 0.05)

    class Stubborn:
        name = "stubborn"

        async def ask(self, prompt: Prompt[Any]) -> Claims:
            del prompt
            while True:
                with suppress(asyncio.CancelledError):
                    await asyncio.sleep(3600)

    scheduler = PromptScheduler(Stubborn())
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(scheduler.ask(claims(1)), 0.05)
    await asyncio.wait_for(scheduler.close(), 5)
    assert all(prompt.task is not None and prompt.task.done() for prompt in scheduler._recent.values())
