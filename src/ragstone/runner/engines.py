"""How a run is executed: in this process, or on Ray. One signature, so that nobody else needs to know."""

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Literal, get_args

from ragstone.errors import BadOption
from ragstone.runner.execute import execute

EngineName = Literal["local", "ray"]
Engine = Callable[..., Awaitable[None]]


def get_engine(name: str = "local", *, address: str | None = None, workers: int | None = None) -> Engine:
    """Return what executes a run; it is called as `execute` is.

    Args:
        name: `local`, or `ray`.
        address: the Ray cluster to join; None starts one.
        workers: processes that measure on Ray; None for one a core.

    Raises:
        BadOption: there is no such engine, or it takes no such option.
    """
    if name == "ray":
        from ragstone.runner.distributed.ray_engine import checked_workers, execute_on_ray  # noqa: PLC0415  (most runs do without)

        return partial(execute_on_ray, address=address, workers=checked_workers(workers))
    if name not in get_args(EngineName):
        raise BadOption(f"engine={name!r}: write {' or '.join(map(repr, get_args(EngineName)))}")
    for option, value in (("ray_address", address), ("ray_workers", workers)):
        if value is not None:
            raise BadOption(f"{option}={value!r} is for Ray: write engine='ray' beside it")
    return execute
