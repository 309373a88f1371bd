"""Which cases the tests to come will ask about: the other parameters of the same test, still to be run here.

Under pytest-xdist each worker has the whole list of tests and runs a part of it that it is told bit by bit: only what
lies in its queue already is its own.
"""

from collections.abc import Iterable, Sequence
from typing import Any

import pytest

from ragstone.case import TestCase
from ragstone.metrics import Metric


def upcoming_cases(item: pytest.Item, case: object, metrics: Sequence[Metric]) -> list[TestCase]:
    """Return the cases that follow, where `case` is a parameter of `item` itself and not a value made from it.

    Cases that lack a field which a metric needs are left out: their tests will say so themselves.
    """
    names = [name for name, value in _params(item).items() if value == case and isinstance(value, TestCase)]
    if not names:
        return []
    found = (_params(other).get(names[0]) for other in _queue(item) if _function(other) == _function(item))
    needs = tuple({field for metric in metrics for field in metric.fields_needed})
    return list(
        dict.fromkeys(
            other
            for other in found
            if isinstance(other, TestCase) and other != case and not other.missing(needs)
        )
    )


def _queue(item: pytest.Item) -> Iterable[pytest.Item]:
    """Return the tests that this process will run after `item`, as far as it knows."""
    items = item.session.items
    if not hasattr(item.config, "workerinput"):
        return items[items.index(item) + 1 :]
    return [items[index] for index in _worker_queue(item.config) if isinstance(index, int)]


def _worker_queue(config: pytest.Config) -> list[Any]:
    """Return the indices that wait in this worker's queue; none where xdist keeps it elsewhere than it did."""
    for plugin in config.pluginmanager.get_plugins():
        queue = getattr(plugin, "torun", None)
        if queue is not None and hasattr(queue, "lock"):
            with queue.lock() as waiting:
                return [getattr(plugin, "nextitem_index", None), *waiting]
    return []


def _params(item: pytest.Item) -> dict[str, Any]:
    return getattr(getattr(item, "callspec", None), "params", None) or {}


def _function(item: pytest.Item) -> tuple[str, str]:
    parent = item.parent.nodeid if item.parent is not None else ""
    return parent, getattr(item, "originalname", None) or item.name
