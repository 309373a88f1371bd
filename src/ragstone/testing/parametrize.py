"""The marker `ragstone_dataset`: one test for each test case of a dataset."""

import re
from collections.abc import Iterable
from itertools import islice
from pathlib import Path

import pytest

from ragstone.case import TestCase
from ragstone.datasets import BadRow, read_dataset
from ragstone.errors import BadDataset, UsageError

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
    """Raise for a parameter that is a row that could not be read.

    Raises:
        BadDataset: with file and line.
    """
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
