"""What the driver of a run and its workers in other processes tell each other, and how it is packed.

A worker notes what happened, and calls where it needs an answer. The driver answers, and gives work. All messages that
wait travel in one packet, so that a busy worker takes few of them.
"""

import pickle
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple

from ragstone.case import TestCase
from ragstone.event import JudgeCalled
from ragstone.result import Result

Dumps = Callable[[object], bytes]


class WorkerEvent(NamedTuple):
    """A worker tells what happened.

    Attributes:
        kind: a measurement has `started`, was `measured` or has `stopped` since the budget is spent; a prompt was
            `asked`; a call has ended (`release`) or was paid for (`settle`); the server is overloaded (`slow_down`).
        args: the values that belong to it.
    """

    kind: Literal["started", "measured", "asked", "release", "settle", "slow_down", "stopped"]
    args: tuple[Any, ...]


class WorkerRequest(NamedTuple):
    """A worker needs something: leave to ask its judge, money, an answer."""

    number: int
    kind: Literal["admit", "reserve", "ask", "recall"]
    args: tuple[Any, ...]


class DriverResponse(NamedTuple):
    """The driver answers a call."""

    number: int
    value: Any = None
    error: Exception | None = None


class Assignment(NamedTuple):
    """The driver gives work: some metrics on one test case. `again` says that another worker was lost over it."""

    case_index: int
    case: TestCase
    metric_indices: tuple[int, ...]
    again: bool = False


@dataclass(frozen=True, slots=True)
class SerializedExchange:
    """An exchange, written down where it took place: texts alone, which every process can read."""

    key: str
    written: str
    request: str


def written(asked: JudgeCalled) -> JudgeCalled:
    """Return an event whose exchange is written down."""
    said = asked.exchange
    if said is None:
        return asked
    return replace(asked, exchange=SerializedExchange(said.key, said.written, said.request))


def pack(messages: Sequence[object], *dumps: Dumps) -> bytes:
    """Return messages as bytes; what cannot travel of a result (a metric's own object) goes as its repr."""
    for dump in (pickle.dumps, *dumps):
        try:
            return dump(messages)
        except Exception:  # noqa: BLE001, S112  (whatever a user's own objects raise; the next way may do)
            continue
    return pickle.dumps([_plain(message) for message in messages])


def unpack(packet: bytes) -> list[Any]:
    """Return the messages of a packet."""
    return pickle.loads(packet)  # noqa: S301  (from our own worker, or our own driver)


def picklable(error: Exception) -> Exception:
    """Return an error as it can be sent: itself, or one of the same words."""
    try:
        return pickle.loads(pickle.dumps(error))  # noqa: S301  (just made)
    except Exception:  # noqa: BLE001  (an error of the user's own may need more than its words to be made again)
        return RuntimeError(f"{type(error).__name__}: {error}")


def _plain(message: object) -> object:
    if not (isinstance(message, WorkerEvent) and message.kind == "measured"):
        return message
    *key, result = message.args
    text = result.model_dump_json(fallback=repr)
    return WorkerEvent("measured", (*key, Result.model_validate_json(text)))
