import asyncio

import pytest

from ragstone.providers.batches._roll import Roll, away, on_behalf_of


def test_nobody_is_at_work_before_anybody_came() -> None:
    asyncio.run(asyncio.wait_for(Roll().nobody(), 5))


def test_who_waits_for_an_answer_is_away_and_who_computes_is_not() -> None:
    async def main() -> None:
        roll, answer, order = Roll(), asyncio.get_running_loop().create_future(), []

        async def measure() -> None:
            with roll.present():
                await asyncio.sleep(0.2)  # an embedding: longer than any quiet time that could be waited for
                order.append("asked")
                with away():
                    await answer
                order.append("answered")

        task = asyncio.create_task(measure())
        await asyncio.sleep(0)
        await roll.nobody()
        assert order == ["asked"]
        answer.set_result(None)
        await task
        await roll.nobody()
        assert order == ["asked", "answered"]

    asyncio.run(main())


def test_who_waits_for_several_is_back_with_the_last() -> None:
    async def main() -> None:
        roll = Roll()

        async def ask(seconds: float) -> None:
            with away():
                await asyncio.sleep(seconds)

        with roll.present():
            await asyncio.gather(ask(0.01), ask(0.02))
            assert roll._busy == 1
        assert roll._busy == 0

    asyncio.run(main())


def test_a_worker_has_a_name_and_those_it_starts_have_their_own() -> None:
    async def main() -> None:
        roll = Roll()

        async def other() -> str:
            with roll.present("other"):
                return on_behalf_of()

        with roll.present("one"):
            assert await asyncio.create_task(other()) == "other"
            assert on_behalf_of() == "one"
        assert on_behalf_of() == ""

    asyncio.run(main())


def test_without_a_roll_nobody_is_counted() -> None:
    with away():
        assert on_behalf_of() == ""


def test_an_error_leaves_nobody_behind() -> None:
    async def main() -> None:
        roll = Roll()
        with pytest.raises(ValueError, match="no"), roll.present(), away():
            raise ValueError("no")
        assert roll._busy == 0

    asyncio.run(main())
