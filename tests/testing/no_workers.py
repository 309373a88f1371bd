"""Runs inside of a test start no worker processes.

Each would load the encoder and read again what the processes of a session share (`encoded_pairs`), beside the processes
of pytest-xdist. `RAGSTONE_WORKERS` says so to commands only: `evaluate` reads no variables. A test of workers wants
them at once and sets `pool.START_AFTER_SECONDS` to 0.
"""

import math


def start_none() -> None:
    """Let no work be worth a worker in this process."""
    from ragstone.judges.local.workers import pool  # noqa: PLC0415  (numpy reads variables that a conftest sets)

    pool.START_AFTER_SECONDS = math.inf
