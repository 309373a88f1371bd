"""Plain functions that are called with events: `handler(event, measurements, metadata)`.

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
from dataclasses import dataclass
from threading import Lock
from typing import Any

from ragstone.errors import UnknownName

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


class _HandlerRegistry:
    """The handlers of this process; runs on any thread call them.

    The tuple is replaced, never changed, so that a run reads it without a lock.
    """

    def __init__(self) -> None:
        self.subscriptions: tuple[Subscription, ...] = ()
        self._lock = Lock()

    def add(self, entry: Subscription) -> None:
        """Add a subscription."""
        with self._lock:
            self.subscriptions = (*self.subscriptions, entry)

    def remove(self, entry: Subscription) -> None:
        """Remove a subscription, if it is there."""
        with self._lock:
            self.subscriptions = tuple(other for other in self.subscriptions if other is not entry)


_REGISTRY = _HandlerRegistry()


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
    _REGISTRY.add(entry)
    return entry


def detach(subscription: Subscription) -> None:
    """Stop calling a handler; nothing happens if it was detached already."""
    _REGISTRY.remove(subscription)


def subscriptions() -> tuple[Subscription, ...]:
    """Return the attached handlers."""
    return _REGISTRY.subscriptions


def call(event: str, measurements: Mapping[str, Any], metadata: Mapping[str, Any]) -> None:
    """Call every handler of `event`."""
    for entry in _REGISTRY.subscriptions:
        if event not in entry.events:
            continue
        try:
            entry.handler(event, measurements, metadata)
        except Exception:  # noqa: BLE001  (a handler must not break the run)
            _REGISTRY.remove(entry)
            _LOG.warning("%r raised an exception on %s and was detached", entry.handler, event, exc_info=True)
