"""Figures of a store: its queue of traces, and its watches with their scores, alarms and processes.

They are read from the store when they are asked for, so each server of a store tells the same.
"""

import time
from collections.abc import Iterator

from prometheus_client import Metric
from prometheus_client.metrics_core import GaugeMetricFamily
from prometheus_client.registry import Collector

from ragstone.store.queue.trace_queue import TraceQueue
from ragstone.store.queue.watch_state import read_health
from ragstone.store.schema.connect import DATABASE_ERRORS
from ragstone.watch.delivery import alarm_values, score_gauges
from ragstone.watch.feedback import feedback_figures
from ragstone.watch.overview import watch_plans
from ragstone.watch.window import window_figures

_SCORES = {
    "ragstone_watch_score_mean": "Mean score of a metric in the window of a watch.",
    "ragstone_watch_score_low": "Lower end of the 95 % interval of the mean score.",
    "ragstone_watch_score_high": "Upper end of the 95 % interval of the mean score.",
    "ragstone_watch_feedback_mean": "Mean feedback of users in the window of a watch.",
    "ragstone_watch_feedback_low": "Lower end of the 95 % interval of the mean feedback.",
    "ragstone_watch_feedback_high": "Upper end of the 95 % interval of the mean feedback.",
}


class StoreFigures(Collector):
    """The figures of a store. While its database fails, only `ragstone_store_up` is told, as 0."""

    def __init__(self, queue: TraceQueue) -> None:
        """Read from the store of `queue`."""
        self._queue = queue

    def collect(self) -> Iterator[Metric]:
        """Yield each figure."""
        try:
            found = [*_queue_figures(self._queue), *_watch_figures(self._queue)]
        except DATABASE_ERRORS:
            found = []
        up = float(bool(found))
        yield GaugeMetricFamily("ragstone_store_up", "1 if the database of the store answers, else 0.", up)
        yield from found


def _queue_figures(queue: TraceQueue) -> Iterator[Metric]:
    counts = queue.counts()
    traces = GaugeMetricFamily("ragstone_traces", "Traces in the store, by state.", labels=["state"])
    for state in ("waiting", "judged", "dead"):
        traces.add_metric([state], getattr(counts, state))
    yield traces
    yield GaugeMetricFamily(
        "ragstone_traces_waiting_bytes", "Size of the traces that wait to be judged.", counts.waiting_bytes
    )


def _watch_figures(queue: TraceQueue) -> Iterator[Metric]:
    alarms = GaugeMetricFamily("ragstone_watch_alarm", "1 while an alarm is on.", labels=["watch", "alarm"])
    processes = GaugeMetricFamily(
        "ragstone_watch_processes",
        "Processes of a watch: alive, or silent, which have ended without saying so.",
        labels=["watch", "state"],
    )
    failing = GaugeMetricFamily(
        "ragstone_watch_failing_tasks", "Tasks that fail in the processes of a watch.", labels=["watch"]
    )
    scores: dict[str, GaugeMetricFamily] = {
        name: GaugeMetricFamily(name, text, labels=["watch", "metric"]) for name, text in _SCORES.items()
    }
    for plan in watch_plans(queue):
        for alarm, is_on in alarm_values(queue, plan).items():
            alarms.add_metric([plan.name, alarm], float(is_on))
        health = read_health(queue.engine, plan.name)
        silent = sum(process.is_silent(time.time()) for process in health)
        processes.add_metric([plan.name, "alive"], len(health) - silent)
        processes.add_metric([plan.name, "silent"], silent)
        failing.add_metric([plan.name], sum(len(process.failing) for process in health))
        for gauge in score_gauges(plan, window_figures(queue, plan), feedback_figures(queue, plan)):
            labels = [plan.name, gauge.attributes["gen_ai.evaluation.name"]]
            scores[gauge.name.replace(".", "_")].add_metric(labels, gauge.value)
    yield from (alarms, processes, failing, *scores.values())
