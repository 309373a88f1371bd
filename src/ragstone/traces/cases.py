"""Convert spans to test cases: one for each trace, each session, or each span of a given name."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

from pydantic import ValidationError

from ragstone.case import TestCase, describe_invalid
from ragstone.traces.interaction import Interaction, read_interaction
from ragstone.traces.kinds import kind_of
from ragstone.traces.options import NAMED, TraceOptions
from ragstone.traces.shapes.values import as_mapping, known
from ragstone.traces.span import Record, Span, merge_records
from ragstone.traces.tree import TraceNode, TraceTree

_CONTENT_KINDS = frozenset({"root", "model", "retrieval", "rerank", "tool", "agent", "other"})
_HEXADECIMAL = frozenset("0123456789abcdef")
_OPENTELEMETRY = (
    "Set OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT=SPAN_ONLY and "
    "OTEL_SEMCONV_STABILITY_OPT_IN=gen_ai_latest_experimental in the application's environment"
)
_CONTENT_SETTINGS = {
    "opentelemetry": f"{_OPENTELEMETRY} (older instrumentations: set the first to true, and export their log records "
    "too).",
    "openinference": "Unset OPENINFERENCE_HIDE_INPUTS, OPENINFERENCE_HIDE_OUTPUTS, OPENINFERENCE_HIDE_INPUT_MESSAGES, "
    "OPENINFERENCE_HIDE_OUTPUT_MESSAGES, OPENINFERENCE_HIDE_INPUT_TEXT and OPENINFERENCE_HIDE_OUTPUT_TEXT in the "
    "application's environment.",
    "openllmetry": "Set TRACELOOP_TRACE_CONTENT=true in the application's environment.",
    "langfuse": "Record the input and output of the trace: remove the mask, or set capture_input and capture_output.",
    "mlflow": "Record the inputs and outputs of the root span: span.set_inputs(…), span.set_outputs(…).",
    "trulens": "Record the main input and output of the record root.",
    "vercel": "Set recordInputs and recordOutputs in experimental_telemetry.",
}
_OFFICIAL_SCOPES = ("_v2", "genai", "google_genai", "vertexai")


@dataclass(frozen=True, slots=True)
class UnreadableTrace:
    """A trace, session or span that cannot become a test case: where, what is missing or invalid, the correction."""

    place: str
    problem: str
    instead: str


def trace_cases(
    records: Iterable[Record], options: TraceOptions | None = None
) -> Iterator[TestCase | UnreadableTrace]:
    """Yield the test cases of traces, one trace after another.

    For the unit `session` all records belong to one session.

    A trace without a span of any convention, such as a health check, has no test case.
    """
    chosen = options or TraceOptions()
    by_trace: dict[str, list[Span]] = {}
    for span in merge_records(records):
        links = span.links if span.links and kind_of(span) == "judge" else ()
        for trace in sorted({span.trace_id, *(link.trace_id for link in links)}):
            by_trace.setdefault(trace, []).append(span)
    trees = [TraceTree(spans) for spans in by_trace.values()]
    trees = [tree for tree in trees if any(node.kind in _CONTENT_KINDS for node in tree.nodes)]
    if chosen.unit == "session":
        yield from _session_case(trees, chosen)
        return
    name = chosen.unit.removeprefix(NAMED)
    for tree in trees:
        named = chosen.unit.startswith(NAMED)
        for root in [node for node in tree.nodes if node.span.name == name] if named else [tree.root()]:
            yield _case(tree, root, chosen)


def trace_fields(records: Iterable[Record]) -> dict[str, Any]:
    """Return the fields of a test case that the spans of one trace tell; empty without a span of any convention.

    Unlike `trace_cases`, it needs neither a question nor an answer in them.
    """
    tree = TraceTree(merge_records(records))
    if not any(node.kind in _CONTENT_KINDS for node in tree.nodes):
        return {}
    root = tree.root()
    return _fields(read_interaction(tree, root, tree.nodes, ()), TraceOptions(), root.span.trace_id)


def _case(tree: TraceTree, root: TraceNode, options: TraceOptions) -> TestCase | UnreadableTrace:
    span, is_trace = root.span, options.unit == "trace"
    nodes = tree.nodes if is_trace else tree.below(root)
    interaction = read_interaction(tree, root, nodes, options.retrieval_tools)
    place = f"trace {span.trace_id}" if is_trace else f"trace {span.trace_id}, span {span.span_id}"
    problem = _missing_content(interaction)
    if problem is not None:
        return UnreadableTrace(place, problem, _content_remedy(interaction))
    identifier = span.trace_id if is_trace else f"{span.trace_id}-{span.span_id}"
    return _validated(place, _fields(interaction, options, identifier))


def _validated(place: str, fields: Mapping[str, Any]) -> TestCase | UnreadableTrace:
    try:
        return TestCase.model_validate(fields)
    except ValidationError as error:
        return UnreadableTrace(place, f"{describe_invalid(error)}.", "Correct what the application records.")


def _missing_content(interaction: Interaction) -> str | None:
    """Return what content is missing, or None. A failed interaction without an answer is still a test case."""
    models = interaction.of_kind("model")
    span_counts = f"{len(interaction.nodes)} spans ({len(models)} of models)"
    if interaction.question is None:
        return f"there is no question: its {span_counts} contain no text of a question."
    failed = interaction.root.span.error or any(node.span.error for node in models)
    if interaction.answer is None and not failed:
        return f"there is no answer: its {span_counts} contain no text of an answer."
    return None


def _fields(interaction: Interaction, options: TraceOptions, identifier: str) -> dict[str, Any]:
    return known(
        input=interaction.question,
        actual_output=interaction.answer,
        expected_output=_first_field(interaction, "expected_output"),
        retrieval_context=[item.document.text for item in interaction.passages or ()] or None,
        retrieved_ids=list(interaction.retrieved_ids) or None,
        tools_called=[_tool_fields(call) for call in interaction.tools] or None,
        metadata=_metadata(interaction, options),
        name=interaction.root.span.name or None,
        tags=sorted({tag for node in interaction.nodes for tag in node.content.tags}),
        id=identifier,
    )


def _tool_fields(call: Mapping[str, Any]) -> dict[str, Any]:
    error = {"error": call["error"]} if call.get("error") else {}
    output = error if call.get("output") is None and error else call.get("output")
    parameters: Any = call.get("input_parameters")
    wrapped = as_mapping(parameters)
    if wrapped.keys() == {"input"}:  # LangChain wraps the arguments, as a text
        parameters = as_mapping(wrapped["input"]) or parameters
    return {"name": call["name"], "input_parameters": parameters, "output": output, **error}


def _metadata(interaction: Interaction, options: TraceOptions) -> dict[str, Any]:
    span = interaction.root.span
    retrievals = interaction.of_kind("retrieval", "rerank")
    user = _first_field(interaction, "user")
    messages = [message for node in interaction.of_kind("model") for message in node.content.input_messages]
    trace = known(
        unit=options.unit,
        convention=", ".join(sorted({node.content.convention for node in interaction.nodes} - {""})),
        spans=len(interaction.nodes),
        query=interaction.query,
        cut=[{"text": item.document.text, **item.details()} for item in interaction.cut],
        decisions=dict(interaction.decisions),
        incomplete=interaction.incomplete,
        unread_parts=sum(message.images for message in messages) or None,
    )
    return known(
        traceparent=_traceparent(span.trace_id, span.span_id),
        response_id=_first_field(interaction, "response_id", last=True),
        release=_first_field(interaction, "release"),
        environment=_first_field(interaction, "environment"),
        session=_first_field(interaction, "session"),
        user=_hashed(user, options.user_salt) if user and options.user_salt else None,
        item=_first_field(interaction, "item"),
        latency_ms=_milliseconds(span),
        retrieval_ms=sum(_milliseconds(node.span) or 0 for node in retrievals) if retrievals else None,
        tokens=_tokens(interaction),
        cost=_cost(interaction),
        model=_first_field(interaction, "model", last=True),
        feedback=[dict(item) for item in interaction.feedback] or None,
        error=span.error,
        retrieval_context_details=[item.details() for item in interaction.passages or ()] or None,
        trace=trace,
    )


def _session_case(trees: Sequence[TraceTree], options: TraceOptions) -> Iterator[TestCase | UnreadableTrace]:
    """Yield the traces as one conversation, with a turn of the user and one of the assistant for each trace."""
    interactions = [
        read_interaction(tree, tree.root(), tree.nodes, options.retrieval_tools) for tree in trees
    ]
    if not interactions:
        return
    session = _first_field(interactions[0], "session")
    place = f"session {session}" if session else f"trace {interactions[0].root.span.trace_id}"
    for item in interactions:
        problem = _missing_content(item)
        if problem is not None:
            where = f"in trace {item.root.span.trace_id}"
            yield UnreadableTrace(place, f"{where} {problem}", _content_remedy(item))
            return
    turns: list[dict[str, Any]] = []
    if len(interactions) == 1:  # a single trace that contains its own history
        turns += [{"role": message.role, "content": message.text} for message in interactions[0].history]
    for item in interactions:
        turns.append({"role": "user", "content": item.question})
        if item.answer is not None:
            turns.append(_assistant_turn(item))
    name = session or interactions[0].root.span.name or None
    metadata = _metadata(interactions[-1], options)
    metadata["trace"] = {
        "unit": "session",
        "convention": metadata["trace"]["convention"],
        "traces": [
            _metadata(item, options)["trace"] | {"id": item.root.span.trace_id} for item in interactions
        ],
    }
    fields = {"input": interactions[0].question, "turns": turns, "metadata": metadata, "name": name}
    tags = {tag for item in interactions for node in item.nodes for tag in node.content.tags}
    identifier = session or interactions[0].root.span.trace_id
    yield _validated(place, {**fields, "tags": sorted(tags), "id": identifier})


def _assistant_turn(interaction: Interaction) -> dict[str, Any]:
    return known(
        role="assistant",
        content=interaction.answer,
        retrieval_context=[item.document.text for item in interaction.passages or ()] or None,
        tools_called=[_tool_fields(call) for call in interaction.tools] or None,
    )


def _first_field(interaction: Interaction, name: str, *, last: bool = False) -> Any:  # noqa: ANN401  (the field's own type)
    """Return a field of the root span, else of the first (or last) span that has it."""
    nodes = (interaction.root, *(reversed(interaction.nodes) if last else interaction.nodes))
    return next((value for node in nodes if (value := getattr(node.content, name)) is not None), None)


def _tokens(interaction: Interaction) -> dict[str, int] | None:
    """Return the sums over model spans only: agent spans repeat the same counts."""
    sums: dict[str, int] = {}
    for node in interaction.of_kind("model"):
        for name, count in node.content.tokens.items():
            sums[name] = sums.get(name, 0) + count
    return sums or None


def _cost(interaction: Interaction) -> float | None:
    costs = [node.content.cost for node in interaction.of_kind("model") if node.content.cost is not None]
    return sum(costs) if costs else interaction.root.content.cost


def _milliseconds(span: Span) -> float | None:
    nanoseconds = span.end_ns - span.start_ns
    return round(nanoseconds / 1e6, 3) if nanoseconds >= 0 else None


def _traceparent(trace: str, span: str) -> str | None:
    """Return the W3C trace context; None if the ids of an export do not have that format."""
    fits = (len(trace), len(span)) == (32, 16) and _HEXADECIMAL.issuperset(trace + span)
    return f"00-{trace}-{span}-01" if fits else None


def _hashed(user: str, salt: str) -> str:
    return blake2b(user.encode(), key=salt.encode()[:64], digest_size=8).hexdigest()


def _content_remedy(found: Interaction) -> str:
    conventions = {node.content.convention for node in found.nodes} - {""}
    scopes = {node.span.scope for node in found.nodes if node.kind == "model"}
    of_openllmetry = (scope for scope in scopes if scope.startswith("opentelemetry.instrumentation."))
    if any(not any(part in scope for part in _OFFICIAL_SCOPES) for scope in of_openllmetry):
        # its newer versions use OpenTelemetry's names
        conventions = (conventions - {"opentelemetry"}) | {"openllmetry"}
    settings = [_CONTENT_SETTINGS[name] for name in sorted(conventions) if name in _CONTENT_SETTINGS]
    return " ".join(settings) or "Record the question and the answer in a convention that ragstone reads."
