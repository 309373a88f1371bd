"""Cache of the outputs for pairs of texts, since several metrics of a case compare the same texts."""

from collections import OrderedDict
from collections.abc import Hashable, Mapping, Sequence
from threading import Lock
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class RecentOutputs(Generic[K, V]):
    """The most recently used outputs, by key. Thread-safe."""

    def __init__(self, max_size: int) -> None:
        """Create a cache of at most `max_size` outputs."""
        self._max_size = max_size
        self._outputs: OrderedDict[K, V] = OrderedDict()
        self._lock = Lock()

    def of(self, keys: Sequence[K]) -> dict[K, V]:
        """Return the outputs of those keys that are cached."""
        with self._lock:
            cached = {key: self._outputs[key] for key in keys if key in self._outputs}
            for key in cached:
                self._outputs.move_to_end(key)
        return cached

    def keep(self, new: Mapping[K, V]) -> None:
        """Add new outputs; remove the least recently used ones if there are too many."""
        with self._lock:
            self._outputs.update(new)
            while len(self._outputs) > self._max_size:
                self._outputs.popitem(last=False)
