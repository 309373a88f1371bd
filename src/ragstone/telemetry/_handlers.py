"""Plain functions that are called with events, `handler(event, measurements, metadata)`; one that logs them.

Events and their measurements:

- `run.start`: total (results to come, None for a stream)
- `run.stop`: duration_ms, results, failures
- `metric.start`: none
- `metric.stop`: duration_ms, score, calls, input_tokens, output_tokens, cost
- `metric.exception`: duration_ms, calls, input_tokens, output_tokens, cost
- `judge.request`: duration_ms, calls, input_tokens, output_tokens, cost
"""

import logging
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from time import perf_counter
from typing import Any

from ragstone.errors import UnknownName
from ragstone.event import (
    Event,
    JudgeCalled,
    MeasurementFinished,
    MeasurementStarted,
    RunFinished,
    RunStarted,
)
from ragstone.result import Result, Usage

EVENTS = ("run.start", "run.stop", "metric.start", "metric.stop", "metric.exception", "judge.request")
Handler = Callable[[str, Mapping[str, Any], Mapping[str, Any]], None]

_LOG = logging.getLogger("ragstone.telemetry")


@dataclass(frozen=True, slots=True, eq=False)
class Subscription:
    """An attached handler; pass it to `detach`.

    Attributes:
        handler: the function.
        events: the events it is called for.
    """

    handler: Handler
    events: frozenset[str]


_SUBSCRIPTIONS: list[Subscription] = []
"""The handlers of this process; runs on any thread call them, so each reads a copy."""


def attach(handler: Handler, events: Iterable[str] = EVENTS) -> Subscription:
    """Call `handler` for each of `events` in the runs of this process, from now on.

    The handler is called on the run's thread and must not block. If it raises, it is detached and a warning is logged;
    the run continues.

    Args:
        handler: called with the event's name, its measurements, and its metadata: always `run_id`, and the details of
            the event (`metric`, `spec`, `case_id`, `result`, `judge`, `prompt`, `error` …).
        events: names of events; all by default.

    Returns:
        The subscription, to pass to `detach`.

    Raises:
        UnknownName: there is no such event.
    """
    event_names = frozenset((events,) if isinstance(events, str) else events)
    for event in event_names - set(EVENTS):
        raise UnknownName("event", event, EVENTS)
    entry = Subscription(handler, event_names)
    _SUBSCRIPTIONS.append(entry)
    return entry


def detach(subscription: Subscription) -> None:
    """Stop calling a handler; nothing happens if it was detached already."""
    with suppress(ValueError):
        _SUBSCRIPTIONS.remove(subscription)


def subscriptions() -> tuple[Subscription, ...]:
    """Return the attached handlers."""
    return tuple(_SUBSCRIPTIONS)


def _call(event: str, measurements: Mapping[str, Any], metadata: Mapping[str, Any]) -> None:
    """Call every handler of `event`."""
    for entry in subscriptions():
        if event not in entry.events:
            continue
        try:
            entry.handler(event, measurements, metadata)
        except Exception:  # noqa: BLE001  (a handler must not break the run)
            detach(entry)
            _LOG.warning("%r raised an exception on %s and was detached", entry.handler, event, exc_info=True)


class _LoggingHandler:
    """Logs each event: failures as warnings, judge requests and starts at debug level."""

    def __init__(self, logger: logging.Logger, level: int) -> None:
        self._logger = logger
        self._level = level

    def __call__(self, event: str, measurements: Mapping[str, Any], metadata: Mapping[str, Any]) -> None:
        level = self._level
        if event == "metric.exception":
            level = max(level, logging.WARNING)
        elif event in ("metric.start", "judge.request"):
            level = min(level, logging.DEBUG)
        if self._logger.isEnabledFor(level):
            self._logger.log(level, "%s", _line(event, measurements, metadata))


def attach_default_logger(
    logger: logging.Logger | None = None, level: int = logging.INFO, events: Iterable[str] = EVENTS
) -> Subscription:
    """Log events with `logging`; calling it again replaces the former logger.

    Args:
        logger: the logger; `ragstone` where None.
        level: level of run starts, run ends and results. Failures are warnings; metric starts and judge requests are
            debug messages.
        events: names of the events to log; all by default.

    Returns:
        The subscription, to pass to `detach`; `detach_default_logger` does not need it.
    """
    detach_default_logger()
    return attach(_LoggingHandler(logger or logging.getLogger("ragstone"), level), events)


def detach_default_logger() -> None:
    """Stop logging; does nothing if no logger is attached."""
    for entry in subscriptions():
        if isinstance(entry.handler, _LoggingHandler):
            detach(entry)


def _line(event: str, measurements: Mapping[str, Any], metadata: Mapping[str, Any]) -> str:
    facts = [f"{name}={value}" for name, value in metadata.items() if value is not None and name != "run_id"]
    subject = str(metadata["result"]) if "result" in metadata else " ".join(facts)
    figures = " ".join(
        f"{name}={value:.4g}" if isinstance(value, float) else f"{name}={value}"
        for name, value in measurements.items()
        if value is not None
    )
    return f"{event} {subject} [{figures}] run={metadata['run_id']}"


class HandlerDispatcher:
    """Listener of one run."""

    def __init__(self) -> None:
        self._start = perf_counter()
        self._run_id = ""
        self._results = 0
        self._failures = 0

    def __call__(self, event: Event) -> None:
        match event:
            case RunStarted(run=run, total=total):
                self._run_id = run.id
                metadata = {name: getattr(run.plan, name) for name in ("name", "dataset", "judge")}
                self._dispatch("run.start", {"total": total}, {**metadata, "metrics": [*run.plan.metrics]})
            case MeasurementStarted(case=case, spec=spec):
                self._dispatch("metric.start", {}, {"spec": spec, "case_id": case.id, "case_name": case.name})
            case MeasurementFinished(case=case, result=result):
                self._dispatch_result(result, case.name)
            case JudgeCalled():
                figures = {"duration_ms": event.latency_ms, **_usage_measurements(event.usage, event.cost)}
                metadata = {name: getattr(event, name) for name in ("prompt", "judge", "error", "recorded")}
                self._dispatch("judge.request", figures, metadata)
            case RunFinished(complete=complete):
                figures = {
                    "duration_ms": (perf_counter() - self._start) * 1000,
                    "results": self._results,
                    "failures": self._failures,
                }
                self._dispatch("run.stop", figures, {"complete": complete})
            case _:
                pass

    def _dispatch_result(self, result: Result, case_name: str | None) -> None:
        self._results += 1
        figures = {
            "duration_ms": result.latency_ms,
            **_usage_measurements(result.usage, result.evaluation_cost),
        }
        metadata = {name: getattr(result, name) for name in ("metric", "spec", "case_id", "judge")}
        metadata |= {"case_name": case_name, "result": result}
        if result.error is not None:
            self._failures += 1
            self._dispatch("metric.exception", figures, {**metadata, "error": result.error})
        else:
            self._dispatch(
                "metric.stop", {**figures, "score": result.score}, {**metadata, "status": result.status}
            )

    def _dispatch(self, event: str, measurements: dict[str, Any], metadata: dict[str, Any]) -> None:
        _call(event, measurements, {"run_id": self._run_id, **metadata})


def _usage_measurements(usage: Usage, cost: float | None) -> dict[str, Any]:
    return {
        **{name: getattr(usage, name) for name in ("calls", "input_tokens", "output_tokens")},
        "cost": cost,
    }
