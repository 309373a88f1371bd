"""Export the figures of a watch as OpenTelemetry gauges, and each change of an alarm as an event.

This module sends nothing itself: values go to the providers that the program has set up, if there are any.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ragstone.telemetry._observe import is_exporting

ALARM_EVENT = "ragstone.watch.alarm"


@dataclass(frozen=True, slots=True)
class GaugeValue:
    """A value of a gauge, with its attributes."""

    name: str
    value: float
    attributes: Mapping[str, str]


def record_gauges(values: Sequence[GaugeValue]) -> None:
    """Set gauges; does nothing where the program exports nothing."""
    if not is_exporting():
        return
    from opentelemetry import metrics  # noqa: PLC0415  (only where the program has it)

    meter = metrics.get_meter("ragstone")
    for gauge in values:
        meter.create_gauge(gauge.name).set(gauge.value, dict(gauge.attributes))


def emit_alarm(attributes: Mapping[str, str | float]) -> None:
    """Emit the event of a changed alarm; does nothing if the program exports no logs."""
    if not is_exporting():
        return
    from opentelemetry._logs import SeverityNumber  # noqa: PLC0415  (only where the program has it)

    from ragstone.telemetry._instruments import Instruments  # noqa: PLC0415  (likewise)

    logger = Instruments().logger
    if logger is not None:
        logger.emit(event_name=ALARM_EVENT, severity_number=SeverityNumber.WARN, attributes=dict(attributes))
