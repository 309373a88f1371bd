"""Remedies for traces without content: the settings of each instrumentation that switch content on."""

from ragstone.traces.interaction import Interaction

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
_OPENLLMETRY_SCOPES = "opentelemetry.instrumentation."
_OFFICIAL_SCOPES = ("_v2", "genai", "google_genai", "vertexai")


def content_remedy(found: Interaction) -> str:
    """Return how to switch content on, for the conventions that the spans use."""
    conventions = {node.content.convention for node in found.nodes} - {""}
    scopes = {node.span.scope for node in found.nodes if node.kind == "model"}
    if any(_is_openllmetry(scope) for scope in scopes):  # its newer versions use OpenTelemetry's names
        conventions = (conventions - {"opentelemetry"}) | {"openllmetry"}
    settings = [_CONTENT_SETTINGS[name] for name in sorted(conventions) if name in _CONTENT_SETTINGS]
    return " ".join(settings) or "Record the question and the answer in a convention that ragstone reads."


def _is_openllmetry(scope: str) -> bool:
    return scope.startswith(_OPENLLMETRY_SCOPES) and not any(part in scope for part in _OFFICIAL_SCOPES)
