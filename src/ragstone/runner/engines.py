"""The engines that execute a run: this process, or a Ray cluster. Both are called with the same arguments."""

from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any

from ragstone.errors import BadOption
from ragstone.options import Batch, Engine, Ray
from ragstone.runner.execute import execute

Executor = Callable[..., Coroutine[Any, Any, None]]
"""Executes a run; see `execute` for the arguments."""


def get_engine(engine: Engine = "local") -> Executor:
    """Return what executes a run. Raises BadOption: there is no such engine."""
    if engine == "ray":
        engine = Ray()
    if isinstance(engine, Ray):
        from ragstone.runner.distributed.ray_engine import execute_on_ray  # noqa: PLC0415  (most runs do without)

        return partial(
            execute_on_ray, address=engine.address, workers=engine.workers, send_keys=engine.send_keys
        )
    if engine == "local" or isinstance(engine, Batch):  # pyright: ignore[reportUnnecessaryIsInstance]  (callers may pass anything)
        return execute
    raise BadOption(f"engine={engine!r}: write 'local', 'ray', Ray(workers=8) or Batch()")
