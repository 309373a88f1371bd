"""The marker `ragstone_dataset`: one test for each test case of a dataset, and the cases of later tests."""

import re
from collections.abc import Iterable, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from ragstone.case import TestCase
from ragstone.datasets import BadRow, read_dataset
from ragstone.errors import BadDataset, UsageError

if TYPE_CHECKING:
    from ragstone.metrics import Metric

_MAX_ID_LENGTH = 60


def parametrize_from_dataset(metafunc: pytest.Metafunc, marker: pytest.Mark) -> None:
    """Parametrize a test with the rows of a dataset; a row that cannot be read becomes a failing test."""
    options = dict(marker.kwargs)
    argname, limit = options.pop("argname", "case"), options.pop("limit", None)
    if len(marker.args) != 1 or options:
        _fail_collection(
            metafunc, f"write @pytest.mark.{marker.name}('cases.jsonl', argname='case', limit=None)"
        )
    if argname not in metafunc.fixturenames:
        _fail_collection(
            metafunc, f"the test takes no argument {argname!r}: add it, or write argname='…' in the marker"
        )
    try:
        rows = list(islice(read_dataset(_resolve_dataset(marker.args[0], metafunc)), limit))
    except UsageError as error:
        _fail_collection(metafunc, str(error))
        return
    metafunc.parametrize(argname, [pytest.param(row, id=_test_id(row)) for row in rows])


def refuse_bad_rows(values: Iterable[object]) -> None:
    """Raise for a parameter that is a row that could not be read."""
    for value in values:
        if isinstance(value, BadRow):
            raise BadDataset(str(value))


def _resolve_dataset(data: object, metafunc: pytest.Metafunc) -> object:
    """Return the dataset; a relative path is resolved against the test file's folder, then pytest's root."""
    if not isinstance(data, str | Path) or str(data) in ("demo", "-"):
        return data
    folders = (metafunc.definition.path.parent, metafunc.config.rootpath)
    return next((path for folder in folders if (path := folder / data).exists()), folders[0] / data)


def _test_id(row: TestCase | BadRow) -> str:
    if isinstance(row, BadRow):
        return "unreadable"
    if "id" in row.model_fields_set:
        return re.sub(r"\s+", " ", row.id).replace("::", ":")
    name = row.name or (f"{row.input[:_MAX_ID_LENGTH]}…" if len(row.input) > _MAX_ID_LENGTH else row.input)
    return re.sub(r"\s+", " ", name).replace("::", ":").strip() or row.id


def _fail_collection(metafunc: pytest.Metafunc, problem: str) -> None:
    pytest.fail(f"{metafunc.definition.nodeid}: {problem}", pytrace=False)


def upcoming_cases(item: pytest.Item, case: object, metrics: "Sequence[Metric]") -> list[TestCase]:
    """Return the cases of later tests of the same function in this process, if `case` is a parameter of `item` itself.

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
    """Return the tests that this process is known to run after `item`.

    A worker of pytest-xdist knows all tests and receives its share in chunks: only those in its queue are sure to run.
    """
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
