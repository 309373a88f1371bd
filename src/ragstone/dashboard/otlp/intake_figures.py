"""The counts of the receiver of traces, for Prometheus."""

from collections.abc import Iterator

from prometheus_client import Metric
from prometheus_client.metrics_core import CounterMetricFamily
from prometheus_client.registry import Collector

from ragstone.dashboard.otlp.intake import Intake

_REQUESTS = {"accepted": "requests", "refused": "refused", "failed": "failed"}
_RECORDS = {"stored": "stored", "repeated": "repeated", "left_out": "left_out"}
"""Value of the label `outcome` → field of `IntakeCounts`."""


class IntakeFigures(Collector):
    """What a receiver of traces has counted since its start."""

    def __init__(self, intake: Intake) -> None:
        """Read the counts of `intake`."""
        self._intake = intake

    def collect(self) -> Iterator[Metric]:
        """Yield each figure."""
        counts = self._intake.counts()
        for name, text, outcomes in (
            ("requests", "Requests with spans or log records, by outcome.", _REQUESTS),
            ("records", "Spans and log records, by outcome.", _RECORDS),
        ):
            family = CounterMetricFamily(f"ragstone_receiver_{name}", text, labels=["outcome"])
            for outcome, field in outcomes.items():
                family.add_metric([outcome], counts[field])
            yield family
