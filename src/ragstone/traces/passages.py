"""Which of the retrieved passages the answering model saw: those that its prompt contains.

A passage is *seen* where its text, or at least 80 % of it, occurs in the prompt. Text is compared in Unicode's
compatibility form (NFKC) with all blanks made one. The share of a passage is the larger of two: that of its 8-token
shingles which the prompt contains, and that of its longest beginning which it contains, as truncation leaves one.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, cast

from ragstone.traces.shapes.documents import TracedDocument
from ragstone.traces.shapes.messages import ModelMessage
from ragstone.traces.shapes.values import parse_json

SEEN = 0.8
"""Share of a passage that the prompt must contain."""

_SHINGLE = 8
_SHORTEST_BEGINNING = 24
"""Characters of a beginning that count: fewer may be anywhere by chance."""


@dataclass(frozen=True, slots=True)
class RetrievedPassage:
    """A passage that a retriever returned, at its best rank.

    Attributes:
        document: the document.
        span: id of the span that returned it.
        rank: its place among those of that span, from 1.
        share: the part of it that stands in the prompt, in [0, 1]; None where no prompt was recorded.
        position: where in the prompt it stands.
    """

    document: TracedDocument
    span: str
    rank: int
    share: float | None = None
    position: int = 0

    @property
    def seen(self) -> bool:
        """Whether the model saw it; so assumed where no prompt was recorded."""
        return self.share is None or self.share >= SEEN

    def details(self) -> dict[str, Any]:
        """Return what is known of it beside its text."""
        document = self.document
        told = {
            "id": document.id,
            "score": document.score,
            "metadata": dict(document.metadata) or None,
            "span": self.span,
            "rank": self.rank,
            "share": None if self.share is None else round(self.share, 3),
        }
        return {name: value for name, value in told.items() if value is not None}


class PromptText:
    """The text that a model was given, made ready to look passages up in it."""

    def __init__(self, messages: Sequence[ModelMessage]) -> None:
        """Join the messages; texts inside of a message that is JSON, such as a tool's result, count as well."""
        texts = [text for message in messages for text in (message.text, *_texts_inside(message.text))]
        self.text = normalize("\n".join(texts))
        self._shingles: set[tuple[str, ...]] | None = None

    def share_of(self, passage: str) -> tuple[float, int]:
        """Return the share of a passage that the prompt contains, and where it begins."""
        text = normalize(passage)
        whole = self.text.find(text) if text else -1
        if whole >= 0:
            return 1.0, whole
        length = self._longest_beginning(text)
        beginning = length / len(text) if text and length >= _SHORTEST_BEGINNING else 0.0
        tokens = re.findall(r"\w+", text)
        shingles = set(_shingles_of(tokens))
        if self._shingles is None:
            self._shingles = set(_shingles_of(re.findall(r"\w+", self.text)))
        covered = len(shingles & self._shingles) / len(shingles) if shingles else 0.0
        position = self.text.find(text[:length]) if length else len(self.text)
        return max(beginning, covered), position

    def _longest_beginning(self, text: str) -> int:
        low, high = 0, len(text)
        while low < high:
            middle = (low + high + 1) // 2
            low, high = (middle, high) if text[:middle] in self.text else (low, middle - 1)
        return low


def normalize(text: str) -> str:
    """Return a text as it is compared: NFKC, every run of blanks one blank."""
    return " ".join(unicodedata.normalize("NFKC", text).split())


def unique_passages(found: Iterable[tuple[str, Sequence[TracedDocument]]]) -> list[RetrievedPassage]:
    """Return the passages that spans returned, given by id of the span, each once.

    Passages with equal text are one, with the id and score that were recorded for it last, at its best rank; a later
    list, such as a reranker's, comes first. Documents without content are left out.
    """
    by_text: dict[str, RetrievedPassage] = {}
    for span, documents in reversed(list(found)):
        for rank, document in enumerate(documents, start=1):
            key = normalize(document.text)
            if not key:
                continue
            known = by_text.get(key)
            if known is None:
                by_text[key] = RetrievedPassage(document, span, rank)
            elif known.document.id.startswith("sha256:") and not document.id.startswith("sha256:"):
                by_text[key] = RetrievedPassage(document, known.span, known.rank)
    return list(by_text.values())


def mark_seen(passages: Iterable[RetrievedPassage], prompt: PromptText) -> list[RetrievedPassage]:
    """Return the passages with the share of each that the prompt contains."""
    marked: list[RetrievedPassage] = []
    for passage in passages:
        share, position = prompt.share_of(passage.document.text)
        marked.append(RetrievedPassage(passage.document, passage.span, passage.rank, share, position))
    return marked


def _shingles_of(tokens: Sequence[str]) -> Iterator[tuple[str, ...]]:
    return (tuple(tokens[at : at + _SHINGLE]) for at in range(len(tokens) - _SHINGLE + 1))


def _texts_inside(text: str) -> Iterator[str]:
    if not text.lstrip().startswith(("{", "[")):
        return
    waiting = [parse_json(text)]
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict):
            waiting += reversed(list(cast("dict[str, Any]", value).values()))
        elif isinstance(value, list):
            waiting += reversed(cast("list[Any]", value))
        elif isinstance(value, str) and value is not text:
            yield value
