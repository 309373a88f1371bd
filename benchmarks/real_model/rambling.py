"""A model that repeats one list entry without end: the measurement ends in seconds, with a score or with the reason.

Counted are seconds of the server's CPU, which are wall time on a machine that does nothing else.
"""

import argparse
import os
import time

from benchmarks.llama import LlamaServer
from benchmarks.real_model.figures import judge, print_errors
from ragstone import evaluate
from ragstone.datasets import load_dataset

_SECONDS = 10.0
_METRICS = ("answer_relevancy", "contextual_relevancy", "contextual_recall")
"""The first extracts a list of unknown length; the others split and judge in one call."""


def run(_: argparse.Namespace) -> bool:
    """Ask without a repetition penalty, and without a limit on the server's side."""
    with LlamaServer(("--repeat-penalty", "1.0")) as server:
        ended = [_ends(server, metric) for metric in _METRICS]
    return all(ended)


def _ends(server: LlamaServer, metric: str) -> bool:
    case = next(iter(load_dataset("demo")))
    begin, taken = time.monotonic(), server.cpu_seconds
    report = evaluate([case], [metric], judge=judge(server), timeout=300, store=False)
    seconds, cpu = time.monotonic() - begin, server.cpu_seconds - taken
    (result,) = (result for _, result in report.flat())
    print(
        f"{metric}: {'ended' if result.error else 'measured'} after {seconds:.1f} s, {cpu:.1f} s CPU of the server "
        f"(load average {os.getloadavg()[0]:.1f}); {report.usage.calls} calls, {report.usage.output_tokens} tokens"
    )
    print_errors(report)
    return cpu <= _SECONDS and (result.error is None or "rambles" in result.error)
