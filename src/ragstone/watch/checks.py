"""Checks that a watch makes now and then, each once over all processes: of its judge, and of what users ask."""

from collections.abc import Awaitable, Callable

from ragstone.errors import describe
from ragstone.store.queue.checks import claim_check, end_check
from ragstone.store.queue.trace_queue import TraceQueue
from ragstone.watch.anchor import check_anchor
from ragstone.watch.drift import check_drift
from ragstone.watch.plan import WatchPlan

_LEASE = 1800.0


async def make_checks(queue: TraceQueue, plan: WatchPlan) -> list[str]:
    """Make the checks that are due; return a line for each that failed, and is made again in ten minutes."""
    problems: list[str] = []
    for name, (every, check) in _checks(plan).items():
        turn = claim_check(queue.engine, plan.name, name, every, duration=_LEASE)
        if turn is None:
            continue
        try:
            await check(queue, plan)
        except Exception as error:  # noqa: BLE001  (a check that fails stops no judging)
            end_check(queue.engine, turn, done=False)
            problems.append(f"the check of the {name} failed, and is made again later: {describe(error)}")
        else:
            end_check(queue.engine, turn, done=True)
    return problems


def _checks(plan: WatchPlan) -> dict[str, tuple[float, Callable[[TraceQueue, WatchPlan], Awaitable[object]]]]:
    """Return the checks of a plan by name: seconds between two, and what makes one."""
    found: dict[str, tuple[float, Callable[[TraceQueue, WatchPlan], Awaitable[object]]]] = {}
    if plan.anchor is not None:
        found["anchor"] = (plan.anchor.every, check_anchor)
    if plan.drift is not None:
        found["drift"] = (plan.drift.every or plan.window, check_drift)
    return found
