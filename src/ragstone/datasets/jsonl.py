"""JSON lines: one row a line. Each line stands for itself, so a broken one never touches its neighbours."""

import json
import zlib
from collections.abc import Iterator
from typing import Any, cast

from ragstone.datasets._row import BadRow, Row
from ragstone.datasets._source import Source
from ragstone.datasets._text import characters, cut_short, unfit


def rows(source: Source) -> Iterator[Row | BadRow]:
    """Yield the rows of `source`; blank lines are passed over."""
    number = 0
    with characters(source) as lines:
        try:
            for number, line in enumerate(lines, start=1):
                if line.strip():
                    yield parse(source.name, f"line {number}", line)
        except (OSError, EOFError, zlib.error) as error:
            yield cut_short(source.name, f"after line {number}", error)


def parse(source: str, place: str, text: str) -> Row | BadRow:
    """Return the row that one JSON text holds, or what is wrong with it."""
    bad = unfit(source, place, text)
    if bad:
        return bad
    try:
        value: Any = json.loads(text)
    except json.JSONDecodeError as error:
        at = f"character {error.pos + 1}"
        problem = f"this is no JSON: {error.msg} at {at}, in {_around(text, error.pos)}."
        return BadRow(
            source, place, problem, 'Write one JSON object, such as {"input": "…", "actual_output": "…"}.'
        )
    except (ValueError, RecursionError) as error:
        return BadRow(source, place, f"this JSON cannot be read: {error}.", "Write a simpler object.")
    if not isinstance(value, dict):
        problem = f"a JSON object is expected, not {_around(text, 0)}."
        return BadRow(source, place, problem, 'Write {"input": "…", "actual_output": "…"}.')
    return Row(place, cast("dict[str, Any]", value))


def _around(text: str, position: int, width: int = 30) -> str:
    start = max(0, position - width // 2)
    return repr(text[start : start + width].strip())
