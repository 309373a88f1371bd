"""Messages between a run and its workers: a length of eight bytes, then a pickle. Both ends are our own processes."""

import pickle
from typing import Any, BinaryIO

HEADER_SIZE = 8
"""Number of bytes that hold the length of a frame."""


def pack(message: object) -> bytes:
    """Return the frame of a message."""
    data = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
    return len(data).to_bytes(HEADER_SIZE, "little") + data


def unpack(data: bytes) -> Any:  # noqa: ANN401  (any packed object)
    """Return the message of a frame without its length."""
    return pickle.loads(data)  # noqa: S301  (from a process that we started, over its own pipe)


def read_frame(source: BinaryIO) -> bytes | None:
    """Return the next frame without its length; None if the stream has ended, even within a frame."""
    header = source.read(HEADER_SIZE)
    if len(header) < HEADER_SIZE:
        return None
    length = int.from_bytes(header, "little")
    data = source.read(length)
    return data if len(data) == length else None
