"""A server of two slots that takes 1 s a call and queues the rest, with a time-out of 6 s: at least 98 % measured."""

import argparse
import asyncio
import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from aiohttp import web

from benchmarks.real_model.figures import measured, print_errors
from ragstone import TestCase, evaluate
from ragstone.engine.context import MetricContext
from ragstone.judges import LLMJudge
from ragstone.metrics import Metric
from ragstone.prompts import ExtractClaims
from ragstone.providers import OpenAI

_SECONDS_A_CALL, _TIMEOUT, _SLOTS = 1.0, 6.0, 2
_MEASURED = 0.98
_REPLY = {
    "choices": [{"message": {"content": json.dumps({"claims": ["c"]})}, "finish_reason": "stop"}],
    "usage": {"prompt_tokens": 10, "completion_tokens": 2},
}


class AsksOnce(Metric):
    """A metric with one call per case."""

    needs = ("actual_output",)

    async def assess(self, case: TestCase, ctx: MetricContext) -> float:
        """Ask once, whatever comes."""
        await ctx.ask(ExtractClaims(text=case.text("actual_output")))
        return 1.0


@contextmanager
def queueing_server(slots: int, seconds: float = _SECONDS_A_CALL) -> Iterator[str]:
    """Serve a limited number of chat completions at a time; other requests wait."""
    loop, address, ready = asyncio.new_event_loop(), list[str](), threading.Event()

    async def serve() -> web.AppRunner:
        free = asyncio.Semaphore(slots)

        async def complete(request: web.Request) -> web.Response:
            await request.read()
            async with free:
                await asyncio.sleep(seconds)
            return web.json_response(_REPLY)

        app = web.Application()
        app.router.add_post("/v1/chat/completions", complete)
        runner = web.AppRunner(app, handler_cancellation=True)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        address.append(f"http://127.0.0.1:{runner.addresses[0][1]}/v1")
        ready.set()
        return runner

    def run_loop() -> None:
        runner = loop.run_until_complete(serve())
        loop.run_forever()
        loop.run_until_complete(runner.cleanup())
        loop.close()

    thread = threading.Thread(target=run_loop)
    thread.start()
    ready.wait()
    try:
        yield address[0]
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()


def run(options: argparse.Namespace) -> bool:
    """Measure with 16 and with 64 calls in flight."""
    good = [_measure(in_flight, options.rows) for in_flight in (16, 64)]
    return all(good)


def _measure(in_flight: int, count: int) -> bool:
    cases = [TestCase(input="q", actual_output=f"text {number}") for number in range(count)]
    with queueing_server(_SLOTS) as base_url:
        begin = time.monotonic()
        judge = LLMJudge(provider=OpenAI(base_url=base_url, api_key="none"))
        report = evaluate(
            cases, [AsksOnce()], judge=judge, concurrency=in_flight, timeout=_TIMEOUT, store=False
        )
        seconds = time.monotonic() - begin
    good, whole = measured(report)
    print(f"{in_flight} in flight: measured {good} of {whole} in {seconds:.0f} s")
    print_errors(report)
    return good >= _MEASURED * whole
