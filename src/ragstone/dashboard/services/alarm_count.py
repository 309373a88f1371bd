"""How many alarms of watches are on, for the navigation of every page."""

from threading import Lock
from time import monotonic

from ragstone.store import Store
from ragstone.watch.overview import alarm_count

_REUSE_SECONDS = 2.0


class AlarmCount:
    """The alarms of one store, counted every two seconds at most. It may be used from any thread."""

    def __init__(self, store: Store) -> None:
        """Count the alarms of `store`."""
        self._store = store
        self._lock = Lock()
        self._count, self._until = 0, 0.0

    def now(self) -> int:
        """Return how many alarms are on."""
        with self._lock:
            if monotonic() >= self._until:
                self._count = alarm_count(self._store.traces)
                self._until = monotonic() + _REUSE_SECONDS
            return self._count
