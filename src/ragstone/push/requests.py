"""Requests of a push, and batches of items."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class PushRequest:
    """One request.

    Attributes:
        method: `POST`, `PATCH` or `GET`.
        url: the full URL.
        body: the JSON body; None for an empty body.
        scores: number of scores in the request.
    """

    method: str
    url: str
    body: dict[str, Any] | None
    scores: int = 1


def batches(items: Iterable[T], size: int) -> Iterator[list[T]]:
    """Yield the items in lists of up to `size`."""
    iterator = iter(items)
    while batch := list(islice(iterator, size)):
        yield batch
