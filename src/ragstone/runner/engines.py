"""The engines that execute a run: this process, or a Ray cluster. Both are called with the same arguments."""

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any, Literal, Protocol, get_args

from ragstone.case import TestCase
from ragstone.datasets import BadRow
from ragstone.engine.scheduler import Flush
from ragstone.errors import BadOption
from ragstone.event import EventListener
from ragstone.judges import Judge
from ragstone.metrics import Metric
from ragstone.providers.batches.log import BatchLog
from ragstone.run import Run
from ragstone.runner.execute import execute
from ragstone.runner.resume import ResumeState

EngineName = Literal["local", "ray"]


class Engine(Protocol):
    """Executes a run; see `execute` for the arguments."""

    async def __call__(
        self,
        run: Run,
        rows: Iterable[TestCase | BadRow],
        metrics: Sequence[Metric],
        judge: Judge,
        emit: EventListener,
        *,
        total: int | None = None,
        resume_state: ResumeState | None = None,
        flush: Flush | None = None,
        batch_log: BatchLog | None = None,
    ) -> None:
        """Execute the run."""
        ...


def get_engine(name: str = "local", *, address: str | None = None, workers: int | None = None) -> Engine:
    """Return the engine of that name.

    Args:
        name: `local` or `ray`.
        address: the Ray cluster to join; None starts one.
        workers: processes that measure on Ray; None for one per core.

    Raises:
        BadOption: there is no such engine, or it does not take an option.
    """
    if name == "ray":
        from ragstone.runner.distributed.ray_engine import checked_workers, execute_on_ray  # noqa: PLC0415

        engine: Any = partial(execute_on_ray, address=address, workers=checked_workers(workers))
        return engine
    if name not in get_args(EngineName):
        raise BadOption(f"engine={name!r}: write {' or '.join(map(repr, get_args(EngineName)))}")
    for option, value in (("ray_address", address), ("ray_workers", workers)):
        if value is not None:
            raise BadOption(f"{option}={value!r} is for Ray: write engine='ray' beside it")
    return execute
