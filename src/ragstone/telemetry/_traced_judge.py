"""A judge with a span around each of its calls."""

from time import perf_counter
from typing import Any, TypeVar, cast
from urllib.parse import urlsplit

from opentelemetry import propagate
from opentelemetry.trace import Span, SpanKind, Status, StatusCode

from ragstone.errors import describe
from ragstone.judges import Judge, Reply
from ragstone.judges.base import JudgeWrapper
from ragstone.judges.delegating import DelegatingJudge
from ragstone.prompts import Answer, Prompt
from ragstone.providers.http.endpoint import sending_headers
from ragstone.result import Usage
from ragstone.telemetry._instruments import Instruments

A = TypeVar("A", bound=Answer)
Attributes = dict[str, Any]


class TracedJudge(JudgeWrapper):
    """Wraps a judge and records each call."""

    def __init__(self, judge: Judge, instruments: Instruments) -> None:
        super().__init__(judge)
        self._instruments = instruments
        self._server = _server_attributes(judge)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the wrapped judge alone: spans are recorded in this process."""
        return _unwrapped, (self.judge,)

    async def ask(self, prompt: Prompt[A]) -> Reply[A]:
        """Return the judge's answer; the call has a span, whose context is sent to the model's server."""
        model = _model_attributes(self.judge, type(prompt))
        called = {**model, **(self._server if self.judge.judge_of(type(prompt)) == self.judge.name else {})}
        attributes = {**called, "ragstone.prompt": type(prompt).__name__}
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
                self._record(span, model, called, start, error)
                span.set_status(Status(StatusCode.ERROR, describe(error)))
                raise
            answered = reply if isinstance(cast("object", reply), Reply) else Reply(cast("A", reply))
            self._record(span, model, called, start, answered)
            return answered

    def _record(
        self, span: Span, model: Attributes, called: Attributes, start: float, outcome: Reply[Any] | Exception
    ) -> None:
        """Record a call by the attributes of the model and those with its server; a failed one with its error."""
        instruments, seconds = self._instruments, perf_counter() - start
        cost: float | None = getattr(outcome, "cost", None)
        error, usage = None, getattr(outcome, "spent", None)
        if isinstance(outcome, Exception):
            error = type(outcome).__name__
            span.set_attribute("error.type", error)
        else:
            usage = outcome.usage
        usage = usage if isinstance(usage, Usage) else Usage()
        more = {"error.type": error} if error else {}
        instruments.operation_duration.record(seconds, {**called, **more})
        if instruments.latest is not None:
            instruments.latest.record(seconds, usage, called, error)
        for kind, count in (("input", usage.input_tokens), ("output", usage.output_tokens)):
            span.set_attribute(f"gen_ai.usage.{kind}_tokens", count)
            if count:
                instruments.token_usage.record(count, {**model, "gen_ai.token.type": kind})
                instruments.tokens.add(count, {**model, "gen_ai.token.type": kind})
        span.set_attribute("gen_ai.usage.cache_read.input_tokens", usage.cached_tokens)
        span.set_attribute("ragstone.judge.calls", usage.calls)
        if cost is not None:
            span.set_attribute("ragstone.judge.cost", cost)
            instruments.cost.add(cost, model)


def _unwrapped(judge: Judge) -> Judge:
    return judge


def _model_attributes(judge: Judge, prompt: type[Prompt[Any]]) -> Attributes:
    """Return the attributes of the model that answers prompts of a kind; judges in this process are `ragstone`'s."""
    name = judge.judge_of(prompt)
    prefix, colon, model = name.partition(":")
    classifies = isinstance(_unwrapped_judge(judge), DelegatingJudge) and name == judge.name
    return {
        "gen_ai.operation.name": "classify" if classifies else "chat",
        "gen_ai.provider.name": prefix if colon else "ragstone",
        "gen_ai.request.model": model if colon else name,
    }


def _server_attributes(judge: Judge) -> Attributes:
    judge = _unwrapped_judge(judge)
    parts = (getattr(judge, name, None) for name in ("provider", "detector", "server"))
    base = next((url for part in parts if isinstance(url := getattr(part, "base_url", None), str)), None)
    if base is None:
        return {}
    parsed = urlsplit(base)
    port = parsed.port or {"http": 80, "https": 443}.get(parsed.scheme, 0)
    return {"server.address": parsed.hostname or "", "server.port": port}


def _unwrapped_judge(judge: Judge) -> Judge:
    while isinstance(judge, JudgeWrapper):
        judge = judge.judge
    return judge
