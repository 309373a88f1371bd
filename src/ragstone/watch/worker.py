"""A worker: claims complete traces, judges them, and writes what came of it. Several may work on one store."""

import asyncio
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from hashlib import blake2b
from typing import Any

from ragstone.case import TestCase
from ragstone.errors import BadOption, UnknownName, describe
from ragstone.event import Event, JudgeCalled, MeasurementFinished
from ragstone.judges import Judge, get_judge
from ragstone.metrics import Metric
from ragstone.metrics.base.selection import parse_metrics
from ragstone.result import Result
from ragstone.run import Plan, Run
from ragstone.runner.execute import execute
from ragstone.store.queue.claims import ClaimedTrace, CompletionRule
from ragstone.store.queue.overview import save_plan
from ragstone.store.queue.settlement import JudgedTrace, give_up, read_state, settle
from ragstone.store.queue.trace_queue import TraceQueue
from ragstone.traces.cases import TraceOptions, UnreadableTrace, trace_cases
from ragstone.watch.alarms import advance
from ragstone.watch.draw import Draw
from ragstone.watch.plan import WatchPlan

_AT_ONCE = 16
_LEASE, _EXTEND = 180.0, 60.0
_FIRST_PAUSE, _LAST_PAUSE = 5.0, 600.0


@dataclass(frozen=True, slots=True)
class StepCounts:
    """What one step of a worker did.

    Attributes:
        claimed: traces that it took.
        judged: those whose results were written.
        unreadable: those that give no test case.
        failed: those whose judge failed; they are tried again, or given up.
    """

    claimed: int = 0
    judged: int = 0
    unreadable: int = 0
    failed: int = 0


class TraceWorker:
    """Judges traces as a plan says."""

    def __init__(self, queue: TraceQueue, plan: WatchPlan) -> None:
        """Read metrics, judges and conditions, and let the page know the plan.

        Raises:
            UsageError: the plan names something that is not there, or an alarm that could never be raised.
        """
        self._queue = queue
        self._plan = plan
        self._metrics: tuple[Metric, ...] = parse_metrics(plan.metrics)
        _check_alarms(plan, self._metrics)
        self._judges: dict[str, Judge] = {"all": get_judge(plan.judge.all)}
        if plan.judge.sample is not None:
            self._judges["sample"] = get_judge(plan.judge.sample)
        self._draw = Draw(plan.sample)
        self._options = TraceOptions(retrieval_tools=plan.unit.retrieval_tools)
        self._rule = CompletionRule(plan.unit.settle, plan.unit.patience)
        # A webhook's URL may be a secret: those who show the plan need not know it.
        save_plan(queue.engine, plan.name, plan.model_dump_json(exclude={"notify"}))

    async def step(self) -> StepCounts:
        """Judge some traces that are complete, and return what was done."""
        claimed = await asyncio.to_thread(self._queue.claim, _AT_ONCE, self._rule, duration=_LEASE)
        if not claimed:
            return StepCounts()
        async with asyncio.TaskGroup() as group:
            extending = group.create_task(self._extend(claimed))
            try:
                return await self._judge(claimed)
            finally:
                extending.cancel()

    async def _extend(self, claimed: Sequence[ClaimedTrace]) -> None:
        while True:
            await asyncio.sleep(_EXTEND)
            await asyncio.to_thread(self._queue.extend, claimed, _LEASE)

    async def _judge(self, claimed: Sequence[ClaimedTrace]) -> StepCounts:
        cases, unreadable = self._read(claimed)
        state = await asyncio.to_thread(read_state, self._queue.engine, self._plan.name)
        judged = await self._measure("all", [(claim, case, 1.0) for claim, case in cases])
        drawn = self._drawn(judged, self._draw.rate(state)) if "sample" in self._judges else []
        judged += await self._measure("sample", drawn)
        failed = {
            one.claimed.trace_id: next(result.error for result in one.results if result.error)
            for one in judged
            if any(result.error for result in one.results)
        }
        written = await asyncio.to_thread(self._settle, judged, failed)
        for claim, problem in unreadable:
            await asyncio.to_thread(give_up, self._queue.engine, claim, error=problem, dead=False)
        return StepCounts(len(claimed), written, len(unreadable), len(failed))

    def _read(
        self, claimed: Sequence[ClaimedTrace]
    ) -> tuple[list[tuple[ClaimedTrace, TestCase]], list[tuple[ClaimedTrace, str]]]:
        """Return the test cases of traces, and why others give none."""
        cases: list[tuple[ClaimedTrace, TestCase]] = []
        unreadable: list[tuple[ClaimedTrace, str]] = []
        for claim in claimed:
            try:
                found = [
                    one for one in trace_cases(claim.records, self._options) if _is_of(one, claim.trace_id)
                ]
            except Exception as error:  # noqa: BLE001  (one trace must not stop the others)
                unreadable.append((claim, describe(error)))
                continue
            readable = [one for one in found if isinstance(one, TestCase)]
            cases += [(claim, one) for one in readable]
            if not readable:
                told = next((one for one in found if isinstance(one, UnreadableTrace)), None)
                why = "nothing of any convention" if told is None else f"{told.problem} {told.instead}"
                unreadable.append((claim, why))
        return cases, unreadable

    def _drawn(
        self, judged: Sequence[JudgedTrace], rate: float
    ) -> list[tuple[ClaimedTrace, TestCase, float]]:
        found: list[tuple[ClaimedTrace, TestCase, float]] = []
        for one in judged:
            probability = self._draw.probability(self._draw.boost(one.case, one.results), rate)
            if self._draw.is_drawn(one.claimed.trace_id, probability):
                found.append((one.claimed, one.case, probability))
        return found

    async def _measure(
        self, judged_by: str, chosen: Sequence[tuple[ClaimedTrace, TestCase, float]]
    ) -> list[JudgedTrace]:
        if not chosen:
            return []
        judge = self._judges[judged_by]
        events: list[Event] = []
        await execute(
            self._run(judged_by, judge),
            [case for _, case, _ in chosen],
            self._metrics,
            judge,
            events.append,
            total=len(chosen) * len(self._metrics),
        )
        results: dict[int, dict[int, Result]] = {}
        exchanges: dict[int, list[JudgeCalled]] = {}
        for event in events:
            if isinstance(event, MeasurementFinished):
                results.setdefault(event.case_index, {})[event.metric_index] = event.result
            elif isinstance(event, JudgeCalled):
                exchanges.setdefault(event.case_index, []).append(event)
        return [
            JudgedTrace(
                claim,
                case,
                tuple(results[at][place] for place in sorted(results[at])),
                tuple(exchanges.get(at, ())),
                judged_by,
                probability,
            )
            for at, (claim, case, probability) in enumerate(chosen)
            if at in results
        ]

    def _settle(self, judged: Sequence[JudgedTrace], failed: Mapping[str, str | None]) -> int:
        """Write what was measured; give back what a judge failed on, unless it was tried often enough."""
        attempts = self._plan.judge.attempts
        again = {one.claimed.trace_id: one.claimed for one in judged if one.claimed.trace_id in failed}
        again = {trace: claim for trace, claim in again.items() if claim.attempts < attempts}
        for trace, claim in again.items():
            pause = min(_FIRST_PAUSE * 2.0**claim.attempts, _LAST_PAUSE)
            self._queue.retry([claim], pause=pause, error=failed[trace] or "")
        runs = {name: self._run(name, judge) for name, judge in self._judges.items()}
        done = [one for one in judged if one.claimed.trace_id not in again]
        if not done:
            return 0
        dead = {trace: error or "" for trace, error in failed.items() if trace not in again}
        written = settle(
            self._queue.engine, self._plan.name, runs, done, update_state=self._next_state, dead=dead
        )
        return len({one.claimed.trace_id for one in written})

    def _next_state(self, state: Mapping[str, Any], judged: Sequence[JudgedTrace]) -> Mapping[str, Any]:
        first = [one for one in judged if one.judged_by == "all" and one.claimed.revision == 1]
        results = [result for one in first for result in one.results]
        boosts = [self._draw.boost(one.case, one.results) for one in first]
        now = time.time()
        rate = self._draw.next_rate(state.get("rate", {}), boosts, now)
        return {**state, "alarms": advance(self._plan.alarm, state, results, now), "rate": rate}

    def _run(self, judged_by: str, judge: Judge) -> Run:
        """Return the run of today's results by a judge: the same value for every worker."""
        plan = Plan(
            name=f"{self._plan.name} ({judged_by})",
            tags=("watch", self._plan.name, judged_by),
            metrics=tuple(metric.spec for metric in self._metrics),
            judge=judge.name,
            on_missing="skip",
            concurrency=self._plan.judge.concurrency,
            dataset="traces",
        )
        today = datetime.now(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
        key = blake2b(plan.model_dump_json().encode(), digest_size=6).hexdigest()
        return Run(id=f"{today:%Y%m%d}T000000-watch-{key}", plan=plan, started=today)


def _check_alarms(plan: WatchPlan, metrics: Sequence[Metric]) -> None:
    """Refuse an alarm on a metric that is not measured, or of which less is better: it would stay silent."""
    measured = {metric.spec.partition("(")[0]: metric for metric in metrics}
    for alarm in plan.alarm:
        if alarm.metric not in measured:
            raise UnknownName("metric of an alarm", alarm.metric, measured)
        if not measured[alarm.metric].higher_is_better:
            raise BadOption(
                f"An alarm tells that a mean has fallen, and a lower {alarm.metric} is better: "
                "choose a metric of which more is better."
            )


def _is_of(found: TestCase | UnreadableTrace, trace: str) -> bool:
    """Tell whether a test case is of a trace itself: an evaluation that came with it may link to another."""
    return trace in (found.id if isinstance(found, TestCase) else found.place)


async def work(worker: TraceWorker, *, stop: asyncio.Event | None, pause: float = 1.0) -> StepCounts:
    """Step until told to stop; without `stop`, until nothing is left to be judged. Return the sums."""
    sums = StepCounts()
    while stop is None or not stop.is_set():
        done = await worker.step()
        sums = replace(
            sums,
            claimed=sums.claimed + done.claimed,
            judged=sums.judged + done.judged,
            unreadable=sums.unreadable + done.unreadable,
            failed=sums.failed + done.failed,
        )
        if not done.claimed:
            if stop is None:
                return sums
            await asyncio.sleep(pause)
    return sums
