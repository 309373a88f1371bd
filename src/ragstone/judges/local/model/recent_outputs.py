"""Cache of what was computed from texts, since several metrics of a case compare the same texts."""

from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping, Sequence
from threading import Lock
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class RecentOutputs(Generic[K, V]):
    """The most recently used values, by key. Thread-safe."""

    def __init__(self, most: int, size: Callable[[K], int] = lambda _: 1) -> None:
        """Create a cache of keys whose sizes add up to at most `most`."""
        self._most, self._size = most, size
        self._values: OrderedDict[K, V] = OrderedDict()
        self._total = 0
        self._lock = Lock()

    def of(self, keys: Sequence[K]) -> dict[K, V]:
        """Return the values of those keys that are cached."""
        with self._lock:
            cached = {key: self._values[key] for key in keys if key in self._values}
            for key in cached:
                self._values.move_to_end(key)
        return cached

    def keep(self, new: Mapping[K, V]) -> None:
        """Add new values; remove the least recently used ones if there are too many."""
        with self._lock:
            self._total += sum(self._size(key) for key in new if key not in self._values)
            self._values.update(new)
            while self._total > self._most:
                self._total -= self._size(self._values.popitem(last=False)[0])
