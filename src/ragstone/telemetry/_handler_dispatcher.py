"""Calls the attached handlers with the events of a run."""

from time import perf_counter
from typing import Any

from ragstone.event import (
    Event,
    JudgeCalled,
    MeasurementFinished,
    MeasurementStarted,
    RunFinished,
    RunStarted,
)
from ragstone.result import Result, Usage
from ragstone.telemetry._handlers import call


class HandlerDispatcher:
    """Listener of one run."""

    def __init__(self) -> None:
        self._start = perf_counter()
        self._run_id = ""
        self._results = 0
        self._failures = 0

    def __call__(self, event: Event) -> None:
        match event:
            case RunStarted(run=run, total=total):
                self._run_id = run.id
                metadata = {name: getattr(run.plan, name) for name in ("name", "dataset", "judge")}
                self._dispatch("run.start", {"total": total}, {**metadata, "metrics": [*run.plan.metrics]})
            case MeasurementStarted(case=case, spec=spec):
                self._dispatch("metric.start", {}, {"spec": spec, "case_id": case.id, "case_name": case.name})
            case MeasurementFinished(case=case, result=result):
                self._dispatch_result(result, case.name)
            case JudgeCalled():
                figures = {"duration_ms": event.latency_ms, **_usage_measurements(event.usage, event.cost)}
                metadata = {name: getattr(event, name) for name in ("prompt", "judge", "error", "recorded")}
                self._dispatch("judge.request", figures, metadata)
            case RunFinished(complete=complete):
                figures = {
                    "duration_ms": (perf_counter() - self._start) * 1000,
                    "results": self._results,
                    "failures": self._failures,
                }
                self._dispatch("run.stop", figures, {"complete": complete})
            case _:
                pass

    def _dispatch_result(self, result: Result, case_name: str | None) -> None:
        self._results += 1
        figures = {
            "duration_ms": result.latency_ms,
            **_usage_measurements(result.usage, result.evaluation_cost),
        }
        metadata = {name: getattr(result, name) for name in ("metric", "spec", "case_id", "judge")}
        metadata |= {"case_name": case_name, "result": result}
        if result.error is not None:
            self._failures += 1
            self._dispatch("metric.exception", figures, {**metadata, "error": result.error})
        else:
            self._dispatch(
                "metric.stop", {**figures, "score": result.score}, {**metadata, "status": result.status}
            )

    def _dispatch(self, event: str, measurements: dict[str, Any], metadata: dict[str, Any]) -> None:
        call(event, measurements, {"run_id": self._run_id, **metadata})


def _usage_measurements(usage: Usage, cost: float | None) -> dict[str, Any]:
    return {
        **{name: getattr(usage, name) for name in ("calls", "input_tokens", "output_tokens")},
        "cost": cost,
    }
