"""The packaged dataset and the six metrics of the preset `rag`, end to end: at least 90 % measured."""

import argparse
import sys
import time

from benchmarks.llama import LlamaServer
from benchmarks.real_model.figures import judge, measured, print_errors
from ragstone import evaluate
from ragstone.datasets import load_dataset
from ragstone.event import Event, MeasurementFinished

_MEASURED = 0.9


def _show(event: Event) -> None:
    """Write each result to standard error when it is ready, as a run takes many minutes."""
    if isinstance(event, MeasurementFinished):
        result = event.result
        print(f"{result.metric}: {result.error or result.score}", file=sys.stderr, flush=True)


def run(options: argparse.Namespace) -> bool:
    """Evaluate the first cases of the packaged dataset."""
    cases = list(load_dataset("demo"))[: options.rows]
    with LlamaServer() as server:
        begin = time.monotonic()
        report = evaluate(
            cases,
            preset="rag",
            judge=judge(server),
            concurrency=2,
            timeout=900,
            store=False,
            listeners=[_show],
        )
        seconds = time.monotonic() - begin
    good, whole = measured(report)
    usage = report.usage
    print(
        f"measured {good} of {whole} ({good / whole:.0%}) on {len(cases)} cases, {usage.calls} calls, {seconds:.0f} s; "
        f"{usage.cached_tokens / max(1, usage.input_tokens):.0%} of {usage.input_tokens:,} prompt tokens cached"
    )
    print_errors(report)
    return good >= _MEASURED * whole
