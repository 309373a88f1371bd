"""A run that asks in batches: as many measurements at once as memory allows, so that a stage of all is one batch.

What bounds memory is the window: so many measurements are under way, the others wait in the dataset. A metric that asks
three times one after the other, over a dataset that fits the window, makes three batches.
"""

from ragstone.event import Emit
from ragstone.providers.batches._dispatch import INTERVAL, Dispatch
from ragstone.providers.batches._ledger import Ledger
from ragstone.run import Run

WINDOW = 5_000
"""Measurements that are under way at once."""


def dispatch_of(run: Run, emit: Emit, ledger: Ledger | None) -> Dispatch | None:
    """Return what takes the calls of a run that is to ask in batches; None for one that asks at once."""
    if not run.plan.batch:
        return None
    return Dispatch(run.id, ledger=ledger, interval=run.plan.batch_interval or INTERVAL, tell=emit)
