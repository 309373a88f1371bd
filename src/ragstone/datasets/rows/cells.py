"""Lists written as text in the cells of tables whose format has no lists.

Four spellings are read, all in brackets: JSON, Python's `repr` of a list, numpy's (strings with only blanks
or line ends between them, as pandas and Ragas leave behind in CSV), and numpy's with `array(…, dtype=object)`
around it. A cell without brackets is one text. It is not split, since line ends, `|`, `;` and commas occur in passages;
only passages that DeepEval joined by `|` are separated (`looks_joined`).
"""

import ast
import json
import re
from itertools import pairwise
from typing import Any, cast

from ragstone.datasets.files.text import MOST_VALUES, has_too_many_values
from ragstone.datasets.rows.row import RowError

_NUMPY_ARRAY = re.compile(r"\Aarray\((?P<list>\[.*\])(?:,\s*dtype=[^()]*)?\)\Z", re.DOTALL)
_STRING_PATTERN = r"""(?:'(?:[^'\\]|\\.)*+'|"(?:[^"\\]|\\.)*+")"""
_STRING_LIST = re.compile(rf"\A\[\s*(?:{_STRING_PATTERN}(?:\s*,\s*|\s+|(?=\s*\])))*+\s*\]\Z", re.DOTALL)
_EACH_STRING = re.compile(_STRING_PATTERN, re.DOTALL)
_ESCAPE_SEQUENCE = re.compile(r"\\(.)", re.DOTALL)
_MAX_LITERAL_CHARACTERS = 128 * 1024
"""Most characters passed to Python's parser, which takes some hundred times as much memory as the text."""

_MOST_SHOWN = 60
_KNOWN_ESCAPES = frozenset("\\'\"abfnrtvxuUN01234567\n")


def parse_list(text: str) -> list[Any] | None:
    """Return the list written in `text`, None if it is a plain text."""
    stripped = text.strip()
    array = _NUMPY_ARRAY.match(stripped)
    if array:
        stripped = array["list"]
    if not (stripped.startswith("[") and stripped.endswith("]")):
        return None
    if has_too_many_values(stripped):
        raise RowError(
            f"a list contains more than {MOST_VALUES:,} values.", "Put fewer values into one cell."
        )
    for parse in (_parse_json, _parse_string_list, _parse_literal):
        value = parse(stripped)
        if value is not None:
            return value
    if not array and re.match(r"\[[\w .,:;/-]{1,40}\]\s*\S", stripped):
        return None  # a text that opens and closes with a footnote mark, such as "[1] See the manual. [2]"
    shown = repr(stripped) if len(stripped) <= _MOST_SHOWN else f"{stripped[:_MOST_SHOWN]!r}…"
    raise RowError(
        f"a list is expected, not {shown}.", 'Write it as JSON: ["first passage", "second passage"].'
    )


DEEPEVAL_COLUMN = "custom_column_key_values"
"""A name that only the datasets have that DeepEval saves."""

_SENTENCE_END = frozenset(".!?:\"')]\u2026\u201d\u2019\u3002\uff01\uff1f")


def looks_joined(text: str) -> bool:
    """Return whether each `|` in a text stands between two passages.

    It does if no blank is on both sides, as in a table, and a sentence ends before it or an upper-case letter follows.
    """
    parts = text.split("|")
    return len(parts) > 1 and all(
        before.strip()
        and after.strip()
        and not (before[-1].isspace() and after[0].isspace())
        and (before.rstrip()[-1] in _SENTENCE_END or after.lstrip()[0].isupper())
        for before, after in pairwise(parts)
    )


def parse_mapping(text: str) -> dict[str, Any] | None:
    """Return the mapping written in `text` as JSON or as Python's `repr`, None if it is not a mapping."""
    stripped = text.strip()
    if not (stripped.startswith("{") and stripped.endswith("}")):
        return None
    if has_too_many_values(stripped):
        return None
    for parse in (_parse_json, _parse_literal):
        parsed = parse(stripped)
        if isinstance(parsed, dict):
            return {str(key): value for key, value in cast("dict[object, Any]", parsed).items()}
    return None


def _parse_json(text: str) -> Any:  # noqa: ANN401  (any value)
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _parse_string_list(text: str) -> list[Any] | None:
    # Python reads ['a' 'b'], numpy's spelling of two texts, as the text 'ab': each string is parsed on its own.
    if not _STRING_LIST.match(text):
        return None
    literals = (each[0].replace("\r", "\\r").replace("\n", "\\n") for each in _EACH_STRING.finditer(text))
    values = list(map(_evaluate, literals))
    return values if all(isinstance(item, str) for item in values) else None


def _parse_literal(text: str) -> Any:  # noqa: ANN401  (any value)
    return _evaluate(text) if len(text) <= _MAX_LITERAL_CHARACTERS else None


def _evaluate(text: str) -> Any:  # noqa: ANN401  (any value)
    try:
        return ast.literal_eval(_ESCAPE_SEQUENCE.sub(_double_unknown_escape, text))
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return None


def _double_unknown_escape(match: re.Match[str]) -> str:
    """Return a known escape unchanged; any other backslash is doubled, as it is literal (in a Windows path)."""
    return match[0] if match[1] in _KNOWN_ESCAPES else f"\\{match[0]}"
