"""The program of a worker: it reads prompts from standard input and writes the answers in order until end of file."""

import logging
import os
import sys
from typing import BinaryIO

from ragstone.errors import JudgeError, describe
from ragstone.judges.local.answers import answer_prompt
from ragstone.judges.local.workers.frames import HEADER_SIZE, pack, read_frame, unpack
from ragstone.vendor_telemetry import disable_vendor_telemetry

READY = b""
"""The first message of a worker, sent when all modules are imported."""


def main() -> None:
    """Answer prompts until the parent process closes the pipe or ends."""
    disable_vendor_telemetry()
    logging.getLogger("ragstone").setLevel(
        logging.ERROR
    )  # the run's process says what its workers would repeat
    replies = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # printed output must not be mixed with the replies
    serve(sys.stdin.buffer, replies)


def serve(requests: BinaryIO, replies: BinaryIO) -> None:
    """Answer each prompt of a stream."""
    _send(replies, pack(READY))
    while (frame := read_frame(requests)) is not None:
        _send(replies, reply_to(frame))


def reply_to(frame: bytes) -> bytes:
    """Return the frame with the answer to a prompt, or with the exception that it raises."""
    try:
        return pack(answer_prompt(unpack(frame)))
    except Exception as error:  # noqa: BLE001  (passed on to the parent)
        return _pack_error(error)


def _pack_error(error: Exception) -> bytes:
    try:
        frame = pack(error)
        unpack(frame[HEADER_SIZE:])
    except Exception:  # noqa: BLE001  (an exception of another library may not survive pickling)
        return pack(JudgeError(describe(error)))
    return frame


def _send(replies: BinaryIO, frame: bytes) -> None:
    try:
        replies.write(frame)
        replies.flush()
    except BrokenPipeError:  # the run is over
        os._exit(0)
