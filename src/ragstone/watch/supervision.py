"""Supervision of the tasks of a watch: a task that fails is begun again, and its failure is known until it works.

A watch has three tasks: judging, checks, and alarms. None of them ends before the watch does. A database that cannot be
used for a while, such as one that is locked, restarted or on a full disk, is a failure of this kind.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import cast

from ragstone.errors import describe
from ragstone.findings.printable import one_line
from ragstone.store.schema.connect import DATABASE_ERRORS, database_message

ALARM_SECONDS = 60.0  # seconds for which a task must fail before an alarm is raised
_REPEAT_SECONDS = 60.0
_MAX_PAUSE_SECONDS, _MAX_DOUBLINGS = 15.0, 4
_MAX_TEXT = 300


@dataclass(frozen=True, slots=True)
class TaskFailure:
    """A task that fails: since when, seconds since 1970, the class of the last error and its text, how often."""

    task: str
    since: float
    kind: str
    text: str
    count: int = 1

    @property
    def line(self) -> str:
        """The failure in one line; it may quote a text of the database or of a judge."""
        begun = datetime.fromtimestamp(self.since, UTC)
        return f"{self.task} has failed since {begun:%H:%M:%S} UTC, and is tried again: {self.text}"


class WatchHealth:
    """Which tasks of a watch fail. Used in one event loop; `failures` may be read by any thread."""

    def __init__(self, tell: Callable[[str], None]) -> None:
        """Report failures and their ends to `tell`, each failure at most once a minute."""
        self._tell = tell
        self._failures: dict[str, TaskFailure] = {}
        self._told: dict[str, float] = {}

    @property
    def failures(self) -> Mapping[str, TaskFailure]:
        """The tasks that fail now, by name."""
        return dict(self._failures)

    def persistent(self, now: float | None = None) -> list[TaskFailure]:
        """Return the tasks that have failed for a minute."""
        end = time.time() if now is None else now
        return [failure for failure in self.failures.values() if end - failure.since >= ALARM_SECONDS]

    def failed(self, task: str, error: BaseException) -> TaskFailure:
        """Note that a task has failed."""
        now, before = time.time(), self._failures.get(task)
        found = TaskFailure(task, now, type(error).__name__, failure_text(error))
        if before is not None:
            found = replace(found, since=before.since, count=before.count + 1)
        self._failures[task] = found
        if before is None or before.kind != found.kind or now - self._told[task] >= _REPEAT_SECONDS:
            self._told[task] = now
            self._tell(found.line)
        return found

    def worked(self, task: str) -> None:
        """Note that a task works."""
        before = self._failures.pop(task, None)
        if before is not None:
            self._tell(f"{task} works again, after {time.time() - before.since:.0f} s")

    def ended(self) -> None:
        """Report the tasks that fail at the end."""
        for failure in self.failures.values():
            self._tell(f"the watch ends, and {failure.line.replace(', and is tried again', '')}")


async def supervise(
    task: str, run: Callable[[], Awaitable[None]], health: WatchHealth, stop: asyncio.Event
) -> None:
    """Run a task until `stop` is set, again after each failure, with pauses of 1 to 15 s.

    `run` notes itself when it works, and returns when `stop` is set.
    """
    while not stop.is_set():
        try:
            await run()
        except (Exception, BaseExceptionGroup) as error:  # noqa: BLE001  (the task must go on)
            await pause_after(health.failed(task, error), stop)


async def pause_after(failure: TaskFailure, stop: asyncio.Event | None = None) -> None:
    """Wait before the next attempt, or until `stop` is set."""
    seconds = min(2.0 ** min(failure.count - 1, _MAX_DOUBLINGS), _MAX_PAUSE_SECONDS)
    if stop is None:
        await asyncio.sleep(seconds)
        return
    with suppress(TimeoutError):
        await asyncio.wait_for(stop.wait(), seconds)


def failure_text(error: BaseException) -> str:
    """Return an error in one line, without the statement and the values of a database error."""
    while isinstance(error, BaseExceptionGroup):
        error = cast("BaseExceptionGroup[BaseException]", error).exceptions[0]
    if isinstance(error, DATABASE_ERRORS):
        return one_line(f"{type(error).__name__}: {database_message(error)}", _MAX_TEXT)
    return one_line(describe(error), _MAX_TEXT)
