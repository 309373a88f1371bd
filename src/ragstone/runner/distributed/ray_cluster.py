"""The Ray cluster of a run: the one the program is connected to, one to join, or one started for this run."""

import logging
import os
import socket
from collections.abc import Generator
from contextlib import contextmanager
from threading import Lock
from typing import Any

from ragstone.errors import MissingExtra, UsageError

_OBJECT_STORE = 128 * 2**20
"""Bytes of shared memory of a cluster started here: packets are small and short-lived."""

_TIMEOUT = 10.0
"""Seconds for a cluster's machine to accept a connection."""

_joining = Lock()
_joined = 0
"""Runs that use the cluster started here: Ray has one connection per process, and the last run closes it."""


@contextmanager
def cluster(address: str | None, workers: int | None) -> Generator[Any]:
    """Yield the module `ray`, connected to a cluster.

    Raises:
        MissingExtra: Ray is not installed.
        UsageError: there is no cluster at the address.
    """
    global _joined  # noqa: PLW0603  (Ray's connection is global too)
    ray = _ray()
    with _joining:
        ours = _joined > 0 or not ray.is_initialized()
        if not ray.is_initialized():
            _connect(ray, address or os.environ.get("RAY_ADDRESS"), workers)
        _joined += ours
    try:
        yield ray
    finally:
        with _joining:
            _joined -= ours
            if ours and not _joined:
                ray.shutdown()


def _ray() -> Any:  # noqa: ANN401  (Ray is untyped)
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # read at import, and by its child processes
    try:
        import ray  # noqa: PLC0415  (takes over a second)
    except ImportError as error:
        raise MissingExtra("engine='ray'", "ray") from error
    return ray


def _check_reachable(address: str) -> None:
    """Fail at once where nothing listens; Ray itself would try for a minute.

    Raises:
        OSError: nothing listens.
    """
    host, _, port = address.rpartition("://")[2].rpartition(":")
    if host and port.isdecimal():
        socket.create_connection((host, int(port)), _TIMEOUT).close()


def _connect(ray: Any, address: str | None, workers: int | None) -> None:  # noqa: ANN401
    quiet = {"log_to_driver": False, "logging_level": logging.ERROR}
    if not address:
        cores = max(workers or 0, os.cpu_count() or 1)
        ray.init(
            address="local",
            _node_ip_address="127.0.0.1",  # no other machine may join
            num_cpus=cores,
            object_store_memory=_OBJECT_STORE,
            include_dashboard=False,
            **quiet,
        )
        return
    try:
        _check_reachable(address)
        ray.init(address=address, **quiet)
    except (OSError, ValueError, RuntimeError) as error:
        why = " ".join(str(error).split()).rstrip(".")
        raise UsageError(
            f"There is no Ray cluster at {address!r}: {why}. Start one with `ray start --head`, or leave the address "
            "out to start one for this run."
        ) from error


def cores(ray: Any) -> int:  # noqa: ANN401  (Ray is untyped)
    """Return how many processor cores the cluster has."""
    return max(1, int(ray.cluster_resources().get("CPU", 1)))
