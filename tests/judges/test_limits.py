import asyncio
import pickle
import threading

import pytest
from tests.servers.faults import rate_limited
from tests.servers.fixtures import serving
from tests.servers.openai import OpenAIServer
from tests.servers.script import Script, every
from tests.testing.for_each import for_each

from ragstone import Limits, evaluate
from ragstone.errors import BadOption
from ragstone.judges import JudgeLimits, LLMJudge
from ragstone.judges import limits as module
from ragstone.judges.base import limits_of
from ragstone.judges.limits import RateBounds
from ragstone.metrics import Faithfulness
from ragstone.providers import OpenAI

pytestmark = pytest.mark.anyio


class Clock:
    """Time as the limits see it; sleeping is done by turning the hand."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    hand = Clock()
    monkeypatch.setattr(module, "monotonic", hand)
    return hand


async def admitted(limits: JudgeLimits, count: int) -> list[asyncio.Task[None]]:
    tasks = [asyncio.create_task(limits.admit()) for _ in range(count)]
    for _ in range(3):
        await asyncio.sleep(0)
    return tasks


def passed(tasks: list[asyncio.Task[None]]) -> int:
    return sum(task.done() for task in tasks)


async def drain(tasks: list[asyncio.Task[None]]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


async def test_calls_are_admitted_in_order_up_to_the_concurrency() -> None:
    limits = JudgeLimits(concurrency=2)
    tasks = await admitted(limits, 5)
    assert [task.done() for task in tasks] == [True, True, False, False, False]
    limits.release()
    await asyncio.sleep(0)
    assert [task.done() for task in tasks] == [True, True, True, False, False]
    await drain(tasks)


async def test_strictest_registered_bound_applies() -> None:
    limits, wish = JudgeLimits(concurrency=4), RateBounds(concurrency=1)
    limits.register(wish)
    tasks = await admitted(limits, 5)
    assert passed(tasks) == 1
    limits.unregister(wish)
    await asyncio.sleep(0)
    assert passed(tasks) == 4
    await drain(tasks)


async def test_an_overload_halves_and_success_adds_one_a_round(clock: Clock) -> None:
    limits = JudgeLimits(concurrency=8)
    await admitted(limits, 8)
    limits.slow_down()
    limits.slow_down()  # another call tells of the same overload
    for _ in range(8):
        limits.release(succeeded=False)
    tasks = await admitted(limits, 10)
    assert passed(tasks) == 4
    for _ in range(4 + 5 + 6 + 7):  # a round each
        limits.release()
        limits._in_flight += 1
    limits._in_flight -= passed(tasks)
    await drain(tasks)
    clock.now += 2
    await drain(more := await admitted(limits, 10))
    assert passed([task for task in more if not task.cancelled()]) in (7, 8)


async def test_a_pause_the_server_asks_for_is_kept_by_all(clock: Clock) -> None:
    limits = JudgeLimits(concurrency=8)
    limits.slow_down(5.0)
    tasks = await admitted(limits, 2)
    assert passed(tasks) == 0
    clock.now += 5.1
    limits._on_timer()
    await asyncio.sleep(0)
    assert passed(tasks) >= 1
    await drain(tasks)


async def test_calls_a_minute_are_spread(clock: Clock) -> None:
    limits = JudgeLimits(rpm=60)
    tasks = await admitted(limits, 4)
    assert passed(tasks) == 1
    for expected in (2, 3, 4):
        clock.now += 1.05
        limits._on_timer()
        await asyncio.sleep(0)
        assert passed(tasks) == expected
    limits.release(calls=3)  # it was asked again twice: that counts
    clock.now += 1.05
    (late,) = await admitted(limits, 1)
    assert not late.done()
    await drain([*tasks, late])


async def test_tokens_a_minute_are_settled_when_they_are_known(clock: Clock) -> None:
    limits = JudgeLimits(tpm=60_000)
    assert limits.counts_tokens
    await limits.admit(1000)
    limits.release(reserved=1000, tokens=5000)
    tasks = await admitted(limits, 1)
    assert passed(tasks) == 0
    clock.now += 4
    limits._on_timer()
    await asyncio.sleep(0)
    assert passed(tasks) == 1
    await drain(tasks)


async def test_timer_admits_waiting_calls() -> None:
    limits = JudgeLimits(rpm=1200)
    for _ in range(26):  # two hundredths at once, the rest flows in at 19.6 a second
        await asyncio.wait_for(limits.admit(), 5)
        limits.release()


async def test_cancelled_waiter_passes_its_place_to_the_next() -> None:
    limits = JudgeLimits(concurrency=1)
    first, second, third = await admitted(limits, 3)
    assert first.done()
    second.cancel()
    limits.release()
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert third.done()
    assert not third.cancelled()
    called = await admitted(limits, 1)
    limits.release()  # the turn comes, and at the same moment they give up
    called[0].cancel()
    await asyncio.gather(*called, return_exceptions=True)
    await asyncio.wait_for(limits.admit(), 1)


def test_limits_are_shared_by_event_loops_in_several_threads() -> None:
    limits, flying, peak, lock = JudgeLimits(concurrency=3), 0, 0, threading.Lock()

    async def call() -> None:
        nonlocal flying, peak
        await limits.admit()
        with lock:
            flying += 1
            peak = max(peak, flying)
        await asyncio.sleep(0.001)
        with lock:
            flying -= 1
        limits.release()

    async def many() -> None:
        await asyncio.gather(*(call() for _ in range(100)))

    threads = [threading.Thread(target=asyncio.run, args=(many(),)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
        assert not thread.is_alive()
    assert peak == limits.peak == 3


@for_each("bounds", [{"concurrency": 0}, {"rpm": 0}, {"tpm": -1}])
def test_bounds_that_let_nothing_through_are_refused(bounds: dict[str, int]) -> None:
    with pytest.raises(BadOption, match="allows no calls"):
        JudgeLimits(**bounds)


def test_limits_belong_to_the_judge() -> None:
    judge = LLMJudge(provider=OpenAI(api_key="k"), limits=JudgeLimits(rpm=100))
    assert limits_of(judge) is judge.limits
    assert limits_of(object()) is not limits_of(object())
    assert pickle.loads(pickle.dumps(judge)).limits.own == RateBounds(rpm=100)  # noqa: S301  (just made)


CASES = [
    {
        "input": f"Question {number}?",
        "actual_output": f"Answer {number}.",
        "retrieval_context": [f"Passage {number}."],
    }
    for number in range(20)
]


def script() -> Script:
    return Script(
        claims=lambda ask: [ask.user[-12:]],
        truths=lambda ask: [ask.user[-12:]],
        verdicts=every("yes"),
    )


def test_two_runs_at_once_share_the_limits_of_one_judge() -> None:
    with serving(OpenAIServer(script())) as server:
        server.together = 5
        judge = LLMJudge(provider=OpenAI(api_key="sk-loopback", base_url=server.base_url))

        def run(first: int) -> None:
            report = evaluate(CASES[first::2], [Faithfulness()], judge=judge, concurrency=5)
            assert report.exit_code == 0

        threads = [threading.Thread(target=run, args=(first,)) for first in (0, 1)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
        assert server.peak_in_flight <= 5
        assert len(server.requests) == 2 * len(CASES)
    assert judge.limits.peak == 5


def test_a_server_that_is_overrun_is_asked_less_and_nothing_is_lost() -> None:
    with serving(OpenAIServer(script(), latency=0.01)) as server:
        server.faults.add(rate_limited(0.2), nth=range(10, 16))
        judge = LLMJudge(provider=OpenAI(api_key="sk-loopback", base_url=server.base_url))
        report = evaluate(CASES, [Faithfulness()], judge=judge, concurrency=16)
    assert report.exit_code == 0
    assert judge.limits._window < 16
    assert server.traffic.statuses.count(429) == 6


def test_waiting_for_the_limits_is_not_taken_for_slowness() -> None:
    with serving(OpenAIServer(script())) as server:
        judge = LLMJudge(provider=OpenAI(api_key="sk-loopback", base_url=server.base_url))
        report = evaluate(
            CASES[:4],
            [Faithfulness()],
            judge=judge,
            limits=Limits(rpm=100),
            timeout=30,
            measurement_timeout=2.0,
        )
    assert report.exit_code == 0
    assert report.seconds > 2.0  # longer than a measurement may take
