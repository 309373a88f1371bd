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

from ragstone.case import ALIASES, EMPTY_IS_A_VALUE
from ragstone.datasets.rows.row import is_missing

_FIELD_AND_RANK = {name: (field, rank) for field, names in ALIASES.items() for rank, name in enumerate(names)}

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
    field. An empty list is kept where it is a value of its own (`EMPTY_IS_A_VALUE`).
    """
    candidates: dict[str, list[tuple[bool, int, bool, str]]] = {}
    rest: dict[str, Any] = {}
    for column, value in values.items():
        name = normalize_name(column)
        if name not in _FIELD_AND_RANK:
            rest[column] = value
            continue
        field, rank = _FIELD_AND_RANK[name]
        empty = is_missing(value)
        if not empty or (value in ([], {}) and field in EMPTY_IS_A_VALUE):
            candidates.setdefault(field, []).append((empty, rank, column != name, column))
    fields: dict[str, Any] = {}
    for field, columns in candidates.items():
        (*_, preferred), *others = sorted(columns)
        fields[field] = values[preferred]
        rest.update({column: values[column] for *_, column in others})
    return fields, rest


def fields_by_name(columns: list[str]) -> dict[str, str]:
    """Return the column that each field is read from by its name, where a row has all of these columns."""
    fields, _ = rename({column: column for column in columns})
    return fields


def count_known_columns(columns: list[str]) -> int:
    """Return how many of the columns are read as fields; this distinguishes a table's header from other text."""
    names, groups = set(map(normalize_name, columns)), ("inputs.", "outputs.", "input.", "output.")
    return sum(name in KNOWN or name.startswith(groups) for name in names)
