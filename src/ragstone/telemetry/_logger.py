"""A handler that logs one line for each event."""

import logging
from collections.abc import Iterable, Mapping
from typing import Any

from ragstone.telemetry._handlers import EVENTS, Subscription, attach, detach, subscriptions


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
    subject = (
        str(metadata["result"])
        if "result" in metadata
        else " ".join(
            f"{name}={value}" for name, value in metadata.items() if value is not None and name != "run_id"
        )
    )
    figures = " ".join(
        f"{name}={_figure(value)}" for name, value in measurements.items() if value is not None
    )
    return f"{event} {subject} [{figures}] run={metadata['run_id']}"


def _figure(value: object) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)
