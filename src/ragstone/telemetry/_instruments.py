"""OpenTelemetry's instruments: tracer, meters and event logger, by the names of its conventions for generative AI.

Source: OpenTelemetry, semantic conventions for generative AI (spans, metrics, events), status development. With
`gen_ai_latest_experimental` in OTEL_SEMCONV_STABILITY_OPT_IN, metrics have the names of the first release of these
conventions by themselves, 0.1.0, too.
"""

import os
from collections.abc import Mapping
from functools import partial
from importlib.metadata import version
from inspect import signature

from opentelemetry import _logs, metrics, trace

from ragstone.result import Usage

# Bucket boundaries recommended by the conventions.
_DURATION_BUCKETS = (0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92)
_TOKEN_BUCKETS = tuple(float(4**power) for power in range(14))


def has_exporters() -> bool:
    """Tell whether a provider is set for any signal."""
    providers = (trace.get_tracer_provider(), metrics.get_meter_provider(), _logs.get_logger_provider())
    return any(is_set(provider) for provider in providers)


def is_set(provider: object) -> bool:
    """Return whether a provider is a real one, not one of OpenTelemetry's placeholders."""
    name = type(provider).__name__
    return "Proxy" not in name and not name.startswith("NoOp")


class Instruments:
    """The instruments of one run. They are created for each run, so that a provider set since the last run is used."""

    def __init__(self) -> None:
        own_version = version("ragstone")
        meter = metrics.get_meter("ragstone", own_version)
        self.tracer = trace.get_tracer("ragstone", own_version)
        self.logger = _event_logger(own_version)
        duration = partial(
            meter.create_histogram, unit="s", explicit_bucket_boundaries_advisory=_DURATION_BUCKETS
        )
        self.operation_duration = duration(
            "gen_ai.client.operation.duration", description="Duration of a judge call, retries included."
        )
        self.token_usage = meter.create_histogram(
            "gen_ai.client.token.usage",
            unit="{token}",
            description="Tokens of a judge call.",
            explicit_bucket_boundaries_advisory=_TOKEN_BUCKETS,
        )
        self.metric_duration = duration(
            "ragstone.metric.duration",
            description="Duration of the measurement of one metric on one test case.",
        )
        counter = meter.create_counter
        self.results = counter("ragstone.results", "{result}", "Results by metric and by label.")
        self.failures = counter(
            "ragstone.failures", "{result}", "Metrics that could not be measured, by error."
        )
        self.tokens = counter(
            "ragstone.judge.tokens", "{token}", "Tokens sent to and received from the judge."
        )
        self.cost = counter("ragstone.judge.cost", "{USD}", "Cost of the judge, where its price is known.")
        asked = os.environ.get("OTEL_SEMCONV_STABILITY_OPT_IN", "").split(",")
        is_latest = "gen_ai_latest_experimental" in map(str.strip, asked)
        self.latest = InferenceInstruments(meter) if is_latest else None


class InferenceInstruments:
    """The metrics of a judge call by the names of the conventions 0.1.0."""

    def __init__(self, meter: metrics.Meter) -> None:
        prefix = "gen_ai.client.inference"
        self._duration = meter.create_histogram(
            f"{prefix}.duration",
            unit="s",
            description="Duration of a judge call, retries included.",
            explicit_bucket_boundaries_advisory=_DURATION_BUCKETS,
        )
        names = ("input_tokens", "output_tokens")
        histogram = partial(
            meter.create_histogram, unit="{token}", explicit_bucket_boundaries_advisory=_TOKEN_BUCKETS
        )
        self._by_call = {name: histogram(f"{prefix}.operation.{name}") for name in names}
        self._totals = {
            name: meter.create_counter(f"{prefix}.usage.{name}", unit="{token}")
            for name in (*names, "cache_read.input_tokens")
        }

    def record(
        self, seconds: float, usage: Usage, attributes: Mapping[str, str | int], error: str | None
    ) -> None:
        """Record one call; its duration with the type of its error, if it failed."""
        self._duration.record(seconds, {**attributes, **({"error.type": error} if error else {})})
        counts = (usage.input_tokens, usage.output_tokens, usage.cached_tokens)
        for (name, total), tokens in zip(self._totals.items(), counts, strict=True):
            if tokens:
                total.add(tokens, attributes)
                if name in self._by_call:
                    self._by_call[name].record(tokens, attributes)


def _event_logger(own_version: str) -> _logs.Logger | None:
    """Return the event logger; None without a log provider, or before OpenTelemetry 1.38, which added events."""
    if not is_set(_logs.get_logger_provider()):
        return None
    logger = _logs.get_logger("ragstone", own_version)
    return logger if "event_name" in signature(logger.emit).parameters else None
