"""A worker in another process than its run: measures what it is given with a judge of its own, and tells what happens.

It needs no library to be sent anywhere: whoever runs it calls `begin` once, `take` with each packet for it, and `tell`
again and again.
"""

import asyncio
from collections.abc import Sequence

from ragstone.errors import BudgetSpent
from ragstone.judges import Judge
from ragstone.judges._branch import Branch
from ragstone.metrics import Metric
from ragstone.providers._transport import open_transport
from ragstone.run import Plan
from ragstone.runner._line import Line
from ragstone.runner._measure import measured
from ragstone.runner._messages import Dumps, Reply, Work, unpack
from ragstone.runner._work import Task


class Worker:
    """Measures, in whatever process it stands."""

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
        """Be ready.

        Args:
            plan: what is done.
            metrics: the metrics of the plan.
            judge: who answers, of this worker alone.
            counts_tokens: whether the run's limits bound tokens.
            resumed: whether the driver may know answers from before.
            dumps: further ways to pack what pickle cannot.
        """
        self._plan = plan
        self._metrics = metrics
        self._judge = judge
        self._resumed = resumed
        self._dumps = dumps
        self._again: set[int] = set()
        self._line = Line(counts_tokens=counts_tokens, most=plan.max_cost)
        self._tasks: asyncio.Queue[Task] = asyncio.Queue()
        self._serving: asyncio.Task[None] | None = None

    async def begin(self) -> None:
        """Open for work, in the running event loop."""
        self._serving = asyncio.create_task(self._serve())

    async def take(self, packet: bytes) -> None:
        """Take in what the driver says."""
        for message in unpack(packet):
            if isinstance(message, Reply):
                self._line.hear(message)
            elif isinstance(message, Work):
                self._plan_in(message)

    async def tell(self) -> bytes:
        """Return what there is to tell, as soon as there is something.

        Raises:
            Exception: what brought this worker down.
        """
        something = asyncio.create_task(self._line.waiting.wait())
        serving = self._serving
        if serving is None:
            raise RuntimeError("a worker is asked before it has begun")
        await asyncio.wait((something, serving), return_when=asyncio.FIRST_COMPLETED)
        something.cancel()
        if serving.done():
            serving.result()
        return self._line.packet(*self._dumps)

    async def end(self) -> None:
        """Close every connection."""
        if self._serving is not None:
            self._serving.cancel()
            await asyncio.wait((self._serving,))

    def _plan_in(self, work: Work) -> None:
        if work.again:
            self._again.add(work.case_index)
        for index in work.metric_indices:
            self._tasks.put_nowait(Task(work.case_index, index, work.case, self._metrics[index]))

    async def _serve(self) -> None:
        desk = Branch(
            self._judge,
            self._line,
            limits=self._line,
            budget=self._line,
            emit=self._line.emit,
            remembers=lambda case_index: self._resumed or case_index in self._again,
        )
        async with open_transport(
            timeout=self._plan.timeout, on_overload=lambda told: self._line.slow_down(told.told)
        ):
            try:
                async with asyncio.TaskGroup() as group:
                    for _ in range(self._plan.concurrency):
                        group.create_task(self._work(desk))
            finally:
                await desk.close()

    async def _work(self, desk: Branch) -> None:
        while True:
            task = await self._tasks.get()
            self._line.started(task)
            try:
                result = await measured(task, desk, self._plan)
            except BudgetSpent as error:
                self._line.over(task, str(error))
            else:
                self._line.measured(task, result)
            await asyncio.sleep(0)  # a metric that asks nobody must not keep others from their turn
