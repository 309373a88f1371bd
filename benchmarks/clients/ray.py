"""ragstone on a Ray cluster of this machine, which is started before the measured time, as the warm-up needs it too.

Where RAY_ADDRESS names a cluster, that one is joined.
"""

import os

import ray

from benchmarks.client import Rows, Scores, Told, measured
from ragstone import evaluate

_QUIET = {"include_dashboard": False, "log_to_driver": False, "logging_level": "ERROR"}


def work(rows: Rows, told: Told) -> Scores:
    if not ray.is_initialized() and "RAY_ADDRESS" not in os.environ:
        ray.init(
            address="local", _node_ip_address="127.0.0.1", num_cpus=2, object_store_memory=10**8, **_QUIET
        )
    report = evaluate(
        list(rows), preset="rag", judge="openai", concurrency=told.in_flight, timeout=300, engine="ray"
    )
    return [[result.score for result in row] for row in report.results]


if __name__ == "__main__":
    measured(work)
