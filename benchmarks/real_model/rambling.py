"""A model that repeats one list entry without end: the measurement ends in seconds, and says why.

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


def run(_: argparse.Namespace) -> bool:
    """Ask for the statements of a text without a repetition penalty, and without a limit on the server's side."""
    case = next(iter(load_dataset("demo")))
    with LlamaServer(("--repeat-penalty", "1.0")) as server:
        begin, taken = time.monotonic(), server.cpu_seconds
        report = evaluate([case], ["answer_relevancy"], judge=judge(server), timeout=300, store=False)
        seconds, cpu = time.monotonic() - begin, server.cpu_seconds - taken
    print(
        f"ended after {seconds:.1f} s, {cpu:.1f} s CPU of the server (load average {os.getloadavg()[0]:.1f}); "
        f"{report.usage.calls} calls, {report.usage.output_tokens} tokens"
    )
    print_errors(report)
    told = any("rambles" in (result.error or "") for _, result in report.flat())
    return told and cpu <= _SECONDS
