"""The tasks of a watch, supervised: judging, checks, alarms, and signs of life; for `watch` and `serve --watch`."""

import asyncio
import os
import signal
import time
from collections.abc import Generator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from threading import Event, Thread

from ragstone.cli._log import tell
from ragstone.errors import describe
from ragstone.store.queue.settlement import read_state
from ragstone.store.queue.trace_queue import TraceQueue, open_queue
from ragstone.store.queue.watch_state import end_health, remove_silent, save_health
from ragstone.store.schema.connect import DATABASE_ERRORS
from ragstone.telemetry.watch_gauges import is_exporting
from ragstone.watch.alarms import ALARM, read_alarms
from ragstone.watch.checks import make_checks
from ragstone.watch.delivery import FailureMessages, deliver, emit_notice, read_notices, record_telemetry
from ragstone.watch.feedback import feedback_figures
from ragstone.watch.plan import WatchPlan
from ragstone.watch.supervision import ALARM_SECONDS, WatchHealth, pause_after, supervise
from ragstone.watch.window import window_figures
from ragstone.watch.worker import JUDGING, TraceWorker, work

_CHECKS, _ALARMS, _WATCH = "the checks of the judges and of questions", "the sending of alarms", "the watch"
_NOTICE_SECONDS, _MEASURE_SECONDS, _CLEANUP_SECONDS = 2.0, 30.0, 600.0
_LIFE_SECONDS = 5.0


class RunningWatch:
    """A watch in this process."""

    def __init__(self, queue: TraceQueue, plan: WatchPlan, workers: int = 1) -> None:
        """Prepare to judge the traces of `queue`."""
        self.health = WatchHealth(tell)
        self._queue, self._plan, self._workers = queue, plan, workers
        self._messages = FailureMessages(plan, os.environ)
        self._stopping = Event()
        self._main: tuple[asyncio.AbstractEventLoop, asyncio.Task[None]] | None = None
        TraceWorker(queue, plan)  # fail now, and not in a task

    def run(self) -> int:
        """Judge until `stop`, SIGINT or SIGTERM; return the exit code: 1 if a task fails at the end.

        What ends the event loop, such as a metric that ends the process, does not end the watch: it begins again.
        """
        while not self._stopping.is_set():
            try:
                asyncio.run(self._run_tasks())
                break
            except (asyncio.CancelledError, KeyboardInterrupt):
                break
            except BaseException as error:  # noqa: BLE001  (also SystemExit)
                failure = self.health.failed(_WATCH, error)
                asyncio.run(pause_after(failure))
        self.health.ended()
        self._end()
        return int(bool(self.health.failures))

    def stop(self) -> None:
        """End the watch at once; traces in progress are judged when the next watch begins."""
        self._stopping.set()
        if self._main is not None:
            loop, task = self._main
            with suppress(RuntimeError):  # the loop has ended
                loop.call_soon_threadsafe(task.cancel)

    async def _run_tasks(self) -> None:
        stop = asyncio.Event()
        task = asyncio.current_task()
        assert task is not None  # noqa: S101  (asyncio.run makes one)
        self._main = (asyncio.get_running_loop(), task)
        for number in (signal.SIGINT, signal.SIGTERM):
            with suppress(NotImplementedError, RuntimeError, ValueError):  # not available here
                asyncio.get_running_loop().add_signal_handler(number, self._stop_gently, stop)
        queue, plan = self._queue, self._plan
        remove_silent(queue.engine, plan.name)
        tell(f"watching {queue.where} (Ctrl-C ends it)")
        async with asyncio.TaskGroup() as group:
            tasks = [
                (_CHECKS, partial(_run_checks, queue, plan, self.health, stop)),
                (_ALARMS, partial(_report_notices, queue, plan, self.health, stop)),
            ]
            for _ in range(self._workers):
                worker = TraceWorker(queue, plan, health=self.health, stop=stop)
                tasks.append((JUDGING, partial(_judge, worker, stop)))
            for name, run in tasks:
                group.create_task(supervise(name, run, self.health, stop))
            group.create_task(self._keep_alive(stop))

    def _stop_gently(self, stop: asyncio.Event) -> None:
        self._stopping.set()
        stop.set()

    async def _keep_alive(self, stop: asyncio.Event) -> None:
        """Save signs of life with the failures, and send a message for each that lasts, also without the database."""
        began = time.monotonic()
        while not stop.is_set():
            with suppress(*DATABASE_ERRORS):  # it fails in the other tasks too, which report it
                await asyncio.to_thread(save_health, self._queue.engine, self._plan.name, self._failing())
            if time.monotonic() - began > ALARM_SECONDS:
                self.health.worked(_WATCH)
            try:
                problems = await self._messages.send(self.health.persistent())
            except Exception as error:  # noqa: BLE001  (signs of life go on)
                problems = [describe(error)]
            for problem in problems:
                tell(problem, "warning")
            await _wait(stop, _LIFE_SECONDS)

    def _end(self) -> None:
        """Remove this process from the page, or leave what fails there."""
        with suppress(*DATABASE_ERRORS):
            if self.health.failures:
                save_health(self._queue.engine, self._plan.name, self._failing())
            else:
                end_health(self._queue.engine, self._plan.name)

    def _failing(self) -> dict[str, str]:
        return {failure.task: failure.line for failure in self.health.failures.values()}


@contextmanager
def watching(store: bool | str | Path | None, plan: WatchPlan) -> Generator[RunningWatch]:  # noqa: FBT001
    """Judge in a thread until the end of the block. Traces in progress then are judged when the next watch begins."""
    running = RunningWatch(open_queue(store), plan)
    thread = Thread(target=running.run, name="ragstone-watch", daemon=True)
    thread.start()
    try:
        yield running
    finally:
        running.stop()
        thread.join()


def delete_old_texts(queue: TraceQueue, plan: WatchPlan) -> None:
    """Delete the texts that are older than the plan says."""
    if plan.keep.text is not None:
        queue.delete_older(plan.keep.text)


async def _judge(worker: TraceWorker, stop: asyncio.Event) -> None:
    await work(worker, stop=stop)


async def _run_checks(queue: TraceQueue, plan: WatchPlan, health: WatchHealth, stop: asyncio.Event) -> None:
    """Run the checks of the judge and of users' questions when they are due."""
    while not stop.is_set():
        for problem in await make_checks(queue, plan):
            tell(problem, "warning")
        health.worked(_CHECKS)
        await _wait(stop, _MEASURE_SECONDS)


async def _report_notices(
    queue: TraceQueue, plan: WatchPlan, health: WatchHealth, stop: asyncio.Event
) -> None:
    """Print each change of an alarm, send it to the receivers of the plan, and set OpenTelemetry gauges."""
    reported_versions = {
        notice.alarm: notice.version for notice in await asyncio.to_thread(read_notices, queue, plan)
    }
    reported_versions["silence"] = ""  # a silence that continues is reported at the start
    cleaned_at = measured_at = 0.0
    while not stop.is_set():
        notices = await asyncio.to_thread(read_notices, queue, plan)
        for notice in notices:
            if notice.version != reported_versions.get(notice.alarm):
                is_on = notice.content["status"] == ALARM
                tell(f"{'ALARM' if is_on else 'ok'}: {notice.line}", "warning" if is_on else "info")
                emit_notice(notice)
            reported_versions[notice.alarm] = notice.version
        for problem in await deliver(queue, plan, notices):
            tell(problem, "warning")
        if time.monotonic() - cleaned_at > _CLEANUP_SECONDS:
            await asyncio.to_thread(delete_old_texts, queue, plan)
            cleaned_at = time.monotonic()
        if time.monotonic() - measured_at > _MEASURE_SECONDS:
            await asyncio.to_thread(_set_gauges, queue, plan)
            measured_at = time.monotonic()
        health.worked(_ALARMS)
        await _wait(stop, _NOTICE_SECONDS)


def _set_gauges(queue: TraceQueue, plan: WatchPlan) -> None:
    if is_exporting():
        alarms = read_alarms(plan.alarm, read_state(queue.engine, plan.name))
        record_telemetry(plan, window_figures(queue, plan), alarms, feedback_figures(queue, plan))


async def _wait(stop: asyncio.Event, seconds: float) -> None:
    with suppress(TimeoutError):
        await asyncio.wait_for(stop.wait(), seconds)
