"""The engines that execute a run: this process, or a Ray cluster. Both are called with the same arguments."""

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any, Protocol

from ragstone.case import TestCase
from ragstone.datasets import BadRow
from ragstone.engine.scheduler import Flush
from ragstone.errors import BadOption
from ragstone.event import EventListener
from ragstone.judges import Judge
from ragstone.metrics import Metric
from ragstone.options import Batch, Engine, Ray
from ragstone.providers.batches.log import BatchLog
from ragstone.run import Run
from ragstone.runner.execute import execute
from ragstone.runner.resume import ResumeState


class Executor(Protocol):
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


def get_engine(engine: Engine = "local") -> Executor:
    """Return what executes a run.

    Raises:
        BadOption: there is no such engine.
    """
    if engine == "ray":
        engine = Ray()
    if isinstance(engine, Ray):
        from ragstone.runner.distributed.ray_engine import execute_on_ray  # noqa: PLC0415  (most runs do without)

        executor: Any = partial(
            execute_on_ray, address=engine.address, workers=engine.workers, send_keys=engine.send_keys
        )
        return executor
    if engine == "local" or isinstance(engine, Batch):  # pyright: ignore[reportUnnecessaryIsInstance]  (callers may pass anything)
        return execute
    raise BadOption(f"engine={engine!r}: write 'local', 'ray', Ray(workers=8) or Batch()")
