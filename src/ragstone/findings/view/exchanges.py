"""Requests to a judge and its answers as readable text. Recorded answers are JSON within JSON."""

import json
from collections.abc import Iterator
from typing import Any, cast

from ragstone.store import StoredExchange


def answer_text(exchange: StoredExchange) -> str:
    """Return the text that the judge wrote, from the record; the whole record if it holds no such text."""
    try:
        record: Any = json.loads(exchange.response)
        return str(record["response"])
    except (ValueError, KeyError, TypeError):
        return exchange.response


def readable_lines(text: str) -> Iterator[str]:
    """Yield the lines of a text. A JSON document becomes indented names and values without JSON punctuation."""
    try:
        value: object = json.loads(text)
    except (ValueError, RecursionError):
        yield from text.splitlines()
        return
    yield from _lines(value)


def _lines(value: object, indent: str = "") -> Iterator[str]:
    if isinstance(value, dict):
        for name, part in cast("dict[str, object]", value).items():
            if isinstance(part, dict | list) and part:
                yield f"{indent}{name}:"
                yield from _lines(cast("object", part), f"{indent}  ")
            else:
                yield f"{indent}{name}: {_scalar(cast('object', part))}"
    elif isinstance(value, list):
        for part in cast("list[object]", value):
            lines = list(_lines(part, f"{indent}  "))
            yield f"{indent}- {lines[0].lstrip()}" if lines else f"{indent}-"
            yield from lines[1:]
    else:
        yield f"{indent}{_scalar(value)}"


def _scalar(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value)
