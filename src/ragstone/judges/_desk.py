"""The desk in front of a judge during a run: equal prompts are asked once, calls in flight are counted and bounded.

Prompts are values, so two that are equal, whoever asks them, share one task and one answer. Answers of finished tasks
are kept for a while (the metrics of a test case ask close together), those of prompts that a whole run shares for good.
"""

import asyncio
from collections import OrderedDict
from time import perf_counter
from typing import Any, NamedTuple, TypeVar, cast

from ragstone.errors import AccessRefused, describe
from ragstone.event import Asked, Emit
from ragstone.judges._base import Judge, Reply
from ragstone.prompts import Answer, Prompt
from ragstone.result import Usage

A = TypeVar("A", bound=Answer)

_KEPT = 4096


class Given(NamedTuple):
    """A reply, and whether it was asked for now or shared with someone who asked before."""

    reply: Reply[Any]
    shared: bool


def _nobody(event: object) -> None:
    del event


class Desk:
    """Puts prompts to one judge. Belongs to one run and one event loop."""

    def __init__(self, judge: Judge, *, concurrency: int = 16, emit: Emit = _nobody) -> None:
        """Bound the calls in flight to `concurrency` and tell each one to `emit`."""
        self.judge = judge
        self._emit = emit
        self._free = asyncio.Semaphore(concurrency)
        self._asked: OrderedDict[Prompt[Any], asyncio.Task[Reply[Any]]] = OrderedDict()
        self._asked_for_good: dict[Prompt[Any], asyncio.Task[Reply[Any]]] = {}
        self._refused: AccessRefused | None = None

    async def ask(self, prompt: Prompt[A]) -> Given:
        """Return the judge's reply to `prompt`, shared with whoever asked an equal prompt before.

        Raises:
            JudgeError: as the judge does; once access was refused, at once and without another call.
        """
        memory = self._asked_for_good if prompt.shared_by_run else self._asked
        task = memory.get(prompt)
        shared = task is not None
        if task is None:
            task = memory[prompt] = asyncio.create_task(self._put(prompt))
            task.add_done_callback(_look_at)
            self._forget_oldest()
        try:
            return Given(await asyncio.shield(task), shared)
        except Exception:
            if memory.get(prompt) is task:  # a failure is not remembered: who asks later may have more luck
                del memory[prompt]
            raise

    async def close(self) -> None:
        """Cancel what nobody waits for any more."""
        tasks = [task for task in (*self._asked.values(), *self._asked_for_good.values()) if not task.done()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _forget_oldest(self) -> None:
        while len(self._asked) > _KEPT:
            oldest = next(iter(self._asked))
            if not self._asked[oldest].done():
                break
            del self._asked[oldest]

    async def _put(self, prompt: Prompt[A]) -> Reply[A]:
        async with self._free:
            if self._refused is not None:
                raise self._refused
            start = perf_counter()
            try:
                reply = _as_reply(await self.judge.ask(prompt))
            except Exception as error:
                if isinstance(error, AccessRefused):
                    self._refused = error
                self._tell(prompt, start, error=describe(error))
                raise
            self._tell(prompt, start, reply=reply)
            return cast("Reply[A]", reply)

    def _tell(
        self, prompt: Prompt[Any], start: float, *, reply: Reply[Any] | None = None, error: str | None = None
    ) -> None:
        self._emit(
            Asked(
                prompt=type(prompt).__name__,
                judge=self.judge.name,
                usage=reply.usage if reply else Usage(),
                cost=reply.cost if reply else None,
                latency_ms=(perf_counter() - start) * 1000,
                error=error,
            )
        )


def _look_at(task: asyncio.Task[Reply[Any]]) -> None:
    """Retrieve the failure of a task whose askers are all gone, lest asyncio warns of it."""
    if not task.cancelled():
        task.exception()


def _as_reply(reply: Reply[Any] | Answer) -> Reply[Any]:
    """Accept a bare answer too: a judge of the user's own may not know what it took."""
    return Reply(reply) if isinstance(reply, Answer) else reply
