"""A worker in another process than its run: it measures what it is assigned, with a judge of its own.

It is independent of the library that carries the messages, which calls `begin` once, `deliver` with each packet for the
worker, and `next_packet` again and again.
"""

import asyncio
from collections.abc import Sequence

from ragstone.judges import Judge
from ragstone.metrics import Metric
from ragstone.providers.http.transport import open_transport
from ragstone.run import Plan
from ragstone.runner.distributed.driver_client import DriverClient, RemoteScheduler
from ragstone.runner.distributed.messages import Assignment, DriverResponse, Dumps, unpack
from ragstone.runner.execute import waiting_for
from ragstone.runner.measure import run_task
from ragstone.runner.tasks import Task


class Worker:
    """Measures the tasks assigned to it, in any process."""

    def __init__(
        self,
        plan: Plan,
        metrics: Sequence[Metric],
        judge: Judge,
        *,
        counts_tokens: bool,
        resumed: bool,
        dumps: Sequence[Dumps] = (),
    ) -> None:
        """Prepare the worker, with its own copy of the judge; `begin` starts it.

        `counts_tokens` is whether the run's limits bound tokens, `resumed` whether the driver may have answers of an
        interrupted run; `dumps` are further functions to pickle what the standard one cannot.
        """
        self._plan = plan
        self._metrics = metrics
        self._judge = judge
        self._resumed = resumed
        self._dumps = dumps
        self._reassigned: set[int] = set()
        self._driver = DriverClient(counts_tokens=counts_tokens, most=plan.budget)
        self._tasks: asyncio.Queue[Task] = asyncio.Queue()
        self._serve_task: asyncio.Task[None] | None = None

    async def begin(self) -> None:
        """Start in the running event loop."""
        self._serve_task = asyncio.create_task(self._serve())

    async def deliver(self, packet: bytes) -> None:
        """Handle the messages of a packet from the driver."""
        for message in unpack(packet):
            if isinstance(message, DriverResponse):
                self._driver.resolve(message)
            elif isinstance(message, Assignment):
                self._enqueue(message)

    async def next_packet(self) -> bytes:
        """Return the messages for the driver, as soon as there are any; raise the error of a worker that failed."""
        message_waiting = asyncio.create_task(self._driver.waiting.wait())
        serve_task = self._serve_task
        if serve_task is None:
            raise RuntimeError("the worker has not started")
        await asyncio.wait((message_waiting, serve_task), return_when=asyncio.FIRST_COMPLETED)
        message_waiting.cancel()
        if serve_task.done():
            serve_task.result()
        return self._driver.packet(*self._dumps)

    async def end(self) -> None:
        """Stop, and close every connection."""
        if self._serve_task is not None:
            self._serve_task.cancel()
            await asyncio.wait((self._serve_task,))

    def _enqueue(self, work: Assignment) -> None:
        if work.again:
            self._reassigned.add(work.case_index)
        for index in work.metric_indices:
            self._tasks.put_nowait(Task(work.case_index, index, work.case, self._metrics[index]))

    async def _serve(self) -> None:
        scheduler = RemoteScheduler(
            self._judge,
            self._driver,
            may_recall=lambda case_index: self._resumed or case_index in self._reassigned,
        )
        async with open_transport(
            timeout=self._plan.timeout,
            on_overload=lambda overload: self._driver.slow_down(overload.retry_after),
            on_silence=lambda silence: self._driver.emit(waiting_for(silence)),
        ):
            try:
                async with asyncio.TaskGroup() as group:
                    for _ in range(self._plan.concurrency):
                        group.create_task(self._run_tasks(scheduler))
            finally:
                await scheduler.close()

    async def _run_tasks(self, scheduler: RemoteScheduler) -> None:
        while True:
            task = await self._tasks.get()
            await run_task(task, scheduler, self._plan, self._driver)
            await asyncio.sleep(0)  # a metric that asks no judge must not block the others
