"""Runs in a database: SQLite by default, PostgreSQL by URL. Only this room knows SQL."""

from typing import TYPE_CHECKING, Any

from ragstone.plugins import load

if TYPE_CHECKING:
    from ragstone.store._connect import default_path
    from ragstone.store._store import Store, open_store

_PLACES = {
    "Store": "ragstone.store._store:Store",
    "default_path": "ragstone.store._connect:default_path",
    "open_store": "ragstone.store._store:open_store",
}

__all__ = ["Store", "default_path", "open_store"]


def __getattr__(name: str) -> Any:  # noqa: ANN401  (a module's attribute may be anything)
    if name in _PLACES:
        return load(_PLACES[name])
    msg = f"module {__name__!r} has no attribute {name!r}"
    raise AttributeError(msg)
