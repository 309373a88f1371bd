"""The labels by which test cases are put into slices: tags, document, release, language, question word, lengths."""

import re
from collections.abc import Iterator, Sequence

from ragstone.case import TestCase
from ragstone.findings.diagnosis.documents import relevant_documents
from ragstone.stats.slices import Label
from ragstone.text.tokens import is_latin

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


def label_text(label: Label) -> str:
    """Return a label in words, such as `release 2.1`."""
    return " ".join(label)


def _labels(case: TestCase, bounds: Sequence[int]) -> Iterator[Label]:
    yield from (("tag", tag) for tag in case.tags)
    yield from (("document", name) for name in relevant_documents(case))
    for key in METADATA_KEYS:
        value = case.metadata.get(key)
        if isinstance(value, str | int | float) and value != "":
            yield key, str(value)
    yield "question word", _question_word(case.input)
    yield "question", _LENGTH_LABELS[sum(len(case.input.split()) > bound for bound in bounds)]
    yield "script", "latin" if is_latin(case.input) else "not latin"
    if case.retrieval_context is not None:
        yield "passages", str(len(case.retrieval_context))


def _question_word(text: str) -> str:
    match = _QUESTION_WORD.search(text)
    return match[1].lower() if match else "none"
