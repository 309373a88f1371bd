"""The cases of later tests: the other parameters of the same test function that this process will run.

Under pytest-xdist each worker knows all tests and receives its share in chunks: only tests in its queue are certain to
run here.
"""

from collections.abc import Iterable, Sequence
from typing import Any

import pytest

from ragstone.case import TestCase
from ragstone.metrics import Metric


def upcoming_cases(item: pytest.Item, case: object, metrics: Sequence[Metric]) -> list[TestCase]:
    """Return the cases of later tests, if `case` is a parameter of `item` itself.

    Cases that lack a field that a metric needs are left out: their own tests report it.
    """
    names = [name for name, value in _params(item).items() if value == case and isinstance(value, TestCase)]
    if not names:
        return []
    values = (_params(other).get(names[0]) for other in _queue(item) if _function(other) == _function(item))
    return list(
        dict.fromkeys(
            other
            for other in values
            if isinstance(other, TestCase)
            and other != case
            and not any(metric.missing(other) for metric in metrics)
        )
    )


def _queue(item: pytest.Item) -> Iterable[pytest.Item]:
    """Return the tests that this process is known to run after `item`."""
    items = item.session.items
    if not hasattr(item.config, "workerinput"):
        return items[items.index(item) + 1 :]
    return [items[index] for index in _worker_queue(item.config) if isinstance(index, int)]


def _worker_queue(config: pytest.Config) -> list[Any]:
    """Return the indices in this worker's queue; none if this version of xdist stores them elsewhere."""
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
