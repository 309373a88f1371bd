"""A model that repeats itself endlessly: the measurement ends within seconds, with the reason or with a score.

Time is the server's CPU time, which equals wall time on an idle machine.
"""

import argparse
import os
from itertools import pairwise

from benchmarks.llama import LlamaServer
from benchmarks.real_model.figures import judge, print_errors
from ragstone import evaluate
from ragstone.datasets import load_dataset
from ragstone.event import Event, MeasurementFinished

_SECONDS = 10.0
_METRICS = ("answer_relevancy", "contextual_relevancy", "contextual_recall")
"""The first extracts a list of unknown length; the others have one verdict for each sentence."""


def run(_: argparse.Namespace) -> bool:
    """Measure one metric after the other, without repetition penalty and without a limit in the server."""
    (case, *_rest) = load_dataset("demo")
    taken = list[float]()

    def note(event: Event) -> None:
        if isinstance(event, MeasurementFinished):
            taken.append(server.cpu_seconds)

    with LlamaServer(("--repeat-penalty", "1.0")) as server:
        taken.append(server.cpu_seconds)
        report = evaluate(
            [case],
            list(_METRICS),
            judge=judge(server),
            concurrency=1,
            timeout=300,
            store=False,
            listeners=[note],
        )
    results = [result for _, result in report.flat()]
    seconds = [after - before for before, after in pairwise(taken)]
    for result, cpu in zip(results, seconds, strict=True):
        print(
            f"{result.metric}: {'ended' if result.error else 'measured'} after {cpu:.1f} s CPU of the server; "
            f"{result.usage.calls} calls, {result.usage.output_tokens} tokens"
        )
    print(f"load average {os.getloadavg()[0]:.1f}")
    print_errors(report)
    ended = [(result.error, cpu) for result, cpu in zip(results, seconds, strict=True) if result.error]
    return all("repeats itself" in error and cpu <= _SECONDS for error, cpu in ended)
