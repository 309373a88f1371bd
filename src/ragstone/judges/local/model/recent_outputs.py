"""Outputs of pairs that were read: several metrics of a case ask about the same texts."""

from collections import OrderedDict
from collections.abc import Hashable, Mapping, Sequence
from threading import Lock
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class RecentOutputs(Generic[K, V]):
    """Outputs by their keys, those used last; for all threads."""

    def __init__(self, most: int) -> None:
        """Keep at most `most` of them."""
        self._most = most
        self._known: OrderedDict[K, V] = OrderedDict()
        self._lock = Lock()

    def of(self, keys: Sequence[K]) -> dict[K, V]:
        """Return what is known of some keys."""
        with self._lock:
            found = {key: self._known[key] for key in keys if key in self._known}
            for key in found:
                self._known.move_to_end(key)
        return found

    def keep(self, new: Mapping[K, V]) -> None:
        """Keep new outputs, and drop those that were used longest ago where there are too many."""
        with self._lock:
            self._known.update(new)
            while len(self._known) > self._most:
                self._known.popitem(last=False)
