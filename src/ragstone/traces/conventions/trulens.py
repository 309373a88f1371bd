"""TruLens: records and retrieved contexts, texts without ids or scores."""

from typing import Any

from ragstone.traces.kinds import SpanKind
from ragstone.traces.shapes.documents import make_document, read_documents
from ragstone.traces.shapes.texts import find_text
from ragstone.traces.shapes.values import as_list, first_text
from ragstone.traces.span import Span

_NEW = "ai.observability"
_OLD = "trulens.sem"


def read(span: Span, kind: SpanKind) -> dict[str, Any]:
    """Return the fields that TruLens' attributes record, under their new and old names."""
    values = span.attributes
    inputs = values.get(f"{_NEW}.record_root.input", values.get("trulens.record_root.main_input"))
    outputs = values.get(f"{_NEW}.record_root.output", values.get("trulens.record_root.main_output"))
    fields: dict[str, Any] = {
        "input": find_text(inputs, "input"),
        "output": find_text(outputs, "output"),
        "release": first_text(values, f"{_NEW}.app_version"),
    }
    if kind == "retrieval":
        contexts = values.get(
            f"{_NEW}.retrieval.retrieved_contexts", values.get(f"{_OLD}.retrieval.retrieved_contexts")
        )
        scores = as_list(values.get(f"{_OLD}.retrieval.retrieved_scores"))
        texts = as_list(contexts)
        fields["documents"] = (
            tuple(make_document(text, None, score, None) for text, score in zip(texts, scores, strict=True))
            if texts and len(texts) == len(scores)
            else read_documents(contexts)
        )
        fields["query"] = first_text(values, f"{_NEW}.retrieval.query_text", f"{_OLD}.retrieval.query_text")
    if kind == "rerank":
        fields["documents"] = _reranked(values)
    return fields


def _reranked(values: Any) -> tuple[Any, ...]:  # noqa: ANN401  (attributes)
    texts = as_list(
        values.get(
            f"{_OLD}.reranking.input_context_texts", values.get(f"{_NEW}.reranking.input_context_texts")
        )
    )
    ranks = as_list(
        values.get(f"{_OLD}.reranking.output_ranks", values.get(f"{_NEW}.reranking.output_ranks"))
    )
    if len(ranks) == len(texts) and all(isinstance(rank, int) for rank in ranks):
        texts = [text for _, text in sorted(zip(ranks, texts, strict=True), key=lambda pair: pair[0])]
    return read_documents(texts)
