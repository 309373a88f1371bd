"""Detection of the retrieved passages that the answering model saw: those that its prompt contains.

A passage is *seen* if its text, or at least 80 % of it, occurs in the prompt. Texts are compared in Unicode's
compatibility form (NFKC), with each run of whitespace replaced by one space. The share of a passage is the larger of
two shares: that of its 8-token shingles in the prompt, and that of its longest beginning in the prompt, which covers
truncated passages.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

from ragstone.traces.shapes.documents import TracedDocument
from ragstone.traces.shapes.messages import ModelMessage
from ragstone.traces.shapes.values import known, parse_json

SEEN = 0.8  # share of a passage that the prompt must contain
_SHINGLE_TOKENS = 8
_MIN_BEGINNING_CHARS = 24  # fewest characters of a beginning that count: a shorter one may occur by chance


@dataclass(frozen=True, slots=True)
class RetrievedPassage:
    """A passage that a retriever returned, at its best rank.

    Attributes:
        span: id of the span that returned it.
        rank: its rank among the documents of that span, from 1.
        share: the share of its text in the prompt, in [0, 1]; None if no prompt was recorded.
        position: offset of its text in the normalized prompt.
    """

    document: TracedDocument
    span: str
    rank: int
    share: float | None = None
    position: int = 0

    @property
    def seen(self) -> bool:
        """Whether the model saw it; assumed true if no prompt was recorded."""
        return self.share is None or self.share >= SEEN

    def details(self) -> dict[str, Any]:
        """Return the known fields other than the text."""
        return known(
            id=self.document.id,
            score=self.document.score,
            metadata=dict(self.document.metadata) or None,
            span=self.span,
            rank=self.rank,
            share=None if self.share is None else round(self.share, 3),
        )


class PromptText:
    """The text of a model's prompt, prepared for the lookup of passages."""

    def __init__(self, messages: Sequence[ModelMessage]) -> None:
        """Join the messages. Texts inside a message that is JSON, such as a tool's result, are included."""
        texts = [text for message in messages for text in (message.text, *_nested_texts(message.text))]
        self.text = normalize("\n".join(texts))
        self._shingles: set[tuple[str, ...]] | None = None

    def share_of(self, passage: str) -> tuple[float, int]:
        """Return the share of a passage that the prompt contains, and its offset in the normalized prompt."""
        text = normalize(passage)
        offset = self.text.find(text) if text else -1
        if offset >= 0:
            return 1.0, offset
        length = self._longest_beginning(text)
        beginning_share = length / len(text) if text and length >= _MIN_BEGINNING_CHARS else 0.0
        tokens = re.findall(r"\w+", text)
        shingles = set(_shingles_of(tokens))
        if self._shingles is None:
            self._shingles = set(_shingles_of(re.findall(r"\w+", self.text)))
        shingle_share = len(shingles & self._shingles) / len(shingles) if shingles else 0.0
        position = self.text.find(text[:length]) if length else len(self.text)
        return max(beginning_share, shingle_share), position

    def _longest_beginning(self, text: str) -> int:
        low, high = 0, len(text)
        while low < high:
            middle = (low + high + 1) // 2
            low, high = (middle, high) if text[:middle] in self.text else (low, middle - 1)
        return low


def normalize(text: str) -> str:
    """Return a text normalized for comparison: NFKC, with each run of whitespace replaced by one space."""
    return " ".join(unicodedata.normalize("NFKC", text).split())


def unique_passages(found: Iterable[tuple[str, Sequence[TracedDocument]]]) -> list[RetrievedPassage]:
    """Return the passages that spans returned, given as pairs of span id and documents, without duplicates.

    Passages with equal text are merged: the last list that has the text gives the span and the best rank, and the last
    document with a recorded id gives id and score. A later list, such as a reranker's, comes first. Documents without
    content are left out.
    """
    by_text: dict[str, RetrievedPassage] = {}
    for span, documents in reversed(list(found)):
        for rank, document in enumerate(documents, start=1):
            key = normalize(document.text)
            if not key:
                continue
            existing = by_text.get(key)
            if existing is None:
                by_text[key] = RetrievedPassage(document, span, rank)
            elif existing.document.id.startswith("sha256:") and not document.id.startswith("sha256:"):
                by_text[key] = RetrievedPassage(document, existing.span, existing.rank)
    return list(by_text.values())


def mark_seen(passages: Iterable[RetrievedPassage], prompt: PromptText) -> list[RetrievedPassage]:
    """Return the passages with the share of each that the prompt contains."""
    shares = ((passage, *prompt.share_of(passage.document.text)) for passage in passages)
    return [replace(passage, share=share, position=position) for passage, share, position in shares]


def _shingles_of(tokens: Sequence[str]) -> Iterator[tuple[str, ...]]:
    return (tuple(tokens[i : i + _SHINGLE_TOKENS]) for i in range(len(tokens) - _SHINGLE_TOKENS + 1))


def _nested_texts(text: str) -> Iterator[str]:
    if not text.lstrip().startswith(("{", "[")):
        return
    stack = [parse_json(text)]
    while stack:
        value = stack.pop()
        if isinstance(value, dict):
            stack += reversed(list(cast("dict[str, Any]", value).values()))
        elif isinstance(value, list):
            stack += reversed(cast("list[Any]", value))
        elif isinstance(value, str) and value is not text:
            yield value
