"""A server of few slots queues what it cannot work on: calls in flight are adapted to it, and nothing is lost."""

import asyncio
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from aiohttp import web

from ragstone import TestCase, evaluate
from ragstone.judges import LLMJudge
from ragstone.metrics import Metric
from ragstone.prompts import ExtractClaims
from ragstone.providers import OpenAI

SECONDS_A_CALL, TIMEOUT = 0.05, 0.3
REPLY = {
    "choices": [{"message": {"content": json.dumps({"claims": ["c"]})}, "finish_reason": "stop"}],
    "usage": {"prompt_tokens": 10, "completion_tokens": 2},
}


class AsksOnce(Metric):
    """One call a case."""

    needs = ("actual_output",)

    async def assess(self, case: TestCase, ctx: Any) -> float:
        await ctx.ask(ExtractClaims(text=case.text("actual_output")))
        return 1.0


@contextmanager
def queueing_server(slots: int) -> Iterator[str]:
    """Serve chat completions, so many at a time; the others wait."""
    loop, address, ready = asyncio.new_event_loop(), list[str](), threading.Event()

    async def serve() -> web.AppRunner:
        free = asyncio.Semaphore(slots)

        async def complete(request: web.Request) -> web.Response:
            await request.read()
            async with free:
                await asyncio.sleep(SECONDS_A_CALL)
            return web.json_response(REPLY)

        app = web.Application()
        app.router.add_post("/v1/chat/completions", complete)
        runner = web.AppRunner(app, handler_cancellation=True)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        address.append(f"http://127.0.0.1:{runner.addresses[0][1]}/v1")
        ready.set()
        return runner

    def run() -> None:
        runner = loop.run_until_complete(serve())
        loop.run_forever()
        loop.run_until_complete(runner.cleanup())
        loop.close()

    thread = threading.Thread(target=run)
    thread.start()
    ready.wait()
    try:
        yield address[0]
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()


@pytest.mark.parametrize("concurrency", [16, 64])
def test_two_slots_and_many_calls_in_flight_lose_nothing(concurrency: int) -> None:
    cases = [TestCase(input="q", actual_output=f"text {number}") for number in range(100)]
    with queueing_server(slots=2) as base_url:
        judge = LLMJudge(provider=OpenAI(base_url=base_url, api_key="sk-loopback"))
        report = evaluate(cases, [AsksOnce()], judge=judge, concurrency=concurrency, timeout=TIMEOUT)
    failed = [result.error for _, result in report.flat() if result.error]
    assert len(failed) <= 2, failed[:3]


def test_a_server_that_answers_nobody_is_not_asked_again_and_again() -> None:
    cases = [TestCase(input="q", actual_output=f"text {number}") for number in range(4)]
    with queueing_server(slots=0) as base_url:
        judge = LLMJudge(provider=OpenAI(base_url=base_url, api_key="sk-loopback"))
        report = evaluate(cases, [AsksOnce()], judge=judge, concurrency=4, timeout=TIMEOUT)
    assert {result.error_type for _, result in report.flat()} == {"TimedOut"}
