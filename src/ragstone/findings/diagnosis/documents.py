"""Documents of passages and of test cases, and the labels by which test cases are put into slices."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

from ragstone.case import TestCase
from ragstone.stats.slices import Label
from ragstone.text.tokens import is_latin

_DOCUMENT_KEYS = ("document", "source", "doc_uri", "file", "url", "uri", "doc_id", "document_id")
_PASSAGE_SUFFIX = re.compile(r"(?<=.)(?:#|::|[:/_-](?:p|page|chunk|passage)?[_-]?)\d+$", re.IGNORECASE)


def passage_documents(case: TestCase) -> tuple[str, ...]:
    """Return the document of each retrieved passage, in rank order, as far as ids or metadata name it.

    The name comes from the metadata of the passage (`metadata["retrieval_context_details"]`), otherwise from its id
    without the number at its end: `handbook.pdf#12` belongs to `handbook.pdf`.
    """
    details = case.metadata.get("retrieval_context_details")
    if isinstance(details, list | tuple):
        rows = cast("list[object]", details)
        return tuple(
            _details_document(cast("Mapping[str, Any]", row)) for row in rows if isinstance(row, Mapping)
        )
    return tuple(document_of(name) for name in case.retrieved_ids or ())


def relevant_documents(case: TestCase) -> tuple[str, ...]:
    """Return the documents that contain the answer of a test case, as far as the test case names them."""
    document = next((str(case.metadata[key]) for key in _DOCUMENT_KEYS if case.metadata.get(key)), None)
    if document is not None:
        return (document,)
    return tuple(dict.fromkeys(map(document_of, relevant_names(case))))


def relevant_names(case: TestCase) -> tuple[str, ...]:
    """Return the ids of the relevant passages of a test case, those with a grade above 0."""
    grades = cast("dict[str, int]", case.relevant_ids or {})
    return tuple(name for name, grade in grades.items() if grade > 0)


def document_of(passage_id: str) -> str:
    """Return the document that the id of a passage names."""
    return _PASSAGE_SUFFIX.sub("", passage_id) or passage_id


def _details_document(row: Mapping[str, Any]) -> str:
    inner = row.get("metadata")
    fields = {**row, **(cast("Mapping[str, Any]", inner) if isinstance(inner, Mapping) else {})}
    document = next((str(fields[key]) for key in _DOCUMENT_KEYS if fields.get(key)), None)
    return document if document is not None else document_of(str(row.get("id", "")))


METADATA_KEYS = ("release", "version", "environment", "language", "topic", "category", "model")
"""Keys of a test case's metadata by which it is put into a slice."""

_QUESTION_WORD = re.compile(
    r"\b(who|whose|whom|what|which|when|where|why|how (?:many|much|long|often)|how)\b", re.IGNORECASE
)
_LENGTH_LABELS = ("short", "medium", "long")


def case_labels(cases: Sequence[TestCase]) -> list[tuple[Label, ...]]:
    """Return the labels of each test case."""
    lengths = sorted(len(case.input.split()) for case in cases)
    thirds = tuple(lengths[len(lengths) * part // 3] for part in (1, 2)) if lengths else (0, 0)
    return [tuple(_labels(case, thirds)) for case in cases]


def _labels(case: TestCase, bounds: Sequence[int]) -> Iterator[Label]:
    yield from (("tag", tag) for tag in case.tags)
    yield from (("document", name) for name in relevant_documents(case))
    for key in METADATA_KEYS:
        value = case.metadata.get(key)
        if isinstance(value, str | int | float) and value != "":
            yield key, str(value)
    asked = _QUESTION_WORD.search(case.input)
    yield "question word", asked[1].lower() if asked else "none"
    yield "question", _LENGTH_LABELS[sum(len(case.input.split()) > bound for bound in bounds)]
    yield "script", "latin" if is_latin(case.input) else "not latin"
    if case.retrieval_context is not None:
        yield "passages", str(len(case.retrieval_context))
