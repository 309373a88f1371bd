"""Whether anybody listens, and what has to be put between a run and its judge so that they hear.

OpenTelemetry's own API does nothing without an SDK, but importing it takes longer than all of ragstone. Whoever exports
anything has imported it: as long as it is not loaded, and no variable asks for it, there is nobody to tell.
"""

import os
import sys
from collections.abc import Sequence
from typing import NamedTuple

from ragstone.event import Emit
from ragstone.judges import Judge
from ragstone.telemetry._announcer import Announcer
from ragstone.telemetry._handlers import attached

_SIGNALS = ("OTEL_PYTHON_TRACER_PROVIDER", "OTEL_PYTHON_METER_PROVIDER", "OTEL_PYTHON_LOGGER_PROVIDER")


class Observation(NamedTuple):
    """A run, observed.

    Attributes:
        judge: the judge to ask: as it was, or one that tells of each question.
        listeners: who has to hear the run's events.
    """

    judge: Judge
    listeners: Sequence[Emit]


def observe(judge: Judge) -> Observation:
    """Return what a run by `judge` has to ask and to tell, so that those who want to know do."""
    listeners: list[Emit] = [Announcer()] if attached() else []
    if not _has_sdk():
        return Observation(judge, listeners)
    from ragstone.telemetry._instruments import Instruments  # noqa: PLC0415  (imports OpenTelemetry)
    from ragstone.telemetry._judge import ObservedJudge  # noqa: PLC0415  (likewise)
    from ragstone.telemetry._tracer import Tracer  # noqa: PLC0415  (likewise)

    instruments = Instruments()
    return Observation(ObservedJudge(judge, instruments), [*listeners, Tracer(instruments)])


def _has_sdk() -> bool:
    """Tell whether this program exports anything."""
    if any(os.environ.get(signal) for signal in _SIGNALS):
        return True
    if "opentelemetry.trace" not in sys.modules and "opentelemetry.metrics" not in sys.modules:
        return False
    from ragstone.telemetry._instruments import someone_exports  # noqa: PLC0415  (loaded already)

    return someone_exports()
