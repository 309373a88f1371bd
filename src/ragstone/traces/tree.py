"""The spans of one trace as a tree, without evaluation spans."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ragstone.traces.content import SpanContent, read_content
from ragstone.traces.kinds import SpanKind
from ragstone.traces.span import Span

_APPLICATION_KINDS: tuple[SpanKind, ...] = ("root", "agent", "other")


@dataclass(frozen=True, slots=True)
class TraceNode:
    """A span and its content."""

    span: Span
    content: SpanContent

    @property
    def kind(self) -> SpanKind:
        """The kind of operation."""
        return self.content.kind

    @property
    def tells_both(self) -> bool:
        """Whether its content has both an input and an output."""
        return self.content.input is not None and self.content.output is not None


class TraceTree:
    """The spans of one trace, by start, without judge spans and the spans below them."""

    def __init__(self, spans: Iterable[Span]) -> None:
        """Read the spans, which must not contain duplicates."""
        all_nodes = [TraceNode(span, read_content(span)) for span in spans]
        self._by_id = {node.span.span_id: node for node in all_nodes}
        self.judges = tuple(node for node in all_nodes if node.kind == "judge")
        judged: dict[str, bool] = {}
        self.nodes = tuple(node for node in all_nodes if not self._is_judged(node, judged))
        self._above: dict[SpanKind, set[str]] = {}
        self._order = {node.span.span_id: index for index, node in enumerate(self.nodes)}
        self._children: dict[str, list[TraceNode]] = {}
        for node in self.nodes:
            self._children.setdefault(node.span.parent_id or "", []).append(node)

    def is_orphan(self, node: TraceNode) -> bool:
        """Return whether the parent of a span is missing."""
        return bool(node.span.parent_id) and node.span.parent_id not in self._by_id

    def has_below(self, node: TraceNode, kind: SpanKind) -> bool:
        """Return whether a span of a kind lies below another span, of which it may be the first."""
        if kind not in self._above:
            above: set[str] = set()
            for found in (other for other in self.nodes if other.kind == kind):
                current: TraceNode | None = found
                while current is not None and current.span.span_id not in above:
                    above.add(current.span.span_id)
                    current = self._by_id.get(current.span.parent_id or "")
            self._above[kind] = above
        return node.span.span_id in self._above[kind]

    @property
    def tops(self) -> tuple[TraceNode, ...]:
        """The spans without a parent in this trace."""
        return tuple(node for node in self.nodes if node.span.parent_id not in self._by_id)

    def root(self) -> TraceNode:
        """Return the span that represents the whole trace.

        Of several spans without a parent, it is the earliest with both an input and an output; parts of the application
        come before other kinds. If all of them are of no convention, such as HTTP spans, it is the first part of the
        application below them with both.
        """
        tops = self.tops or self.nodes  # a cycle of parents has no top span
        complete = [node for node in tops if node.tells_both]
        application = [node for node in complete if node.kind in _APPLICATION_KINDS]
        if application or complete:
            return (application or complete)[0]
        if all(node.kind == "unknown" for node in tops):
            inner = [node for node in self.nodes if node.kind in _APPLICATION_KINDS and node.tells_both]
            if inner:
                return inner[0]
        return next((node for node in tops if node.kind in _APPLICATION_KINDS), tops[0])

    def below(self, node: TraceNode) -> tuple[TraceNode, ...]:
        """Return a span and all spans below it, by start."""
        collected: dict[str, TraceNode] = {}
        stack = [node]
        while stack:
            current = stack.pop()
            if current.span.span_id not in collected:
                collected[current.span.span_id] = current
                stack += self._children.get(current.span.span_id, [])
        return tuple(self.nodes[index] for index in sorted(self._order[name] for name in collected))

    def walk(self) -> Iterator[tuple[TraceNode, bool]]:
        """Yield each span that has a way to the top twice: True before the spans below it, and False after them."""
        stack = [(node, True) for node in reversed(self.tops)]
        while stack:
            node, begins = stack.pop()
            yield node, begins
            if begins:
                stack.append((node, False))
                stack += [(child, True) for child in reversed(self._children.get(node.span.span_id, ()))]

    def innermost(self, models: Iterable[TraceNode]) -> list[TraceNode]:
        """Return the model spans without those that wrap another model span with a recorded prompt.

        Frameworks record a call several times: in the framework, and as the request that was sent.
        """
        model_nodes = list(models)
        wrapping: set[str] = set()
        for node in model_nodes:
            parent = self._by_id.get(node.span.parent_id or "") if node.content.input_messages else None
            while parent is not None and parent.span.span_id not in wrapping:
                wrapping.add(parent.span.span_id)
                parent = self._by_id.get(parent.span.parent_id or "")
        return [node for node in model_nodes if node.span.span_id not in wrapping] or model_nodes

    def path(self, node: TraceNode) -> str:
        """Return the name of a span as it is quoted in decisions."""
        return f"{node.span.name or node.kind} ({node.span.span_id})"

    def _is_judged(self, node: TraceNode, known: dict[str, bool]) -> bool:
        """Return whether a span or one above it is a judge's.

        What is found for the spans on the way is added to `known`, so that a chain of spans is walked only once.
        """
        way: list[str] = []
        current: TraceNode | None = node
        judged = False
        while current is not None and current.span.span_id not in known:
            identifier = current.span.span_id
            way.append(identifier)
            known[identifier] = False  # ends a cycle of parents
            if current.kind == "judge":
                judged = True
                break
            current = self._by_id.get(current.span.parent_id or "")
        else:
            judged = current is not None and known[current.span.span_id]
        known.update(dict.fromkeys(way, judged))
        return judged


def feedback_of(tree: TraceTree, nodes: Sequence[TraceNode]) -> list[Mapping[str, Any]]:
    """Return scores of these spans, of their trace, and of evaluation spans that link to them or are their children.

    A score for the whole trace is included, whichever span of the trace has it.
    """
    span_ids = {node.span.span_id for node in nodes}
    feedback: list[Mapping[str, Any]] = []
    for node in tree.nodes:
        included = node.span.span_id in span_ids
        feedback += [item for item in node.content.feedback if included or item.get("target") != "span"]
    for node in tree.judges:
        linked = any(link.span_id in span_ids for link in node.span.links) or node.span.parent_id in span_ids
        if linked and node.span.scope != "ragstone":
            feedback += node.content.feedback
    unique = {repr(sorted(item.items())): item for item in feedback}
    return [unique[key] for key in sorted(unique)]
