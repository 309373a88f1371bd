"""The driver of a run whose workers stand in other processes: gives work, grants calls, hears what comes.

Limits, budget and the answers that a whole run shares are kept here, for all workers together, so that a run on ten
machines asks no more at once than one on one. Only the driver tells events, so that whoever listens (the store, first
of all) need not know how many workers there are. What a lost worker had not finished is given to another, with the
answers it had got; a result is taken once, from the worker that has the task now.
"""

import asyncio
from collections import Counter, deque
from collections.abc import Callable, Coroutine, Iterator
from itertools import groupby, islice
from time import perf_counter
from typing import Any, NamedTuple, TypeVar

from ragstone.errors import RagstoneError, WorkerLost
from ragstone.event import Measured, Started
from ragstone.judges._desk import Desk, Gate, Kept, Purse
from ragstone.judges._inquiry import Inquiry
from ragstone.runner._hand import Hand, Place, Post
from ragstone.runner._messages import Call, Note, Reply, travelling, unpack
from ragstone.runner._past import Past, counted
from ragstone.runner._shift import Shift
from ragstone.runner._work import Task

T = TypeVar("T")

MOST_LOSSES = 3
"""Workers that may be lost over one measurement, or in one place without having measured anything."""

_AHEAD = 32
"""Tasks that a worker has beyond those it can be waiting for: the next packet takes a while."""


class Office(NamedTuple):
    """What belongs to the whole run.

    Attributes:
        desk: asks what all workers share.
        gate: the limits.
        purse: the budget.
        past: what an interrupted run has done.
        kept: waits until those who listen have kept what they were told.
    """

    desk: Desk
    gate: Gate
    purse: Purse
    past: Past
    kept: Kept | None = None


class Foreman:
    """Works off the tasks of one run with a crew."""

    def __init__(
        self, shift: Shift, office: Office, work: Iterator[Task], hire: Callable[[], Post], crew: int
    ) -> None:
        """Have `crew` workers, each found by `hire`, do the `work`."""
        self._shift = shift
        self._office = office
        self._cases = (list(tasks) for _, tasks in groupby(work, key=lambda task: task.case_index))
        self._hire = hire
        self._crew = crew
        self._appetite = 2 * -(-shift.plan.concurrency // crew) + _AHEAD
        self._hands: list[Hand] = []
        self._returned: deque[list[Task]] = deque()
        self._suspects: deque[list[Task]] = deque()
        self._salvaged: dict[str, str] = {}
        self._begun: set[Place] = set()
        self._losses: Counter[Place] = Counter()
        self._exhausted = False
        self._finished = asyncio.Event()

    async def work_off(self) -> None:
        """Return when nothing is left to do, or no money to do it.

        Raises:
            WorkerLost: workers die before they have measured anything.
        """
        async with asyncio.TaskGroup() as group:
            self._group = group
            for _ in range(self._crew):
                group.create_task(self._fill_place())

    async def _fill_place(self) -> None:
        """Keep one place of the crew filled."""
        in_vain = 0
        while not self._finished.is_set():
            hand = Hand(self._hire())
            self._hands.append(hand)
            try:
                await self._accompany(hand)
            except WorkerLost as error:
                in_vain = 0 if hand.useful else in_vain + 1
                if in_vain == MOST_LOSSES:
                    raise
                self._take_over(hand, error)
            finally:
                self._hands.remove(hand)
                hand.give_back(self._office.gate, self._office.purse)
                hand.post.dismiss()
            self._look_around()

    async def _accompany(self, hand: Hand) -> None:
        """Give a worker work, and hear what it tells, until the run is finished."""
        await self._unless_finished(hand.post.begin())
        hand.ready = True
        self._look_around()
        while not self._finished.is_set():
            packet = await self._unless_finished(hand.post.tell())
            if packet is not None:
                self._hear(hand, unpack(packet))
                hand.alone = hand.alone and bool(hand.tasks)
                self._feed(hand)
                self._look_whether_done()

    async def _unless_finished(self, coming: Coroutine[Any, Any, T]) -> T | None:
        """Return what comes, None where the run is finished before."""
        arrival, end = asyncio.ensure_future(coming), asyncio.ensure_future(self._finished.wait())
        try:
            await asyncio.wait((arrival, end), return_when=asyncio.FIRST_COMPLETED)
            return arrival.result() if arrival.done() else None
        finally:
            arrival.cancel()
            end.cancel()

    def _look_around(self) -> None:
        for hand in self._hands:
            self._feed(hand)
        self._look_whether_done()

    def _look_whether_done(self) -> None:
        busy = any(hand.tasks for hand in self._hands)
        left = self._returned or self._suspects or not self._exhausted
        if not busy and (self._shift.over or not left):
            self._finished.set()

    def _feed(self, hand: Hand) -> None:
        """Give a worker work until it has as much as it can stomach."""
        if not hand.ready or hand.alone or 2 * len(hand.tasks) > self._appetite:
            return
        while len(hand.tasks) < self._appetite and not self._shift.over:
            again = bool(self._returned)
            tasks = self._returned.popleft() if again else next(self._cases, None)
            if tasks is None:
                self._exhausted = True
                break
            hand.give(tasks, again=again)
        if not hand.tasks and self._suspects and not self._shift.over:
            hand.give(self._suspects.popleft(), again=True)
            hand.alone = True

    def _hear(self, hand: Hand, messages: list[Note | Call]) -> None:
        ended: list[Note] = []
        for message in messages:
            if isinstance(message, Call):
                self._have_done(hand, self._answer(hand, message))
            elif message.what in ("release", "settle"):
                ended.append(message)
            else:
                self._note(hand, message)
        if ended:
            self._have_done(hand, self._end_calls(hand, ended))

    def _have_done(self, hand: Hand, deed: Coroutine[Any, Any, None]) -> None:
        task = self._group.create_task(deed)
        hand.calls.add(task)
        task.add_done_callback(hand.calls.discard)

    def _note(self, hand: Hand, note: Note) -> None:
        match note.what, note.told:
            case "started", (case_index, metric_index):
                self._start(hand, (case_index, metric_index))
            case "measured", (case_index, metric_index, result):
                hand.useful = True
                self._finish(hand.done((case_index, metric_index)), result)
            case "asked", (asked,):
                hand.remember(asked)
                self._shift.emit(asked)
            case "slow_down", (told,):
                self._office.gate.slow_down(told)
            case "over", (case_index, metric_index, why):
                hand.done((case_index, metric_index))
                self._shift.over = self._shift.over or why
            case _:
                raise AssertionError(note)

    def _start(self, hand: Hand, place: Place) -> None:
        task = hand.tasks[place]
        if place not in self._begun:  # what another worker has begun is told already
            self._begun.add(place)
            self._shift.emit(Started(*place, task.case, task.metric.spec))

    def _finish(self, task: Task | None, result: Any) -> None:  # noqa: ANN401  (a Result, as it came)
        if task is None:
            return
        place = (task.case_index, task.metric_index)
        self._begun.discard(place)
        self._losses.pop(place, None)
        result = counted(result, self._office.past.failures(*place))
        self._shift.emit(Measured(*place, task.case, result))

    async def _end_calls(self, hand: Hand, notes: list[Note]) -> None:
        """End calls, once what they brought is kept: until then they count as in flight."""
        if self._office.kept is not None:
            await self._office.kept()
        for note in notes:
            if note.what == "release":
                hand.release(self._office.gate, *note.told)
            else:
                hand.settle(self._office.purse, *note.told)

    async def _answer(self, hand: Hand, call: Call) -> None:
        try:
            value = await self._serve(hand, call)
        except Exception as error:  # noqa: BLE001  (whoever called gets it: it is theirs, whatever it is)
            hand.send(Reply(call.number, error=travelling(error)))
        else:
            hand.send(Reply(call.number, value))

    async def _serve(self, hand: Hand, call: Call) -> object:
        office = self._office
        match call.what, call.told:
            case "admit", (tokens,):
                return await hand.admit(office.gate, tokens)
            case "reserve", (price,):
                return await hand.reserve(office.purse, price)
            case "ask", (prompt,):
                return tuple(await office.desk.ask(prompt))
            case "recall", (key,):
                return self._salvaged.get(key) or office.past.recall(key)
            case _:
                raise AssertionError(call)

    def _take_over(self, hand: Hand, error: WorkerLost) -> None:
        """Take back what a lost worker had to do.

        It worked on what it was given first. What was worked on when several workers were lost is measured once more,
        by a worker that does nothing else; if that is lost too, it becomes an error.
        """
        self._salvaged |= dict(hand.answers())
        self._losses.update(islice(hand.tasks, self._shift.plan.concurrency))
        for _, group in groupby(list(hand.tasks.values()), key=lambda task: task.case_index):
            tasks = list(group)
            losses = max(self._losses[task.case_index, task.metric_index] for task in tasks)
            if losses >= MOST_LOSSES:
                for task in tasks:
                    self._finish(task, self._given_up(task, error))
            else:
                (self._suspects if losses == MOST_LOSSES - 1 else self._returned).append(tasks)
        hand.tasks.clear()

    def _given_up(self, task: Task, error: RagstoneError) -> object:
        inquiry = Inquiry(self._office.desk, task.case_index)
        lost = WorkerLost(f"{MOST_LOSSES} workers were lost while they measured this. The last: {error}")
        return task.metric.no_result(task.case, inquiry, perf_counter(), lost, skip=False)
