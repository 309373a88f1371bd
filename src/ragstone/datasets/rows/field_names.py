"""The names that other tools give to a test case's fields: the one place where they are known.

| field | also read from |
|---|---|
| input | question, user_input, query |
| actual_output | answer, response, output |
| expected_output | ground_truth, reference, expected, expected_answer, ideal, reference_answer, … |
| retrieval_context | contexts, retrieved_contexts, retrieved_context |
| context | reference_contexts, reference_context |
| expected_tools | reference_tool_calls |
| retrieved_ids | retrieved_context_ids |
| relevant_ids | reference_context_ids |
| id | query_id, example_id |

Names are compared without regard to case, blanks and hyphens, and `camelCase` is `snake_case`. The field's
own name wins over the others, those in the order above; what loses, and every other column, goes to metadata.
"""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from ragstone.case import ALIASES
from ragstone.datasets.rows.values import is_missing

_FIELD_AND_RANK = {name: (field, rank) for field, names in ALIASES.items() for rank, name in enumerate(names)}

_EMPTY_LIST_FIELDS = frozenset({"tools_called", "expected_tools"})
"""Fields in which an empty list is a value: no call was made, or none is expected."""

KNOWN = frozenset(_FIELD_AND_RANK)
"""All names that are read as fields."""


@lru_cache(maxsize=1024)  # a dataset has the same few columns in every row
def normalize_name(name: str) -> str:
    """Return the normalized name of a column: `User Input`, `userInput`, `user-input` are `user_input`."""
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name.strip())
    return re.sub(r"[\s\-_]+", "_", words).lower()


def rename(values: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the values under the names of the test case's fields, and the remaining values under their own names.

    An empty value never displaces a full one: if the preferred name has no value, the next name fills the
    field.
    """
    candidates: dict[str, list[tuple[int, bool, str]]] = {}
    rest: dict[str, Any] = {}
    for column, value in values.items():
        name = normalize_name(column)
        if name not in _FIELD_AND_RANK:
            rest[column] = value
        elif not is_missing(value) or (value == [] and _FIELD_AND_RANK[name][0] in _EMPTY_LIST_FIELDS):
            field, rank = _FIELD_AND_RANK[name]
            candidates.setdefault(field, []).append((rank, column != name, column))
    fields: dict[str, Any] = {}
    for field, columns in candidates.items():
        (_, _, preferred), *others = sorted(columns)
        fields[field] = values[preferred]
        rest.update({column: values[column] for _, _, column in others})
    return fields, rest


def count_known_columns(columns: list[str]) -> int:
    """Return how many of the columns are read as fields; this distinguishes a table's header from other text."""
    return len(
        {
            name
            for name in map(normalize_name, columns)
            if name in KNOWN or name.startswith(("inputs.", "outputs."))
        }
    )
