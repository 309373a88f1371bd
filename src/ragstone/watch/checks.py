"""Periodic checks of a watch, each made once for all processes: of its judges, and of users' questions."""

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial

from ragstone.errors import describe
from ragstone.store.queue.trace_queue import TraceQueue
from ragstone.store.queue.watch_state import end_check, take_check
from ragstone.watch.anchor import check_anchor, checked_judges
from ragstone.watch.drift import find_drift
from ragstone.watch.judge_check import check_name
from ragstone.watch.plan import WatchPlan

Check = Callable[[TraceQueue, WatchPlan], Awaitable[bool]]

_LEASE_SECONDS = 1800.0


async def make_checks(queue: TraceQueue, plan: WatchPlan) -> list[str]:
    """Make the checks that are due; return a line for each that failed.

    A failed check is made again in ten minutes. So is one in which no case could be judged: the judge's state reports
    it until a check has a result.
    """
    problems: list[str] = []
    for name, (every, check) in _planned_checks(plan).items():
        begin = partial(take_check, queue.engine, plan.name, name, every, duration=_LEASE_SECONDS)
        claim = await asyncio.to_thread(begin)
        if claim is None:
            continue
        done = False
        try:
            done = await check(queue, plan)
        except Exception as error:  # noqa: BLE001  (a check that fails stops no judging)
            problems.append(f"the check of the {name} failed and will be repeated later: {describe(error)}")
        await asyncio.to_thread(partial(end_check, queue.engine, claim, done=done))
    return problems


def _planned_checks(plan: WatchPlan) -> dict[str, tuple[float, Check]]:
    """Return the checks by name: seconds between two, and the check, which returns whether it had a result."""
    checks: dict[str, tuple[float, Check]] = {}
    if plan.anchor is not None:
        for judged_by in checked_judges(plan):
            checks[check_name(judged_by)] = (plan.anchor.every, partial(_run_anchor_check, judged_by))
    if plan.drift is not None:
        checks["drift"] = (plan.drift.every or plan.window, _run_drift_check)
    return checks


async def _run_anchor_check(judged_by: str, queue: TraceQueue, plan: WatchPlan) -> bool:
    check = await check_anchor(queue, plan, judged_by)
    return check is None or check.unchecked is None


async def _run_drift_check(queue: TraceQueue, plan: WatchPlan) -> bool:
    await asyncio.to_thread(find_drift, queue, plan)
    return True
