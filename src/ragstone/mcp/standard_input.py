"""Standard input that a signal can end: a thread that reads a pipe cannot be interrupted otherwise."""

import os
import signal
from collections.abc import Generator
from contextlib import contextmanager, suppress
from io import FileIO
from threading import Thread
from types import FrameType

_CHUNK_BYTES = 1 << 16


@contextmanager
def ending_on_interrupt() -> Generator[None]:
    """Until the end of the block, Ctrl-C ends standard input, as if the client had closed it.

    Standard input becomes a pipe, to which a thread copies what the client sends.
    """
    client, (reading, writing) = os.dup(0), os.pipe()
    os.dup2(reading, 0)
    os.close(reading)
    pipe = FileIO(writing, "w")

    def end(number: int, frame: FrameType | None) -> None:
        del number, frame
        pipe.close()

    before = signal.signal(signal.SIGINT, end)
    Thread(target=_copy, args=(client, pipe), name="ragstone-mcp-input", daemon=True).start()
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        pipe.close()


def _copy(client: int, pipe: FileIO) -> None:
    with suppress(OSError, ValueError):  # the pipe is closed
        while data := os.read(client, _CHUNK_BYTES):
            while data:
                data = data[pipe.write(data) :]
    pipe.close()
