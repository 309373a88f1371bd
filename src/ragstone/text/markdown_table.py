"""Rows and cells of a table in Markdown, as spans."""

import re

_DELIMITER_CELL = re.compile(r"\s*:?-+:?\s*\Z")
_CELL = re.compile(r"((?:[^|\\]|\\.)*+)(?:\||\Z)")


def cells(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Return the spans of the cells of a row, which may have a bar at either end."""
    row = text[start:end]
    left = start + len(row) - len(row.lstrip())
    left += text.startswith("|", left, end)
    right = start + len(row.rstrip())
    right -= right > left and text[right - 1] == "|"
    return [cell.span(1) for cell in _CELL.finditer(text, left, right) if cell.end() > cell.start()]


def is_delimiter_row(text: str, start: int, end: int) -> bool:
    """Return whether a line is the row of hyphens below the header of a table."""
    found = cells(text, start, end) if "|" in text[start:end] else []
    return bool(found) and all(_DELIMITER_CELL.match(text[left:right]) for left, right in found)
