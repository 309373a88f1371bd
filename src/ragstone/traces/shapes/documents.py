"""Retrieved documents in the formats of instrumentations."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, cast

from ragstone.traces.shapes.values import as_mapping, finite, parse_json

_TEXT_NAMES = ("content", "text", "page_content", "document", "chunk", "passage", "snippet")
_LIST_NAMES = (
    *(
        "documents",
        "docs",
        "source_documents",
        "retrieved_contexts",
        "contexts",
        "passages",
        "chunks",
        "nodes",
    ),
    *("results", "matches", "hits", "output", "outputs", "result", "data"),
)
_OWN_ID_NAMES = ("id", "id_", "node_id")
_ID_NAMES = ("id", "doc_id", "document_id", "chunk_id", "source_id", "source", "uri", "url")


@dataclass(frozen=True, slots=True)
class TracedDocument:
    """One document that a retriever or reranker returned.

    Attributes:
        text: content of the document; empty if not recorded.
        id: the recorded id; else one from the metadata; else `sha256:` and 12 hexadecimal digits of the content's hash.
        score: score of the retriever; None if not recorded.
        metadata: other recorded fields.
    """

    text: str
    id: str
    score: float | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict[str, Any])


def read_documents(value: object) -> tuple[TracedDocument, ...]:
    """Return the documents in a value, in order: a list of texts or objects, alone or under one of many names."""
    return tuple(_documents(parse_json(value), 0))


def make_document(text: object, identifier: object, score: object, metadata: object) -> TracedDocument:
    """Return a document. Without a recorded id, the id is taken from the metadata or made from the content."""
    content = text if isinstance(text, str) else ""
    fields = as_mapping(metadata)
    given = (identifier, *(fields.get(name) for name in _ID_NAMES))
    doc_id = next((str(item) for item in given if isinstance(item, str | int) and str(item).strip()), None)
    digest = sha256(content.encode(errors="replace")).hexdigest()[:12]
    return TracedDocument(content, doc_id or f"sha256:{digest}", finite(score), fields)


def _documents(value: object, depth: int) -> Iterator[TracedDocument]:
    if isinstance(value, list):
        for item in cast("list[object]", value):
            yield from _document(item)
        return
    if not isinstance(value, dict) or depth > 3:  # noqa: PLR2004  (output.result.documents)
        return
    values = cast("dict[str, Any]", value)
    for name in _LIST_NAMES:
        nested = parse_json(values.get(name))
        if isinstance(nested, list | dict):
            yield from _documents(cast("object", nested), depth + 1)
            return
    yield from _document(values)


def _document(item: object) -> Iterator[TracedDocument]:
    item = parse_json(item)
    if isinstance(item, str):
        if item.strip():
            yield make_document(item, None, None, None)
        return
    if not isinstance(item, dict):
        return
    values = cast("dict[str, Any]", item)
    for inner in ("document", "node", "payload", "kwargs"):
        if isinstance(values.get(inner), dict):  # OpenInference, LlamaIndex, Qdrant, LangChain
            values = {**{k: v for k, v in values.items() if k != inner}, **values[inner]}
    text = next((values[name] for name in _TEXT_NAMES if isinstance(values.get(name), str)), None)
    identifier = next((values[name] for name in _OWN_ID_NAMES if values.get(name) is not None), None)
    if text is None and identifier is None:
        return
    score = values.get("score", values.get("relevance_score"))
    named = {*_TEXT_NAMES, "id", "id_", "score", "metadata"}
    rest = {
        name: other
        for name, other in values.items()
        if name not in named and isinstance(other, str | int | float | bool)
    }
    yield make_document(text, identifier, score, {**rest, **as_mapping(values.get("metadata"))})
