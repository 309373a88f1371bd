"""OpenTelemetry spans, metrics and events of a run, and handler functions that are called with its events.

ragstone itself sends nothing, and imports OpenTelemetry only if an SDK is set up.
"""

from ragstone.telemetry._handlers import (
    Handler,
    Subscription,
    attach,
    attach_default_logger,
    detach,
    detach_default_logger,
)
from ragstone.telemetry._observe import Observation, observe

__all__ = [
    "Handler",
    "Observation",
    "Subscription",
    "attach",
    "attach_default_logger",
    "detach",
    "detach_default_logger",
    "observe",
]
