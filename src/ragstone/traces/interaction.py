"""Read the question, the passages and the answer of one unit from its spans. Each decision is recorded as text."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ragstone.traces.passages import PromptText, RetrievedPassage, mark_seen, normalize, unique_passages
from ragstone.traces.shapes.documents import TracedDocument, make_document, read_documents
from ragstone.traces.shapes.messages import ModelMessage, last_text
from ragstone.traces.shapes.values import as_text
from ragstone.traces.tool_calls import read_tool_calls
from ragstone.traces.tree import TraceNode, TraceTree, feedback_of

Found = tuple[str | None, str]
"""A text, and a description of its source."""


@dataclass(frozen=True, slots=True)
class Interaction:
    """The interaction in one unit of a trace.

    Attributes:
        root: the span that represents the unit.
        nodes: the spans of the unit, by start.
        passages: passages that the answering model saw, in the order of its prompt; None if nothing was retrieved.
        cut: retrieved passages that the model did not see.
        retrieved_ids: ids of all retrieved passages, best first.
        query: the retriever's query, if it differs from the question.
        history: the messages of user and assistant before the question.
        decisions: field → how its value was found.
        incomplete: whether spans are missing.
    """

    root: TraceNode
    nodes: tuple[TraceNode, ...]
    question: str | None
    answer: str | None
    passages: tuple[RetrievedPassage, ...] | None
    cut: tuple[RetrievedPassage, ...]
    retrieved_ids: tuple[str, ...]
    query: str | None
    tools: tuple[Mapping[str, Any], ...]
    history: tuple[ModelMessage, ...]
    feedback: tuple[Mapping[str, Any], ...]
    decisions: Mapping[str, str]
    incomplete: bool

    def of_kind(self, *kinds: str) -> tuple[TraceNode, ...]:
        """Return the spans of these kinds."""
        return tuple(node for node in self.nodes if node.kind in kinds)


def read_interaction(
    tree: TraceTree, root: TraceNode, nodes: Sequence[TraceNode], retrieval_tools: Sequence[str] = ()
) -> Interaction:
    """Return the interaction in the spans `nodes`, by start, which `root`, one of them, represents.

    The results of `retrieval_tools` are retrieved passages.
    """
    models = tree.innermost([node for node in nodes if node.kind == "model"])
    retrievals = list(_retrievals(tree, nodes, retrieval_tools))
    answer, from_answer = _answer(tree, root, models)
    answering = _answering_model(models, answer)
    start = None if answering is None else answering.span.start_ns
    before = [item for item in retrievals if start is None or item[0].span.end_ns <= start]
    passages, from_passages = _passages(tree, before, answering)
    question, from_question = _question(tree, root, models, retrievals, passages)
    query = next((node.content.query for node, _ in retrievals if node.content.query), None)
    messages = answering.content.input_messages if answering else ()
    seen = sorted((item for item in passages if item.seen), key=lambda item: (item.position, item.rank))
    if any(item.share is None for item in seen):
        seen = [item for item in passages if item.seen]
    tools, from_tools = read_tool_calls(tree, nodes, models)
    differs = normalize(query or "") != normalize(question or "")
    decisions = {
        "root": tree.path(root),
        "question": from_question,
        "answer": from_answer,
        "passages": from_passages,
        "tools": from_tools,
    }
    return Interaction(
        root,
        tuple(nodes),
        question,
        answer,
        tuple(seen) if retrievals else None,
        tuple(item for item in passages if not item.seen),
        tuple(item.document.id for item in passages),
        query if query is not None and question is not None and differs else None,
        tuple(tools),
        _history(messages),
        tuple(feedback_of(tree, nodes)),
        {name: value for name, value in decisions.items() if value},
        any(tree.is_orphan(node) for node in nodes),
    )


def _retrievals(
    tree: TraceTree, nodes: Sequence[TraceNode], tools: Sequence[str]
) -> Iterator[tuple[TraceNode, tuple[TracedDocument, ...]]]:
    """Yield the retrieval spans with the documents they returned, in order of their ends: rerankers come last."""
    for node in sorted(nodes, key=_end_order):
        if node.kind in {"retrieval", "rerank"}:
            yield node, node.content.documents
        elif node.kind == "tool" and node.content.tool is not None:
            tool = node.content.tool
            nested = tree.has_below(node, "retrieval")
            if (tool.name in tools or tool.datastore) and not nested:
                text = as_text(tool.output)
                single = (make_document(text, None, None, None),) if text else ()
                yield node, read_documents(tool.output) or single


def _answer(tree: TraceTree, root: TraceNode, models: Sequence[TraceNode]) -> Found:
    if root.content.output is not None:
        return root.content.output, f"output of {tree.path(root)}"
    for node in sorted(models, key=_end_order, reverse=True):
        text = last_text(node.content.output_messages, "assistant")
        if text is not None:
            return text, f"last message of the model {tree.path(node)}"
    return None, ""


def _answering_model(models: Sequence[TraceNode], answer: str | None) -> TraceNode | None:
    """Return the model span that gave the answer: the last one with matching text, else the last one with any text."""
    by_end = sorted(models, key=_end_order)
    with_text = [node for node in by_end if last_text(node.content.output_messages, "assistant")]
    if answer is not None:
        expected = normalize(answer)
        for node in reversed(with_text):
            text = normalize(last_text(node.content.output_messages, "assistant") or "")
            if text in expected or expected in text:
                return node
    return (with_text or by_end or [None])[-1]


def _passages(
    tree: TraceTree,
    retrievals: Sequence[tuple[TraceNode, Sequence[TracedDocument]]],
    answering: TraceNode | None,
) -> tuple[list[RetrievedPassage], str]:
    """Return the retrieved passages, best first, with their shares in the prompt, and how these were found."""
    if not retrievals:
        return [], ""
    passages = unique_passages((node.span.span_id, documents) for node, documents in retrievals)
    if not passages and any(documents for _, documents in retrievals):
        return [], "not recorded: the retriever's spans hold no content"
    if answering is not None and answering.content.input_messages:
        prompt = PromptText(answering.content.input_messages)
        return mark_seen(passages, prompt), f"contained in the prompt of {tree.path(answering)}"
    reranked = [node.span.span_id for node, _ in retrievals if node.kind == "rerank"]
    if reranked:
        passages = [item for item in passages if item.span == reranked[-1]]
    return passages, "assumed: no prompt was recorded"


def _question(
    tree: TraceTree,
    root: TraceNode,
    models: Sequence[TraceNode],
    retrievals: Sequence[tuple[TraceNode, object]],
    passages: Sequence[RetrievedPassage],
) -> Found:
    if root.content.input is not None and root.kind != "model":
        return root.content.input, f"input of {tree.path(root)}"
    queries = ((node.content.query, node) for node, _ in retrievals if node.content.query)
    query, retriever = next(queries, (None, None))
    for node in models:
        text = last_text(node.content.input_messages, "user")
        if text is None:
            continue
        prompt = PromptText([ModelMessage("user", text)])
        has_passages = any(prompt.share_of(item.document.text)[0] >= 1 for item in passages)
        if has_passages and query is not None and retriever is not None and normalize(query) in prompt.text:
            return query, f"query of {tree.path(retriever)}, since the model's prompt holds passages"
        return text, f"last user message to the model {tree.path(node)}"
    return (query, f"query of {tree.path(retriever)}") if retriever is not None else (None, "")


def _history(messages: Sequence[ModelMessage]) -> tuple[ModelMessage, ...]:
    turns = [
        item
        for item in messages
        if item.role in {"user", "assistant"} and item.text.strip() and not item.calls
    ]
    user_indices = [number for number, item in enumerate(turns) if item.role == "user"]
    return tuple(turns[: user_indices[-1]]) if user_indices else ()


def _end_order(node: TraceNode) -> tuple[int, int, str]:
    return node.span.end_ns, node.span.start_ns, node.span.span_id
