"""The messages between the driver of a run and its workers, and how they are packed.

A worker reports events, and sends requests where it needs a response. The driver responds, and assigns tasks. All
waiting messages are sent in one packet, so that a busy worker needs few packets.
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
    """An event that a worker reports, with the values that belong to it.

    A measurement has `started`, was `measured` or has `stopped` since the budget is spent; a prompt was `asked`; a call
    has ended (`release`) or was paid for (`settle`); the server is overloaded (`slow_down`) or silent (`waiting`).
    """

    kind: Literal["started", "measured", "asked", "release", "settle", "slow_down", "waiting", "stopped"]
    args: tuple[Any, ...]


class WorkerRequest(NamedTuple):
    """A worker's request for a response: admission of a call, a reservation, an answer."""

    number: int
    kind: Literal["admit", "reserve", "ask", "recall"]
    args: tuple[Any, ...]


class DriverResponse(NamedTuple):
    """The driver's response to a request."""

    number: int
    value: Any = None
    error: Exception | None = None


class Assignment(NamedTuple):
    """Metrics to measure on one test case; `again` if they were assigned to a lost worker before."""

    case_index: int
    case: TestCase
    metric_indices: tuple[int, ...]
    again: bool = False


@dataclass(frozen=True, slots=True)
class ExchangeText:
    """An exchange serialised in the worker, as texts that every process can read."""

    key: str
    written: str
    request: str


def serialized(asked: JudgeCalled) -> JudgeCalled:
    """Return the event with its exchange serialised."""
    exchange = asked.exchange
    if exchange is None:
        return asked
    return replace(asked, exchange=ExchangeText(exchange.key, exchange.written, exchange.request))


def pack(messages: Sequence[object], *dumps: Dumps) -> bytes:
    """Return messages as bytes; an object in a result that cannot be pickled is replaced by its repr."""
    for dump in (pickle.dumps, *dumps):
        try:
            return dump(messages)
        except Exception:  # noqa: BLE001, S112  (a user's objects may raise anything; the next way may work)
            continue
    return pickle.dumps([_plain_event(message) for message in messages])


def unpack(packet: bytes) -> list[Any]:
    """Return the messages of a packet."""
    return pickle.loads(packet)  # noqa: S301  (from our own processes)


def picklable(error: Exception) -> Exception:
    """Return an error that can be pickled: itself, or one with the same text."""
    try:
        return pickle.loads(pickle.dumps(error))  # noqa: S301  (just made)
    except Exception:  # noqa: BLE001  (an error of the user's own may need other arguments)
        return RuntimeError(f"{type(error).__name__}: {error}")


def _plain_event(message: object) -> object:
    if not (isinstance(message, WorkerEvent) and message.kind == "measured"):
        return message
    *key, result = message.args
    text = result.model_dump_json(fallback=repr)
    return WorkerEvent("measured", (*key, Result.model_validate_json(text)))
