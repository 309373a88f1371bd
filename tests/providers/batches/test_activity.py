import asyncio

import pytest

from ragstone.providers.batches.activity import ActivityCounter, current_owner, idle


def test_new_activity_counter_is_idle() -> None:
    asyncio.run(asyncio.wait_for(ActivityCounter().wait_idle(), 5))


def test_worker_is_idle_while_awaiting_but_not_computing() -> None:
    async def main() -> None:
        activity, answer, order = ActivityCounter(), asyncio.get_running_loop().create_future(), []

        async def measure() -> None:
            with activity.active():
                await asyncio.sleep(0.2)  # an embedding: longer than any quiet time that could be waited for
                order.append("asked")
                with idle():
                    await answer
                order.append("answered")

        task = asyncio.create_task(measure())
        await asyncio.sleep(0)
        await activity.wait_idle()
        assert order == ["asked"]
        answer.set_result(None)
        await task
        await activity.wait_idle()
        assert order == ["asked", "answered"]

    asyncio.run(main())


def test_worker_is_active_after_its_last_idle_block() -> None:
    async def main() -> None:
        activity = ActivityCounter()

        async def ask(seconds: float) -> None:
            with idle():
                await asyncio.sleep(seconds)

        with activity.active():
            await asyncio.gather(ask(0.01), ask(0.02))
            assert activity._active == 1
        assert activity._active == 0

    asyncio.run(main())


def test_current_owner_is_set_for_each_task() -> None:
    async def main() -> None:
        activity = ActivityCounter()

        async def other() -> str:
            with activity.active("other"):
                return current_owner()

        with activity.active("one"):
            assert await asyncio.create_task(other()) == "other"
            assert current_owner() == "one"
        assert current_owner() == ""

    asyncio.run(main())


def test_idle_without_a_counter_has_no_owner() -> None:
    with idle():
        assert current_owner() == ""


def test_exception_resets_the_active_count() -> None:
    async def main() -> None:
        activity = ActivityCounter()
        with pytest.raises(ValueError, match="no"), activity.active(), idle():
            raise ValueError("no")
        assert activity._active == 0

    asyncio.run(main())
