"""Cache of the outputs for pairs of texts, since several metrics of a case ask about the same texts."""

from collections import OrderedDict
from collections.abc import Hashable, Mapping, Sequence
from threading import Lock
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class RecentOutputs(Generic[K, V]):
    """The most recently used outputs, by key. Safe for threads."""

    def __init__(self, most: int) -> None:
        """Keep at most `most` outputs."""
        self._most = most
        self._known: OrderedDict[K, V] = OrderedDict()
        self._lock = Lock()

    def of(self, keys: Sequence[K]) -> dict[K, V]:
        """Return the cached outputs of some keys."""
        with self._lock:
            found = {key: self._known[key] for key in keys if key in self._known}
            for key in found:
                self._known.move_to_end(key)
        return found

    def keep(self, new: Mapping[K, V]) -> None:
        """Add new outputs, and drop the least recently used ones if there are too many."""
        with self._lock:
            self._known.update(new)
            while len(self._known) > self._most:
                self._known.popitem(last=False)
