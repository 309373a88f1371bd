"""One row as JSON: a line of a JSON lines file, or an element of an array."""

import json
from typing import Any, cast

from ragstone.datasets.files.text import MOST_VALUES, find_text_problem, has_too_many_values
from ragstone.datasets.rows.row import BadRow, RawRow


def parse_row(source: str, place: str, text: str) -> RawRow | BadRow:
    """Return the row in one JSON text, or a report on why it cannot be read."""
    bad = find_text_problem(source, place, text)
    if bad:
        return bad
    if has_too_many_values(text):
        return BadRow(
            source,
            place,
            f"the row contains more than {MOST_VALUES:,} values.",
            "Put fewer values into one row.",
        )
    try:
        value: Any = json.loads(text)
    except json.JSONDecodeError as error:
        position = f"character {error.pos + 1}"
        problem = f"this is not valid JSON: {error.msg} at {position}, in {_excerpt(text, error.pos)}."
        return BadRow(
            source, place, problem, 'Write one JSON object, such as {"input": "…", "actual_output": "…"}.'
        )
    except (ValueError, RecursionError) as error:
        return BadRow(source, place, f"this JSON cannot be read: {error}.", "Write a simpler object.")
    if not isinstance(value, dict):
        problem = f"a JSON object is expected, not {_excerpt(text, 0)}."
        return BadRow(source, place, problem, 'Write {"input": "…", "actual_output": "…"}.')
    return RawRow(place, cast("dict[str, Any]", value))


def _excerpt(text: str, position: int, width: int = 30) -> str:
    start = max(0, position - width // 2)
    return repr(text[start : start + width].strip())
