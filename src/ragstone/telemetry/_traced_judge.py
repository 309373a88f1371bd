"""A judge with a span around each of its calls."""

from time import perf_counter
from typing import Any, TypeVar, cast
from urllib.parse import urlsplit

from opentelemetry import propagate
from opentelemetry.trace import Span, SpanKind, Status, StatusCode

from ragstone.errors import describe
from ragstone.judges import Judge, Reply
from ragstone.judges.base import JudgeWrapper
from ragstone.prompts import Answer, Prompt
from ragstone.providers.http.endpoint import sending_headers
from ragstone.result import Usage
from ragstone.telemetry._instruments import Instruments

A = TypeVar("A", bound=Answer)
Attributes = dict[str, Any]


class TracedJudge(JudgeWrapper):
    """Wraps a judge and records each call."""

    def __init__(self, judge: Judge, instruments: Instruments) -> None:
        """Wrap `judge`."""
        super().__init__(judge)
        self._instruments = instruments
        self._model = _model_attributes(judge)
        self._server = _server_attributes(judge)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the wrapped judge alone: spans are recorded in this process."""
        return _unwrapped, (self.judge,)

    async def ask(self, prompt: Prompt[A]) -> Reply[A]:
        """Return the judge's answer; the call has a span, whose context is sent to the model's server."""
        attributes = {**self._model, **self._server, "ragstone.prompt": type(prompt).__name__}
        start = perf_counter()
        with self._instruments.tracer.start_as_current_span(
            "ragstone.judge",
            kind=SpanKind.CLIENT,
            attributes=attributes,
            record_exception=False,
            set_status_on_exception=False,
        ) as span:
            headers: dict[str, str] = {}
            propagate.inject(headers)
            try:
                with sending_headers(headers):
                    reply: Reply[A] = await self.judge.ask(prompt)
            except Exception as error:
                self._record_failure(span, start, error)
                raise
            answered = reply if isinstance(cast("object", reply), Reply) else Reply(cast("A", reply))
            self._record(span, start, answered.usage, answered.cost)
            return answered

    def _record(self, span: Span, start: float, usage: Usage, cost: float | None, **more: str) -> None:
        """Record duration, tokens and cost of a call."""
        instruments = self._instruments
        instruments.operation_duration.record(perf_counter() - start, {**self._model, **self._server, **more})
        counts = {"input": usage.input_tokens, "output": usage.output_tokens}
        for kind, count in counts.items():
            span.set_attribute(f"gen_ai.usage.{kind}_tokens", count)
            if count:
                instruments.token_usage.record(count, {**self._model, "gen_ai.token.type": kind})
                instruments.tokens.add(count, {**self._model, "gen_ai.token.type": kind})
        span.set_attribute("gen_ai.usage.cache_read.input_tokens", usage.cached_tokens)
        span.set_attribute("ragstone.judge.calls", usage.calls)
        if cost is not None:
            span.set_attribute("ragstone.judge.cost", cost)
            instruments.cost.add(cost, self._model)

    def _record_failure(self, span: Span, start: float, error: Exception) -> None:
        kind = type(error).__name__
        spent = getattr(error, "spent", None)
        self._record(
            span,
            start,
            spent if isinstance(spent, Usage) else Usage(),
            getattr(error, "cost", None),
            **{"error.type": kind},
        )
        span.set_attribute("error.type", kind)
        span.set_status(Status(StatusCode.ERROR, describe(error)))


def _unwrapped(judge: Judge) -> Judge:
    return judge


def _model_attributes(judge: Judge) -> Attributes:
    """Return the attributes of provider and model; the embedded judge has the provider `ragstone`."""
    prefix, colon, model = judge.name.partition(":")
    provider = prefix if colon else "ragstone"
    return {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": provider,
        "gen_ai.request.model": model if colon else judge.name,
    }


def _server_attributes(judge: Judge) -> Attributes:
    """Return the attributes of the server; empty if the judge has no server."""
    while isinstance(judge, JudgeWrapper):
        judge = judge.judge
    base = getattr(getattr(judge, "provider", None), "base_url", None)
    if not isinstance(base, str):
        return {}
    parts = urlsplit(base)
    port = parts.port or {"http": 80, "https": 443}.get(parts.scheme, 0)
    return {"server.address": parts.hostname or "", "server.port": port}
