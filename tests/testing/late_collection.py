"""One process of pytest-xdist collects; the others import a test file when they are to run it.

Each process would import all test files, and with them every framework that some test is about: 17 s of CPU.
"""

import gc
import json
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from _pytest.runner import collect_one_node

FIRST = "gw0"
_PATIENCE = 600.0


def arrange(session: pytest.Session, place: Path) -> None:
    """Let the first process write the ids of what it collected to `place`, and the others read them there.

    Left as it is: a session that runs chosen files, or in one process.
    """
    worker, config = os.environ.get("PYTEST_XDIST_WORKER"), session.config
    if worker is None or config.args != config.getini("testpaths"):
        return
    collect = session.perform_collect
    if worker == FIRST:
        _replace(session, lambda: _tell(collect, place))
    else:
        _replace(session, lambda: _read(session, place))


def _replace(session: pytest.Session, collect: Callable[[], object]) -> None:
    session.perform_collect = collect  # type: ignore[method-assign, assignment]


def _tell(collect: Callable[[], Any], place: Path) -> object:
    ids: list[str] = []
    try:
        items = collect()
        ids += [item.nodeid for item in items]
        return items
    finally:  # where a file cannot be imported the session ends, and the others must not wait
        written = place.with_suffix(".part")
        written.write_text(json.dumps(ids), "utf-8")
        written.replace(place)


def _read(session: pytest.Session, place: Path) -> object:
    end = time.monotonic() + _PATIENCE
    while not place.exists():
        assert time.monotonic() < end, "the first process of pytest-xdist has collected nothing"
        time.sleep(0.1)
    session.items = items = _LateItems(session, json.loads(place.read_text("utf-8")))
    for path in session.config.args:
        items.collected(path)  # with the fixtures of conftests that pytest has read already
    session.testscollected = len(session.items)
    session.config.hook.pytest_collection_finish(session=session)
    return session.items


class _Id:
    """What stands for an item of which only the id is known."""

    def __init__(self, nodeid: str) -> None:
        self.nodeid = nodeid


class _LateItems(list[Any]):
    """Items of which those of a file are made when the first of them is asked for by its index."""

    def __init__(self, session: pytest.Session, ids: list[str]) -> None:
        super().__init__(map(_Id, ids))
        self._session = session
        top = session.gethookproxy(session.path).pytest_collect_directory(path=session.path, parent=session)
        self._children: dict[pytest.Collector, list[Any]] = {session: [top]}
        self._made: dict[str, pytest.Item] = {}

    def __getitem__(self, index: Any) -> Any:
        nodeid = super().__getitem__(index).nodeid
        if nodeid not in self._made:
            gc.disable()
            try:
                self._made |= {item.nodeid: item for item in self._items(nodeid.partition("::")[0])}
            finally:
                gc.enable()
                gc.collect()
                gc.freeze()
        return self._made[nodeid]

    def collected(self, path: str) -> list[Any]:
        """Return what a directory or a file holds."""
        (node,) = self._of(self._session)
        for part in Path(path).parts:
            node = next(child for child in self._of(node) if child.path == node.path / part)
        return self._of(node)

    def _items(self, file: str) -> list[pytest.Item]:
        session = self._session
        items = [item for node in self.collected(file) for item in session.genitems(node)]
        session.config.hook.pytest_collection_modifyitems(session=session, config=session.config, items=items)
        return items

    def _of(self, node: pytest.Collector) -> list[Any]:
        if node not in self._children:
            self._children[node] = list(collect_one_node(node).result)
        return self._children[node]
