"""Wrap the judge and collect listeners when tracing is enabled or handlers are attached.

OpenTelemetry's API does nothing without an SDK, but importing it takes longer than importing ragstone. A program that
exports anything has imported it already; if it is not loaded, and no variable asks for it, tracing is off.
"""

import os
import sys
from collections.abc import Sequence
from typing import NamedTuple

from ragstone.event import EventListener
from ragstone.judges import Judge
from ragstone.telemetry._handlers import HandlerDispatcher, subscriptions

_ENV_NAMES = ("OTEL_PYTHON_TRACER_PROVIDER", "OTEL_PYTHON_METER_PROVIDER", "OTEL_PYTHON_LOGGER_PROVIDER")


class Observation(NamedTuple):
    """Judge and listeners of an observed run.

    Attributes:
        judge: the judge, wrapped where tracing is enabled.
        listeners: the listeners of the run.
    """

    judge: Judge
    listeners: Sequence[EventListener]


def observe(judge: Judge) -> Observation:
    """Return the judge and the listeners for a run, with tracing and handlers where there are any."""
    listeners: list[EventListener] = [HandlerDispatcher()] if subscriptions() else []
    if not is_exporting():
        return Observation(judge, listeners)
    from ragstone.telemetry._instruments import Instruments  # noqa: PLC0415  (imports OpenTelemetry)
    from ragstone.telemetry._run_tracer import RunTracer  # noqa: PLC0415  (likewise)
    from ragstone.telemetry._traced_judge import TracedJudge  # noqa: PLC0415  (likewise)

    instruments = Instruments()
    traced = judge.wrapped(lambda member: TracedJudge(member, instruments))
    return Observation(traced, [*listeners, RunTracer(instruments)])


def is_exporting() -> bool:
    """Tell whether this program exports telemetry."""
    if any(os.environ.get(name) for name in _ENV_NAMES):
        return True
    if "opentelemetry.trace" not in sys.modules and "opentelemetry.metrics" not in sys.modules:
        return False
    from ragstone.telemetry._instruments import has_exporters  # noqa: PLC0415  (loaded already)

    return has_exporters()
