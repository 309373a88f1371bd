"""The Ray cluster of a run: the one the program is connected to, one to join, or one started for this run."""

import logging
import os
import socket
from collections.abc import Generator
from contextlib import contextmanager
from threading import Lock
from typing import Any

from ragstone.errors import MissingExtra, UsageError
from ragstone.permissions import is_restricted

_OBJECT_STORE_BYTES = 128 * 2**20
"""Bytes of shared memory of a cluster started here: packets are small and short-lived."""

_CONNECT_TIMEOUT_SECONDS = 10.0  # seconds for a cluster's machine to accept a connection

_run_count_lock = Lock()
_run_count = 0
"""Runs that use the cluster started here: Ray has one connection per process, and the last run closes it."""


@contextmanager
def cluster(address: str | None, workers: int | None) -> Generator[Any]:
    """Yield the module `ray`, connected to a cluster.

    Raises:
        MissingExtra: Ray is not installed.
        UsageError: there is no cluster at the address.
    """
    global _run_count  # noqa: PLW0603  (Ray's connection is global too)
    ray = _import_ray()
    with _run_count_lock:
        started_here = _run_count > 0 or not ray.is_initialized()
        if not ray.is_initialized():
            _connect(ray, address or os.environ.get("RAY_ADDRESS"), workers)
        _run_count += started_here
    try:
        yield ray
    finally:
        with _run_count_lock:
            _run_count -= started_here
            if started_here and not _run_count:
                ray.shutdown()


def _import_ray() -> Any:  # noqa: ANN401  (Ray is untyped)
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # read at import, and by its child processes
    try:
        import ray  # noqa: PLC0415  (takes over a second)
    except ImportError as error:
        raise MissingExtra("engine='ray'", "ray") from error
    return ray


def _check_reachable(address: str) -> None:
    """Raise OSError at once where nothing listens; Ray itself would try for a minute."""
    host, _, port = address.rpartition("://")[2].rpartition(":")
    if host and port.isdecimal():
        socket.create_connection((host, int(port)), _CONNECT_TIMEOUT_SECONDS).close()


def _connect(ray: Any, address: str | None, workers: int | None) -> None:  # noqa: ANN401
    log_options: dict[str, Any] = {"log_to_driver": False, "logging_level": logging.ERROR}
    if is_restricted():
        log_options["job_config"] = _without_current_folder(ray)
    if not address:
        cores = max(workers or 0, os.cpu_count() or 1)
        ray.init(
            address="local",
            _node_ip_address="127.0.0.1",  # no other machine may join
            num_cpus=cores,
            object_store_memory=_OBJECT_STORE_BYTES,
            include_dashboard=False,
            **log_options,
        )
        return
    try:
        _check_reachable(address)
        ray.init(address=address, **log_options)
    except (OSError, ValueError, RuntimeError) as error:
        why = " ".join(str(error).split()).rstrip(".")
        raise UsageError(
            f"There is no Ray cluster at {address!r}: {why}. Start one with `ray start --head`, or leave the address "
            "out to start one for this run."
        ) from error


def _without_current_folder(ray: Any) -> Any:  # noqa: ANN401  (Ray is untyped)
    """Return the configuration of a job whose workers do not search the current folder before the standard library.

    Ray adds it for programs. A command's workers get the command's own path instead, from `RayWorker`.
    """
    job_config = ray.job_config.JobConfig()
    job_config._py_driver_sys_path = _NoFolders()  # noqa: SLF001  (Ray has no option for it)
    return job_config


class _NoFolders(list[str]):
    """A list that stays empty."""

    def extend(self, folders: object) -> None:
        """Ignore the folders."""
        del folders


def cores(ray: Any) -> int:  # noqa: ANN401  (Ray is untyped)
    """Return how many processor cores the cluster has."""
    return max(1, int(ray.cluster_resources().get("CPU", 1)))
