"""A run that asks in batches: as many measurements at once as memory allows, so that a stage of all is one batch.

What bounds memory is the window: so many measurements are under way, the others wait in the dataset. A metric that asks
three times one after the other, over a dataset that fits the window, makes three batches.
"""

from ragstone.event import EventListener
from ragstone.providers.batches.log import BatchLog
from ragstone.providers.batches.scheduler import INTERVAL, BatchScheduler
from ragstone.run import Run

WINDOW = 5_000
"""Measurements that are under way at once."""


def batch_scheduler_of(run: Run, emit: EventListener, batch_log: BatchLog | None) -> BatchScheduler | None:
    """Return what takes the calls of a run that is to ask in batches; None for one that asks at once."""
    if not run.plan.batch:
        return None
    return BatchScheduler(
        run.id, batch_log=batch_log, interval=run.plan.batch_interval or INTERVAL, emit=emit
    )
