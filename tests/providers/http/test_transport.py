import asyncio
import subprocess
import sys
import threading

import pytest
from tests.providers.asking import QUICK, provider_of, request, run
from tests.servers import faults
from tests.servers._server import JudgeServer
from tests.servers.openai import OpenAIServer

from ragstone.providers import Overload, Provider, Retry, open_transport
from ragstone.providers.http.transport import Transport, borrow_transport, current_transport


async def ask_many(provider: Provider, count: int) -> None:
    async with asyncio.TaskGroup() as group:
        for _ in range(count):
            group.create_task(provider.complete(request()))


def test_one_after_another_uses_one_connection(server: JudgeServer) -> None:
    provider = provider_of(server)

    async def main() -> None:
        async with open_transport():
            for _ in range(20):
                await provider.complete(request())

    run(main())
    assert (len(server.requests), server.connections) == (20, 1)


def test_later_concurrent_calls_reuse_the_first_connections(server: JudgeServer) -> None:
    server.together = 16
    provider = provider_of(server)

    async def main() -> None:
        async with open_transport():
            for _ in range(3):
                await ask_many(provider, 16)

    run(main())
    assert server.peak_in_flight == 16
    assert server.connections <= 17, (
        "one for the first call, which goes alone, and one for each of the others"
    )


def test_two_providers_of_a_run_share_the_session(openai_server: OpenAIServer) -> None:
    openai_server.script.say(verdicts=["yes", "no"])

    async def main() -> None:
        async with open_transport():
            await provider_of(openai_server, model="a").complete(request())
            await provider_of(openai_server, model="b").complete(request())

    run(main())
    assert openai_server.connections == 1


def test_without_a_transport_one_is_opened_for_the_call(server: JudgeServer) -> None:
    async def main() -> None:
        assert current_transport() is None
        await provider_of(server).complete(request())
        assert current_transport() is None

    run(main())
    assert len(server.requests) == 1


def test_one_provider_serves_several_event_loops_at_once(openai_server: OpenAIServer) -> None:
    openai_server.script.say(verdicts=["yes", "no"])
    openai_server.latency = 0.05
    provider = provider_of(openai_server)
    failures: list[BaseException] = []

    async def main() -> None:
        async with open_transport():
            await ask_many(provider, 8)

    def live() -> None:
        try:
            asyncio.run(main())
        except BaseException as error:  # noqa: BLE001  (handed to the test's own thread)
            failures.append(error)

    threads = [threading.Thread(target=live) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures
    assert len(openai_server.requests) == 24


def test_transport_of_another_loop_is_not_used(openai_server: OpenAIServer) -> None:
    """As when a notebook's loop has one open and the blocking call runs in a thread that inherits its context."""
    openai_server.script.say(verdicts=["yes", "no"])
    provider = provider_of(openai_server)

    async def main() -> None:
        async with open_transport() as outer:
            await asyncio.to_thread(asyncio.run, provider.complete(request()))
            assert current_transport() is outer
            await provider.complete(request())

    run(main())
    assert openai_server.connections == 2


def test_transports_nest() -> None:
    async def main() -> None:
        async with open_transport() as outer:
            async with open_transport(timeout=1.0) as inner, borrow_transport() as found:
                assert found is inner
            assert current_transport() is outer
        assert current_transport() is None

    run(main())


def test_overload_hook_is_called_for_every_overload(server: JudgeServer) -> None:
    heard: list[Overload] = []
    server.faults.add(faults.rate_limited(0.05), nth=(1, 2))
    server.faults.add(faults.status(500), nth=3)

    async def main() -> None:
        async with open_transport(retry=QUICK, on_overload=heard.append):
            await provider_of(server, model="judge-1").complete(request())

    run(main())
    assert [(one.provider, one.model, one.status, one.retry_after) for one in heard] == [
        (server.vendor, "judge-1", 429, 0.05)
    ] * 2
    assert all(one.pause >= 0.05 for one in heard)


def test_cancelled_calls_leave_the_run_usable(server: JudgeServer) -> None:
    server.faults.add(faults.stall(), nth=range(1, 9))
    provider = provider_of(server)

    async def main() -> None:
        async with open_transport():
            calls = [asyncio.create_task(provider.complete(request())) for _ in range(8)]
            while len(server.requests) < 8:  # noqa: ASYNC110  (another thread's list, no event reaches here)
                await asyncio.sleep(0.01)
            for call in calls:
                call.cancel()
            ended = await asyncio.gather(*calls, return_exceptions=True)
            assert all(isinstance(one, asyncio.CancelledError) for one in ended)
            await provider.complete(request())

    run(main())


def test_a_pause_can_be_cancelled(server: JudgeServer) -> None:
    server.faults.add(faults.rate_limited(30))

    async def main() -> None:
        async with open_transport():
            call = asyncio.create_task(provider_of(server).complete(request()))
            while not server.traffic.statuses:  # noqa: ASYNC110  (another thread's list, no event reaches here)
                await asyncio.sleep(0.01)
            await asyncio.sleep(0.1)
            call.cancel()
            await call

    with pytest.raises(asyncio.CancelledError):
        run(main())
    assert len(server.requests) == 1


LEAVING = """
import asyncio
from ragstone.providers import OpenAI, Request, open_transport

async def main():
    async with open_transport():
        provider = OpenAI(base_url="{url}", api_key="sk-loopback")
        call = asyncio.create_task(provider.complete(Request("s", "u", {{}})))
        await asyncio.sleep(0.2)
        call.cancel()

asyncio.run(main())
"""


def test_nothing_is_left_open_even_when_leaving_amid_a_call(openai_server: OpenAIServer) -> None:
    openai_server.faults.add(faults.stall())
    script = LEAVING.format(url=openai_server.base_url)
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", script], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_transport_without_calls_does_not_import_aiohttp() -> None:
    script = (
        "import asyncio, sys\n"
        "from ragstone.providers import OpenAI, open_transport\n"
        "async def main():\n"
        "    async with open_transport(): OpenAI(api_key='k')\n"
        "asyncio.run(main())\n"
        "assert 'aiohttp' not in sys.modules and 'numpy' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True)


def test_a_task_that_outlives_the_run_opens_its_own(openai_server: OpenAIServer) -> None:
    openai_server.script.say(verdicts=["yes", "no"])

    async def late(started: asyncio.Event) -> None:
        await started.wait()
        await provider_of(openai_server).complete(request())

    async def main() -> None:
        started = asyncio.Event()
        async with open_transport():
            await provider_of(openai_server).complete(request())
            task = asyncio.create_task(late(started))
        started.set()
        await task

    run(main())
    assert openai_server.connections == 2


def test_a_transport_is_closed_twice_without_harm() -> None:
    async def main() -> None:
        transport = Transport(retry=Retry())
        await transport.aclose()
        await transport.aclose()

    run(main())
