"""Groups of dependent test cases, by the value of a metadata key such as the document a question was asked about."""

import json
from collections.abc import Hashable, Iterable, Sequence

from ragstone.case import TestCase
from ragstone.errors import BadOption, UnknownName


def clusters(cases: Sequence[TestCase], key: str | None) -> list[Hashable] | None:
    """Return the group of each case, None for a case without a group. Return None without a key."""
    if key is None:
        return None
    return [_group(case.metadata.get(key)) for case in cases]


def check_cluster(cases: Iterable[TestCase], key: str | None) -> None:
    """Check, before anything is measured, that at least one case has the key. Stops reading at the first one.

    Raises:
        UnknownName: there is no such key, but there are others.
        BadOption: no case has any metadata.
    """
    if key is None:
        return
    known_keys: set[str] = set()
    for case in cases:
        if key in case.metadata:
            return
        known_keys.update(case.metadata)
    if not known_keys:
        raise BadOption(
            f"cluster={key!r}: no test case has metadata. Add a column {key!r}, or omit the option."
        )
    raise UnknownName("metadata key to group test cases by,", key, known_keys)


def _group(value: object) -> Hashable:
    if value is None or isinstance(value, str | int | float):
        return value
    return json.dumps(value, sort_keys=True, default=repr)
