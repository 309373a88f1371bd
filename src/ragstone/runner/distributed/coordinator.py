"""The driver of a distributed run: it assigns tasks, admits calls and emits the events.

Rate limits, budget and the answers shared by the whole run are held here for all workers, so that a run on ten machines
asks no more at once than one on one. Only the driver emits events, so listeners such as the store need not know how
many workers there are. The unfinished tasks of a lost worker go to another one, with the answers it had received. A
result is accepted once, from the worker that has the task.
"""

import asyncio
from collections import Counter, deque
from collections.abc import Callable, Coroutine, Iterator
from itertools import groupby, islice
from typing import Any, NamedTuple, TypeVar

from ragstone.engine.budget import Budget
from ragstone.engine.context import MetricContext
from ragstone.engine.measurement import failed_result
from ragstone.engine.scheduler import Flush, PromptScheduler
from ragstone.errors import WorkerLost
from ragstone.judges.limits import JudgeLimits
from ragstone.runner.distributed.messages import DriverResponse, WorkerEvent, WorkerRequest, picklable, unpack
from ragstone.runner.distributed.worker_handle import ResultKey, WorkerChannel, WorkerHandle
from ragstone.runner.session import RunSession
from ragstone.runner.tasks import Task

T = TypeVar("T")

MOST_LOSSES = 3
"""Number of workers that may be lost on one measurement, or in a row before any of them has measured anything."""

_PREFETCH = 32
"""Tasks assigned to a worker beyond those it can run at once, since the next packet takes a while."""


class SharedServices(NamedTuple):
    """Services that all workers of a run share; the scheduler asks the prompts that do not belong to one case."""

    scheduler: PromptScheduler
    limiter: JudgeLimits
    budget: Budget
    flush: Flush | None = None


class Coordinator:
    """Executes the tasks of one run on several workers."""

    def __init__(
        self,
        session: RunSession,
        services: SharedServices,
        work: Iterator[Task],
        spawn: Callable[[], WorkerChannel],
        size: int,
    ) -> None:
        """Execute `work` on `size` workers, each started by `spawn`."""
        self._session = session
        self._services = services
        self._cases = (list(tasks) for _, tasks in groupby(work, key=lambda task: task.case_index))
        self._spawn = spawn
        self._size = size
        self._prefetch = 2 * -(-session.plan.concurrency // size) + _PREFETCH
        self._workers: list[WorkerHandle] = []
        self._reassign_queue: deque[list[Task]] = deque()
        self._retry_alone: deque[list[Task]] = deque()
        self._recovered_replies: dict[str, str] = {}
        self._started: set[ResultKey] = set()
        self._losses: Counter[ResultKey] = Counter()
        self._exhausted = False
        self._finished = asyncio.Event()

    async def run(self) -> None:
        """Return when no task is left, or the budget is spent.

        Raises:
            WorkerLost: workers die before they have measured anything.
        """
        async with asyncio.TaskGroup() as group:
            self._group = group
            for _ in range(self._size):
                group.create_task(self._keep_worker_running())

    async def _keep_worker_running(self) -> None:
        failed_starts = 0
        while not self._finished.is_set():
            worker = WorkerHandle(self._spawn())
            self._workers.append(worker)
            try:
                await self._serve_worker(worker)
            except WorkerLost as error:
                failed_starts = 0 if worker.useful else failed_starts + 1
                if failed_starts == MOST_LOSSES:
                    raise
                self._recover(worker, error)
            finally:
                self._workers.remove(worker)
                worker.release_all(self._services.limiter, self._services.budget)
                worker.channel.kill()
            self._assign_all()

    async def _serve_worker(self, worker: WorkerHandle) -> None:
        await self._unless_finished(worker.channel.begin())
        worker.ready = True
        self._assign_all()
        while not self._finished.is_set():
            packet = await self._unless_finished(worker.channel.next_packet())
            if packet is not None:
                self._handle_messages(worker, unpack(packet))
                worker.alone = worker.alone and bool(worker.tasks)
                self._assign_tasks(worker)
                self._check_finished()

    async def _unless_finished(self, work: Coroutine[Any, Any, T]) -> T | None:
        """Return the result of `work`, None where the run is finished first."""
        work_task, finish_task = asyncio.ensure_future(work), asyncio.ensure_future(self._finished.wait())
        try:
            await asyncio.wait((work_task, finish_task), return_when=asyncio.FIRST_COMPLETED)
            return work_task.result() if work_task.done() else None
        finally:
            work_task.cancel()
            finish_task.cancel()

    def _assign_all(self) -> None:
        for worker in self._workers:
            self._assign_tasks(worker)
        self._check_finished()

    def _check_finished(self) -> None:
        busy = any(worker.tasks for worker in self._workers)
        tasks_left = self._reassign_queue or self._retry_alone or not self._exhausted
        if not busy and (self._session.stop_reason or not tasks_left):
            self._finished.set()

    def _assign_tasks(self, worker: WorkerHandle) -> None:
        if not worker.ready or worker.alone or 2 * len(worker.tasks) > self._prefetch:
            return
        while len(worker.tasks) < self._prefetch and not self._session.stop_reason:
            again = bool(self._reassign_queue)
            tasks = self._reassign_queue.popleft() if again else next(self._cases, None)
            if tasks is None:
                self._exhausted = True
                break
            worker.assign(tasks, again=again)
        if not worker.tasks and self._retry_alone and not self._session.stop_reason:
            worker.assign(self._retry_alone.popleft(), again=True)
            worker.alone = True

    def _handle_messages(self, worker: WorkerHandle, messages: list[WorkerEvent | WorkerRequest]) -> None:
        ended_calls: list[WorkerEvent] = []
        for message in messages:
            if isinstance(message, WorkerRequest):
                self._spawn_task(worker, self._answer(worker, message))
            elif message.kind in ("release", "settle"):
                ended_calls.append(message)
            else:
                self._on_event(worker, message)
        if ended_calls:
            self._spawn_task(worker, self._finish_calls(worker, ended_calls))

    def _spawn_task(self, worker: WorkerHandle, work: Coroutine[Any, Any, None]) -> None:
        task = self._group.create_task(work)
        worker.calls.add(task)
        task.add_done_callback(worker.calls.discard)

    def _on_event(self, worker: WorkerHandle, message: WorkerEvent) -> None:
        match message.kind, message.args:
            case "started", key:
                if key not in self._started:  # a task reassigned from a lost worker was announced before
                    self._started.add(key)
                    self._session.started(worker.tasks[key])
            case "measured", (case_index, metric_index, result):
                worker.useful = True
                self._finish(worker.done((case_index, metric_index)), result)
            case "asked", (asked,):
                worker.remember(asked)
                self._session.emit(asked)
            case "slow_down", (pause,):
                self._services.limiter.slow_down(pause)
            case "waiting", (event,):
                self._session.emit(event)
            case "stopped", (case_index, metric_index, why, usage, cost):
                task = worker.tasks[case_index, metric_index]
                worker.done((case_index, metric_index))
                self._session.stopped(task, why, usage, cost)
            case _:
                raise AssertionError(message)

    def _finish(self, task: Task | None, result: Any) -> None:  # noqa: ANN401  (a Result from a message)
        if task is None:
            return
        key = (task.case_index, task.metric_index)
        self._started.discard(key)
        self._losses.pop(key, None)
        self._session.measured(task, result)

    async def _finish_calls(self, worker: WorkerHandle, events: list[WorkerEvent]) -> None:
        """Release calls once their answers are stored; until then they count as in flight."""
        if self._services.flush is not None:
            await self._services.flush()
        for event in events:
            if event.kind == "release":
                worker.release(self._services.limiter, *event.args)
            else:
                worker.settle(self._services.budget, *event.args)

    async def _answer(self, worker: WorkerHandle, call: WorkerRequest) -> None:
        try:
            value = await self._serve(worker, call)
        except Exception as error:  # noqa: BLE001  (any error goes to the worker that called)
            worker.send(DriverResponse(call.number, error=picklable(error)))
        else:
            worker.send(DriverResponse(call.number, value))

    async def _serve(self, worker: WorkerHandle, call: WorkerRequest) -> object:
        services = self._services
        match call.kind, call.args:
            case "admit", (tokens,):
                return await worker.admit(services.limiter, tokens)
            case "reserve", (price,):
                return await worker.reserve(services.budget, price)
            case "ask", (prompt,):
                return tuple(await services.scheduler.ask(prompt))
            case "recall", (key,):
                return self._recovered_replies.get(key) or self._session.past.recall(key)
            case _:
                raise AssertionError(call)

    def _recover(self, worker: WorkerHandle, error: WorkerLost) -> None:
        """Reassign the tasks of a lost worker.

        The worker was running the tasks that were assigned first. A test case on which several workers were lost is
        measured once more, by a worker with no other task; if that worker is lost too, its results become errors.
        """
        self._recovered_replies |= dict(worker.answers())
        self._losses.update(islice(worker.tasks, self._session.plan.concurrency))
        for _, group in groupby(list(worker.tasks.values()), key=lambda task: task.case_index):
            tasks = list(group)
            losses = max(self._losses[task.case_index, task.metric_index] for task in tasks)
            if losses >= MOST_LOSSES:
                for task in tasks:
                    ctx = MetricContext(self._services.scheduler, task.case_index)
                    lost = WorkerLost(
                        f"{MOST_LOSSES} workers were lost during this measurement. The last: {error}"
                    )
                    self._finish(task, failed_result(task.metric, task.case, ctx, lost))
            else:
                (self._retry_alone if losses == MOST_LOSSES - 1 else self._reassign_queue).append(tasks)
        worker.tasks.clear()
