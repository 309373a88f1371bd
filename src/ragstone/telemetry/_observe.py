"""Whether anybody listens, and what has to be put between a run and its judge so that they hear.

OpenTelemetry's own API does nothing without an SDK, but importing it takes longer than all of ragstone. Whoever exports
anything has imported it: as long as it is not loaded, and no variable asks for it, there is nobody to tell.
"""

import os
import sys
from collections.abc import Sequence
from typing import NamedTuple

from ragstone.event import EventListener
from ragstone.judges import Judge
from ragstone.telemetry._handler_dispatcher import HandlerDispatcher
from ragstone.telemetry._handlers import subscriptions

_SIGNALS = ("OTEL_PYTHON_TRACER_PROVIDER", "OTEL_PYTHON_METER_PROVIDER", "OTEL_PYTHON_LOGGER_PROVIDER")


class Observation(NamedTuple):
    """A run, observed.

    Attributes:
        judge: the judge to ask: as it was, or one that tells of each question.
        listeners: who has to hear the run's events.
    """

    judge: Judge
    listeners: Sequence[EventListener]


def observe(judge: Judge) -> Observation:
    """Return what a run by `judge` has to ask and to tell, so that those who want to know do."""
    listeners: list[EventListener] = [HandlerDispatcher()] if subscriptions() else []
    if not _has_sdk():
        return Observation(judge, listeners)
    from ragstone.telemetry._instruments import Instruments  # noqa: PLC0415  (imports OpenTelemetry)
    from ragstone.telemetry._run_tracer import RunTracer  # noqa: PLC0415  (likewise)
    from ragstone.telemetry._traced_judge import TracedJudge  # noqa: PLC0415  (likewise)

    instruments = Instruments()
    return Observation(TracedJudge(judge, instruments), [*listeners, RunTracer(instruments)])


def _has_sdk() -> bool:
    """Tell whether this program exports anything."""
    if any(os.environ.get(signal) for signal in _SIGNALS):
        return True
    if "opentelemetry.trace" not in sys.modules and "opentelemetry.metrics" not in sys.modules:
        return False
    from ragstone.telemetry._instruments import has_exporters  # noqa: PLC0415  (loaded already)

    return has_exporters()
