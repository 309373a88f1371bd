"""Destinations of the results of a run: a store, or memory. Both receive its events and make its report."""

from typing import TYPE_CHECKING, TypeAlias

from ragstone.api.options import StoreOption
from ragstone.findings import Collector

if TYPE_CHECKING:
    from ragstone.api._store_sink import StoreSink

RunSink: TypeAlias = "Collector | StoreSink"


def open_sink(store: StoreOption, *, resumed: bool) -> RunSink:
    """Return the sink of a run: a store if one is named or a run is resumed, else memory."""
    if not resumed and (store is None or store is False):
        return Collector()
    from ragstone.api._store_sink import StoreSink  # noqa: PLC0415  (a run without a store needs no database)

    return StoreSink(store)
