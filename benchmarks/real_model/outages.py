"""The server is killed during a run and restarted after 5, 20 and 45 s: no measurement is lost."""

import argparse
import threading
import time

from benchmarks.llama import LlamaServer
from benchmarks.real_model.figures import judge, measured, print_errors
from ragstone import TestCase, evaluate
from ragstone.event import MeasurementFinished

_AWAY = (5.0, 20.0, 45.0)
_IN_FLIGHT = 16


def run(options: argparse.Namespace) -> bool:
    """Measure once for each outage."""
    lost = [_lost(away, options.rows) for away in _AWAY]
    return not any(lost)


def _lost(away: float, count: int) -> int:
    cases = [
        TestCase(input=f"{number}?", actual_output=f"{number} lamps.", context=[f"{number} green lamps."])
        for number in range(count)
    ]
    seen = list[MeasurementFinished]()
    with LlamaServer() as server:

        def interrupt() -> None:
            while len(seen) < count // 5:
                time.sleep(0.05)
            server.kill()
            time.sleep(away)
            server.launch()

        thread = threading.Thread(target=interrupt)
        thread.start()
        report = evaluate(
            cases,
            ["hallucination"],
            judge=judge(server),
            concurrency=_IN_FLIGHT,
            timeout=60,
            store=False,
            listeners=[lambda event: seen.append(event) if isinstance(event, MeasurementFinished) else None],
        )
        thread.join()
    good, whole = measured(report)
    print(f"away {away:.0f} s after {count // 5} of {whole}: {whole - good} lost, {report.usage.calls} calls")
    print_errors(report)
    return whole - good
