import asyncio

import pytest

from ragstone.providers.batches.activity import ActivityCounter, current_owner, idle


def test_nobody_is_at_work_before_anybody_came() -> None:
    asyncio.run(asyncio.wait_for(ActivityCounter().wait_idle(), 5))


def test_who_waits_for_an_answer_is_away_and_who_computes_is_not() -> None:
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


def test_who_waits_for_several_is_back_with_the_last() -> None:
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


def test_a_worker_has_a_name_and_those_it_starts_have_their_own() -> None:
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


def test_without_a_roll_nobody_is_counted() -> None:
    with idle():
        assert current_owner() == ""


def test_an_error_leaves_nobody_behind() -> None:
    async def main() -> None:
        activity = ActivityCounter()
        with pytest.raises(ValueError, match="no"), activity.active(), idle():
            raise ValueError("no")
        assert activity._active == 0

    asyncio.run(main())
