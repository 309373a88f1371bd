"""Digests that identify a test set and a question without their texts."""

import json
from collections.abc import Iterable, Sequence
from hashlib import blake2b

from ragstone.case import TestCase

_AUTHORED_FIELDS = ("input", "expected_output", "context", "expected_tools", "relevant_ids")
"""The fields that the author of a test set writes; the others are what the system under test produced."""

_DIGEST_BYTES = 8


def hash_test_set(cases: Iterable[TestCase]) -> str:
    """Return 16 hexadecimal digits for the questions and references of a test set, independent of the order of cases.

    Two runs of a system over the same set have the same digest, since answers and retrieved passages are left out.
    """
    fields = (case.model_dump(mode="json", include=set(_AUTHORED_FIELDS)) for case in cases)
    rows = sorted(json.dumps(row, sort_keys=True, ensure_ascii=False) for row in fields)
    return _digest("\n".join(rows))


def drafted_test_set(cases: Sequence[TestCase]) -> str:
    """Return the current digest of a test set that `ragstone draft` wrote; empty for any other test set."""
    any_contains = getattr(cases, "any_contains", None)
    if any_contains is not None and not any_contains('"draft"'):  # a run in a store: no case has to be read
        return ""
    return hash_test_set(cases) if any("draft" in case.metadata for case in cases) else ""


def question_digest(question: str) -> str:
    """Return 16 hexadecimal digits for a question, blanks around it ignored."""
    return _digest(question.strip())


def _digest(text: str) -> str:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=_DIGEST_BYTES).hexdigest()
