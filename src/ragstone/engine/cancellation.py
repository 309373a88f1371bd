"""Cancellation of third-party code: a judge or a metric that swallows its cancellation must not delay the run.

Such a task is given `GRACE` seconds, then its coroutine is closed. If the code swallows that too, Python discards it
with a message on standard error.
"""

import asyncio
from collections.abc import Coroutine, Sequence
from contextlib import suppress
from typing import Any, TypeVar, cast

T = TypeVar("T")

GRACE = 2.0  # seconds that a cancelled task may take for its clean-up


async def run_cancellable(coroutine: Coroutine[Any, Any, T]) -> T:
    """Return what `coroutine` returns; a cancellation of the caller is raised `GRACE` seconds later at the latest."""
    task = asyncio.create_task(coroutine)
    try:
        return await outcome_of(task)
    except asyncio.CancelledError:
        await cancel_tasks([task])
        raise


def outcome_of(task: "asyncio.Task[T]") -> "asyncio.Future[T]":
    """Return a future with the result or exception of a task; cancelling the future does not cancel the task.

    Like `asyncio.shield`, in half the steps of the event loop. An exception is dropped if no caller waits any more.
    """
    if task.done():
        return task
    waiting: asyncio.Future[T] = asyncio.get_running_loop().create_future()

    def settle(ended: "asyncio.Task[T]") -> None:
        error = None if ended.cancelled() else ended.exception()
        if waiting.done():
            return
        if ended.cancelled():
            waiting.cancel()
        elif error is not None:
            waiting.set_exception(error)
        else:
            waiting.set_result(ended.result())

    task.add_done_callback(settle)
    return waiting


async def cancel_tasks(tasks: Sequence["asyncio.Task[Any]"]) -> None:
    """Cancel tasks, and wait until all have ended."""
    tasks = [task for task in tasks if not task.done()]
    if not tasks:
        return
    for task in tasks:
        task.cancel()
    _, running = await asyncio.wait(tasks, timeout=GRACE)
    for task in running:
        with suppress(RuntimeError):  # it swallowed that too
            cast("Coroutine[Any, Any, Any]", task.get_coro()).close()
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
