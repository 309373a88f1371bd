"""A worker that claims complete traces, judges them and writes the results. Several workers may share one store."""

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from datetime import UTC, datetime
from functools import partial
from hashlib import blake2b
from random import shuffle
from typing import Any, TypeVar

from ragstone.errors import BadOption, UnknownName
from ragstone.event import Event, JudgeCalled, MeasurementFinished
from ragstone.judges import Judge, get_judge
from ragstone.metric_label import base_name, metric_labels
from ragstone.metrics import Metric
from ragstone.metrics.base.selection import parse_metrics
from ragstone.result import NO_USAGE, Result
from ragstone.run import Plan, Run
from ragstone.runner.execute import execute
from ragstone.store.queue.claims import ClaimedUnit, CompletionRule
from ragstone.store.queue.scores import judged_sessions
from ragstone.store.queue.settlement import PEOPLE, JudgedUnit, give_up, read_state, settle
from ragstone.store.queue.trace_queue import TraceQueue
from ragstone.store.queue.watch_state import save_health, save_plan
from ragstone.store.schema.connect import DATABASE_ERRORS, is_database_failure
from ragstone.traces.options import TraceOptions
from ragstone.watch.alarms import advance
from ragstone.watch.anchor import read_anchor_set
from ragstone.watch.draw import Draw
from ragstone.watch.feedback import keep_arrived
from ragstone.watch.plan import WatchPlan
from ragstone.watch.supervision import WatchHealth, failure_text, pause_after
from ragstone.watch.units import UnreadableUnit, read_units

_MAX_CLAIMS = 16
_LEASE_SECONDS, _EXTEND_SECONDS = 180.0, 60.0
_RETRY_SECONDS, _MAX_RETRY_SECONDS = 5.0, 600.0
_PATIENCE_SECONDS, _MAX_FAILURES = 120.0, 3
JUDGING = "judging"  # name of the task of a worker
T = TypeVar("T")
_LATE_ERROR = "it arrived after its session was judged, so it is not judged"


@dataclass(frozen=True, slots=True)
class StepCounts:
    """Counts of one step of a worker: traces, or sessions, and test cases whose results were written (`judged`).

    Attributes:
        unreadable: traces or sessions that give no test case.
        failed: traces or sessions whose judge failed; they are retried or given up.
        late: traces that arrived after their session was judged.
        set_aside: traces or sessions that could not be read, judged or written; they are given up with their error.
    """

    claimed: int = 0
    judged: int = 0
    unreadable: int = 0
    failed: int = 0
    late: int = 0
    set_aside: int = 0

    def __add__(self, other: "StepCounts") -> "StepCounts":
        """Return the sums."""
        return StepCounts(*(getattr(self, field.name) + getattr(other, field.name) for field in fields(self)))


class TraceWorker:
    """Judges traces, sessions or spans according to a plan."""

    def __init__(
        self,
        queue: TraceQueue,
        plan: WatchPlan,
        *,
        health: WatchHealth | None = None,
        stop: asyncio.Event | None = None,
    ) -> None:
        """Read metrics, judges and conditions; nothing is written yet.

        `health` learns of failures of the database; `stop` ends the attempts at a database that fails, which end after
        two minutes without it.

        Raises:
            UsageError: the plan names something that does not exist, or an alarm that could never be raised.
        """
        self._queue = queue
        self._plan = plan
        self._health = health or WatchHealth(lambda _: None)
        self._stop = stop
        self._metrics: tuple[Metric, ...] = parse_metrics(plan.metrics)
        _check_alarms(plan, self._metrics)
        read_anchor_set(plan)
        self._judges: dict[str, Judge] = {"all": get_judge(plan.judge.all)}
        if plan.judge.sample is not None:
            self._judges["sample"] = get_judge(plan.judge.sample)
        self._draw = Draw(plan.sample, plan.judge.people)
        unit = plan.unit
        self._options = TraceOptions(unit.by, unit.retrieval_tools)
        idle = unit.idle if unit.by == "session" else None
        self._rule = CompletionRule(unit.settle, unit.patience, idle, unit.longest)
        self._saved = False

    async def step(self) -> StepCounts:
        """Judge some complete traces, and return the counts. The first step stores the plan for the page."""
        if not self._saved:
            # The URL of a webhook may be a secret, and the page does not need it.
            shown = self._plan.model_dump_json(exclude={"notify"})
            await self._database(partial(save_plan, self._queue.engine, self._plan.name, shown))
            self._saved = True
        claim = partial(self._queue.claim, _MAX_CLAIMS, self._rule, duration=_LEASE_SECONDS)
        claimed = await self._database(claim)
        counts = StepCounts(claimed=len(claimed))
        if claimed:
            extending = asyncio.create_task(self._keep_extending(claimed))
            try:
                for group in self._groups(claimed):
                    counts += await self._judge_separately(group)
            finally:
                extending.cancel()
        self._health.worked(JUDGING)
        return counts

    def _groups(self, claimed: Sequence[ClaimedUnit]) -> list[list[ClaimedUnit]]:
        """Return the claims to judge together: one by one, in random order, those that were claimed too often.

        Those were lost several times, and one of them may have ended the process.
        """
        most = self._plan.judge.attempts
        lost = [claim for claim in claimed if claim.attempts > most]
        shuffle(lost)
        fresh = [claim for claim in claimed if claim.attempts <= most]
        return [group for group in (fresh, *([claim] for claim in lost)) if group]

    async def _keep_extending(self, claimed: Sequence[ClaimedUnit]) -> None:
        while True:
            await asyncio.sleep(_EXTEND_SECONDS)
            with suppress(*DATABASE_ERRORS):  # a lease that ends costs another attempt
                await asyncio.to_thread(self._queue.extend, claimed, _LEASE_SECONDS)

    async def _database(self, call: Callable[[], T]) -> T:
        """Return the result of a call that uses the database, once the database does not fail.

        Raises:
            Exception: the call fails although the database can be written, or the time for attempts is over.
        """
        start = time.monotonic()
        failures = 0
        while True:
            try:
                return await asyncio.to_thread(call)
            except Exception as error:
                if not is_database_failure(error):
                    raise
                failures += 1
                failure = self._health.failed(JUDGING, error)
                if self._is_over(start) or (failures > _MAX_FAILURES and await self._is_writable()):
                    raise
                await pause_after(failure, self._stop)

    def _is_over(self, start: float) -> bool:
        if self._stop is not None:
            return self._stop.is_set()
        return time.monotonic() - start > _PATIENCE_SECONDS

    async def _is_writable(self) -> bool:
        try:
            await asyncio.to_thread(save_health, self._queue.engine, self._plan.name, {})
        except DATABASE_ERRORS:
            return False
        return True

    async def _judge_separately(self, claimed: Sequence[ClaimedUnit]) -> StepCounts:
        """Judge claims together; if that fails, one by one, and set those aside that fail alone."""
        if len(claimed) == 1 and claimed[0].attempts > 2 * self._plan.judge.attempts:
            reason = f"it was claimed {claimed[0].attempts} times, and its worker ended each time"
            return await self._set_aside(claimed[0], reason)
        try:
            return await self._judge(claimed)
        except (Exception, BaseExceptionGroup) as error:  # a metric may raise what is no Exception
            if is_database_failure(error) and not await self._is_writable():
                raise
            if len(claimed) == 1:
                return await self._set_aside(claimed[0], failure_text(error))
        counts = StepCounts()
        for claim in claimed:
            counts += await self._judge_separately([claim])
        return counts

    async def _set_aside(self, claim: ClaimedUnit, reason: str) -> StepCounts:
        await self._database(partial(give_up, self._queue.engine, claim, error=reason, dead=True))
        return StepCounts(set_aside=1)

    async def _judge(self, claimed: Sequence[ClaimedUnit]) -> StepCounts:
        await self._database(partial(keep_arrived, self._queue, claimed, self._plan))
        late = await self._database(partial(self._end_late, claimed))
        damaged = [UnreadableUnit(claim, claim.problem, is_error=True) for claim in claimed if claim.problem]
        ended = {claim.key for claim in (*late, *(unit.claim for unit in damaged))}
        cases, unreadable = await asyncio.to_thread(
            read_units, [claim for claim in claimed if claim.key not in ended], self._options
        )
        unreadable += damaged
        state = await self._database(partial(read_state, self._queue.engine, self._plan.name))
        judged = await self._measure("all", cases)
        for_people = [_for_people(u, self._draw.people) for u in judged if self._draw.is_for_people(u.unit)]
        drawn = self._draw_sample(judged, self._draw.rate(state)) if "sample" in self._judges else []
        judged += [*await self._measure("sample", drawn), *for_people]
        errors = (
            (unit, next((result.error for result in unit.results if result.error), None)) for unit in judged
        )
        failed = {unit.claimed.key: error for unit, error in errors if error}
        written = await self._database(partial(self._settle, judged, failed))
        for unit in unreadable:
            end = partial(give_up, self._queue.engine, unit.claim, error=unit.reason, dead=unit.is_error)
            await self._database(end)
        return StepCounts(
            judged=written,
            unreadable=sum(not unit.is_error for unit in unreadable),
            failed=len(failed),
            late=sum(len(claim.counts) for claim in late),
            set_aside=sum(unit.is_error for unit in unreadable),
        )

    def _end_late(self, claimed: Sequence[ClaimedUnit]) -> list[ClaimedUnit]:
        """End and return the claims on traces that arrived after their session was judged; these are not judged."""
        sessions = {claim.key for claim in claimed if claim.session}
        done = judged_sessions(self._queue.engine, self._plan.name, sessions) if sessions else set[str]()
        late = [claim for claim in claimed if claim.session in done]
        for claim in late:
            give_up(self._queue.engine, claim, error=_LATE_ERROR, dead=False)
        return late

    def _draw_sample(self, judged: Sequence[JudgedUnit], rate: float) -> list[JudgedUnit]:
        draw = self._draw
        rated = ((unit, draw.probability(draw.boost(unit.case, unit.results), rate)) for unit in judged)
        return [replace(unit, probability=share) for unit, share in rated if draw.is_drawn(unit.unit, share)]

    async def _measure(self, judged_by: str, units: Sequence[JudgedUnit]) -> list[JudgedUnit]:
        if not units:
            return []
        judge = self._judges[judged_by]
        events: list[Event] = []
        run, cases = self._daily_run(judged_by, judge), [unit.case for unit in units]
        total = len(units) * len(self._metrics)
        await execute(run, cases, self._metrics, judge, events.append, total=total)
        results: dict[int, dict[int, Result]] = {}
        exchanges: dict[int, list[JudgeCalled]] = {}
        for event in events:
            if isinstance(event, MeasurementFinished):
                results.setdefault(event.case_index, {})[event.metric_index] = event.result
            elif isinstance(event, JudgeCalled):
                exchanges.setdefault(event.case_index, []).append(event)
        judged: list[JudgedUnit] = []
        for index, unit in enumerate(units):
            if index in results:
                measured = tuple(result for _, result in sorted(results[index].items()))
                calls = tuple(exchanges.get(index, ()))
                judged.append(replace(unit, results=measured, exchanges=calls, judged_by=judged_by))
        return judged

    def _settle(self, judged: Sequence[JudgedUnit], failed: Mapping[str, str | None]) -> int:
        """Write the results; release units whose judge failed for a retry, unless their attempts are used up."""
        attempts = self._plan.judge.attempts
        retries = {unit.claimed.key: unit.claimed for unit in judged if unit.claimed.key in failed}
        retries = {key: claim for key, claim in retries.items() if claim.attempts < attempts}
        for key, claim in retries.items():
            pause = min(_RETRY_SECONDS * 2.0**claim.attempts, _MAX_RETRY_SECONDS)
            self._queue.retry([claim], pause=pause, error=failed[key] or "")
        runs = {name: self._daily_run(name, judge) for name, judge in self._judges.items()}
        runs[PEOPLE] = self._daily_run(PEOPLE, self._judges["all"])
        done = [unit for unit in judged if unit.claimed.key not in retries]
        if not done:
            return 0
        dead = {key: error or "" for key, error in failed.items() if key not in retries}
        place = (self._queue.engine, self._plan.name)
        written = settle(*place, runs, done, update_state=self._next_state, dead=dead)
        return len({unit.unit for unit in written})

    def _next_state(self, state: Mapping[str, Any], judged: Sequence[JudgedUnit]) -> Mapping[str, Any]:
        new_units = [unit for unit in judged if unit.judged_by == "all" and unit.claimed.revision == 1]
        results = [result for unit in new_units for result in unit.results]
        boosts = [self._draw.boost(unit.case, unit.results) for unit in new_units]
        now = time.time()
        rate = self._draw.next_rate(state.get("rate", {}), boosts, now)
        return {**state, "alarms": advance(self._plan.alarm, state, results, now), "rate": rate}

    def _daily_run(self, judged_by: str, judge: Judge) -> Run:
        """Return the run for today's results of a judge; it is equal in every worker."""
        plan = Plan(
            name=f"{self._plan.name} ({judged_by})",
            tags=("watch", self._plan.name, judged_by),
            metrics=tuple(metric.spec for metric in self._metrics),
            labels=metric_labels((metric.spec, metric.full_title) for metric in self._metrics),
            judge=judge.name,
            on_missing="skip",
            concurrency=self._plan.judge.concurrency,
            dataset="traces",
        )
        today = datetime.now(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
        key = blake2b(plan.model_dump_json().encode(), digest_size=6).hexdigest()
        return Run(id=f"{today:%Y%m%d}T000000-watch-{key}", plan=plan, started=today)


def _for_people(judged: JudgedUnit, share: float) -> JudgedUnit:
    """Return a test case for human review, with the judge's results at no further cost."""
    no_cost = {"usage": NO_USAGE, "evaluation_cost": None, "latency_ms": 0.0}
    results = tuple(result.model_copy(update=no_cost) for result in judged.results)
    return replace(judged, results=results, exchanges=(), judged_by=PEOPLE, probability=share)


def _check_alarms(plan: WatchPlan, metrics: Sequence[Metric]) -> None:
    """Refuse an alarm on a metric that is not measured or has no such label, or where lower is better."""
    measured = {base_name(metric.spec): metric for metric in metrics}
    for alarm in plan.alarm:
        if alarm.metric not in measured:
            raise UnknownName("metric of an alarm", alarm.metric, measured)
        if alarm.label is not None:
            if alarm.label not in measured[alarm.metric].categories:
                raise UnknownName(f"label of {alarm.metric}", alarm.label, measured[alarm.metric].categories)
            continue
        if not measured[alarm.metric].higher_is_better:
            raise BadOption(
                f"An alarm reports that a mean has fallen, but a lower {alarm.metric} is better: "
                "choose a metric for which higher is better."
            )


async def work(worker: TraceWorker, *, stop: asyncio.Event | None, pause: float = 1.0) -> StepCounts:
    """Run steps until `stop` is set; without `stop`, until no trace is left to judge. Return the summed counts."""
    sums = StepCounts()
    while stop is None or not stop.is_set():
        done = await worker.step()
        sums += done
        if not done.claimed:
            if stop is None:
                return sums
            await asyncio.sleep(pause)
    return sums
