"""The spans of an application that a receiver puts into the store of the run."""

import asyncio
from collections.abc import Sequence

from ragstone.api.options import StoreOption
from ragstone.errors import BadOption
from ragstone.store import Store, open_store
from ragstone.traces.span import Record


class StoreSpans:
    """Reads the spans of a call from the traces that a store has received; see `SpanSource`."""

    patience = 10.0

    def __init__(self, store: StoreOption) -> None:
        """Read from `store`, which is opened unless it is open.

        Raises:
            BadOption: the run has no store.
        """
        if store is None or store is False:
            raise BadOption(
                "app_traces reads the spans of the application from the store into which `ragstone serve --otlp` "
                "receives them, and this run has no store: give --store (store=…)"
            )
        self._traces = (store if isinstance(store, Store) else open_store(store)).traces

    def expect(self, trace_id: str) -> None:
        """Do nothing: the receiver takes every trace."""

    def forget(self, trace_id: str) -> None:
        """Do nothing, likewise."""

    async def records(self, trace_id: str) -> Sequence[Record]:
        """Return the records of a trace that have been received."""
        return await asyncio.to_thread(self._traces.records, trace_id)
