"""What a run tells the outside: OpenTelemetry where the program has an SDK, and plain functions that were attached.

Nothing is sent anywhere by ragstone itself, and nothing is imported or measured as long as nobody listens.
"""

from ragstone.telemetry._handlers import Handler, Subscription, attach, detach
from ragstone.telemetry._logger import attach_default_logger, detach_default_logger
from ragstone.telemetry._observe import Observation, observe

Attached = Subscription
"""The former name of `Subscription`."""

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
