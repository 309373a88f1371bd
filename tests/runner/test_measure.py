import asyncio
from contextlib import suppress

import pytest

from ragstone.engine.context import MetricContext
from ragstone.engine.prompt_groups import InFlightPrompt
from ragstone.engine.scheduler import PromptScheduler
from ragstone.judges import ScriptedJudge
from ragstone.runner.measure import MeasurementTimeout

pytestmark = pytest.mark.anyio


async def test_queueing_time_does_not_count_towards_the_timeout() -> None:
    ctx = MetricContext(PromptScheduler(ScriptedJudge()))
    now = asyncio.get_running_loop().time()
    ctx._wait_log.append((now, InFlightPrompt(admitted=now + 0.2)))
    ctx._wait_log.append((now, InFlightPrompt(admitted=now + 0.1)))  # at the same time: not counted twice
    with suppress(TimeoutError):
        async with asyncio.timeout(None) as limit:
            timeout = MeasurementTimeout(limit, ctx, 0.05)
            await asyncio.sleep(30)
    assert limit.expired()
    assert asyncio.get_running_loop().time() - now >= 0.24
    timeout.stop()


async def test_stopped_measurement_timeout_does_not_expire() -> None:
    async with asyncio.timeout(None) as limit:
        timeout = MeasurementTimeout(limit, MetricContext(PromptScheduler(ScriptedJudge())), 0.01)
        timeout.stop()
        await asyncio.sleep(0.03)
    assert not limit.expired()
