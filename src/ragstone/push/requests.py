"""Requests of a push, what their replies say, and batches of items."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any, TypeVar, cast
from urllib.parse import urlsplit, urlunsplit

from ragstone.providers.http.address import join

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class PushRequest:
    """One request with a JSON body, and how many scores it has."""

    method: str
    url: str
    body: dict[str, Any] | None
    scores: int = 1


@dataclass(frozen=True, slots=True)
class PushRefusal:
    """Scores that the destination did not accept, although it answered with status 200; its reason is not cleaned."""

    scores: int
    reason: str


def mapping(value: object) -> dict[str, Any]:
    """Return a value of a reply if it is a JSON object, else an empty one: a server may send anything."""
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def mappings(value: object) -> list[dict[str, Any]]:
    """Return the JSON objects in a value of a reply if it is a list, else none."""
    items = cast("list[object]", value) if isinstance(value, list) else []
    return [cast("dict[str, Any]", item) for item in items if isinstance(item, dict)]


def given(fields: dict[str, Any]) -> dict[str, Any]:
    """Return the fields that have a value."""
    return {name: value for name, value in fields.items() if value is not None}


def url_below(base: str, path: str, query: str = "") -> str:
    """Return the URL of a path below a server's URL, with the query of both."""
    parts = urlsplit(join(base, path))
    return urlunsplit(parts._replace(query="&".join(part for part in (parts.query, query) if part)))


def batches(items: Iterable[T], size: int) -> Iterator[list[T]]:
    """Yield the items in lists of up to `size`."""
    iterator = iter(items)
    while batch := list(islice(iterator, size)):
        yield batch
