import asyncio
from contextlib import suppress

import pytest

from ragstone.judges import ScriptedJudge
from ragstone.judges._desk import Asking, Desk
from ragstone.judges._inquiry import Inquiry
from ragstone.runner._watch import Watch

pytestmark = pytest.mark.anyio


async def test_time_in_a_queue_is_not_counted() -> None:
    inquiry = Inquiry(Desk(ScriptedJudge()))
    now = asyncio.get_running_loop().time()
    inquiry._waits.append((now, Asking(admitted=now + 0.2)))
    inquiry._waits.append((now, Asking(admitted=now + 0.1)))  # at the same time: not counted twice
    with suppress(TimeoutError):
        async with asyncio.timeout(None) as limit:
            watch = Watch(limit, inquiry, 0.05)
            await asyncio.sleep(30)
    assert limit.expired()
    assert asyncio.get_running_loop().time() - now >= 0.24
    watch.stop()


async def test_what_is_done_is_not_looked_at() -> None:
    async with asyncio.timeout(None) as limit:
        watch = Watch(limit, Inquiry(Desk(ScriptedJudge())), 0.01)
        watch.stop()
        await asyncio.sleep(0.03)
    assert not limit.expired()
